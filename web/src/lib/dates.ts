// Times are shown in the viewer's time zone: words in English, dates and times in the viewer's locale.

const HOUR = 3_600_000
const DAY = 24 * HOUR

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const dayOfThisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const weekdayAndTime = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' })
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const ago = new Intl.RelativeTimeFormat('en')

/** The day of a moment in the viewer's calendar, as `YYYY-MM-DD`. */
export const dayHere = (moment = new Date()) =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** The day so many months later; where that month is shorter, its last. */
export const dayAfterMonths = (months: number, from = new Date()) => {
  const last = new Date(from.getFullYear(), from.getMonth() + months + 1, 0)
  return dayHere(new Date(last.getFullYear(), last.getMonth(), Math.min(from.getDate(), last.getDate())))
}

/** A day, such as 3 Mar 2026. */
export const formatDay = (iso: string) => day.format(new Date(iso))

/** The same without the current year: 3 Mar. */
export const formatShortDay = (iso: string, now = new Date()) => {
  const then = new Date(iso)
  return (then.getFullYear() === now.getFullYear() ? dayOfThisYear : day).format(then)
}

/** A day and the time on it, such as 3 Mar 2026, 10:32. */
export const formatMoment = (iso: string) => dayAndTime.format(new Date(iso))

const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', HOUR / 60],
] as const

/** The time on a day, such as 10:32. */
export const formatTime = (iso: string) => time.format(new Date(iso))

/** How long ago, in the largest unit that fits: just now, 5 minutes ago, 1 week ago. */
export const formatAgo = (iso: string, now = new Date()) => {
  const age = now.getTime() - new Date(iso).getTime()
  const [unit, length] = UNITS.find(([, length]) => age >= length) ?? []
  return unit ? ago.format(-Math.floor(age / length), unit) : 'just now'
}

/** The time of a note: under 24 hours the time, under 7 days weekday and time, otherwise the date. */
export const formatNoteTime = (iso: string, now = new Date()) => {
  const written = new Date(iso)
  const age = now.getTime() - written.getTime()
  if (age < 24 * HOUR) return time.format(written)
  return age < 7 * DAY ? weekdayAndTime.format(written) : day.format(written)
}

/** The age in calendar days: Today, Yesterday, 3d ago, 2w ago, and from 30 days on the date. */
export const formatDaysAgo = (iso: string, now = new Date()) => {
  const days = calendarDay(now) - calendarDay(new Date(iso))
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return `${days}d ago`
  return days < 30 ? `${Math.floor(days / 7)}w ago` : formatDay(iso)
}

/** The number of a day in the viewer's calendar. Counted in UTC, where every day has 24 hours. */
const calendarDay = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY
