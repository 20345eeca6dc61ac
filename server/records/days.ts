// Days of a viewer: which one it is now, and the moments at which they begin.

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The day of a moment in a time zone, as YYYY-MM-DD. */
function dayIn(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (moment) => {
    const {
      year = '',
      month,
      day,
    } = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
    return `${year.padStart(4, '0')}-${month}-${day}`
  }
}

/** Today, as YYYY-MM-DD. */
export const today = (timeZone: string, now = Date.now()): string => dayIn(timeZone)(now)

/** No clock on Earth differs from UTC by more. */
const FARTHEST = 16 * HOUR
/** PostgreSQL reads no year 0. */
const FIRST = Date.parse('0001-01-01')

/** The first moment that is not before, near one that is given as if in UTC. */
function firstMoment(utc: number, isBefore: (moment: number) => boolean): Date {
  let [before, start] = [Math.max(FIRST - 1, utc - FARTHEST), utc + FARTHEST]
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (isBefore(middle)) before = middle
    else start = middle
  }
  return new Date(start)
}

/** The first moment of a day, which is not midnight where clocks go forward then. */
export function startOfDay(day: string, timeZone: string): Date {
  const dayOf = dayIn(timeZone)
  return firstMoment(Date.parse(day), (moment) => dayOf(moment) < day)
}

/** The first moment of an hour of a day. One that clocks skip is the next that they show. */
export function startOfHour(day: string, hour: number, timeZone: string): Date {
  const dayOf = dayIn(timeZone)
  const format = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  const isBefore = (moment: number) => {
    const at = dayOf(moment)
    return at < day || (at === day && Number(format.format(moment)) < hour)
  }
  return firstMoment(Date.parse(day) + hour * HOUR, isBefore)
}

/** The day after some days, as YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** The first moment after a day; undefined after the last day that can be written. */
export const endOfDay = (day: string, timeZone: string): Date | undefined =>
  day === '9999-12-31' ? undefined : startOfDay(addDays(day, 1), timeZone)
