import { dayHere } from '#web/lib/dates.ts'

const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const otherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })

/** The day of a line, as a heading. */
export function dayTitle(iso: string, now = new Date()): string {
  const then = new Date(iso)
  const day = dayHere(then)
  if (day === dayHere(now)) return 'Today'
  if (day === dayHere(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday'
  return (then.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(then)
}

/** Each line, with the heading of its day where that begins. */
export const withDays = <Line extends { lastAt: string }>(lines: Line[], now = new Date()) =>
  lines.map((line, place) => {
    const [title, before] = [line, lines[place - 1]].map((one) => one && dayTitle(one.lastAt, now))
    return { ...line, day: title === before ? undefined : title }
  })
