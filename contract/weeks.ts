// Weeks as ISO 8601 has them, such as 2026-W48, in UTC: they begin on Monday, and the first one has the year's first Thursday.

const DAY = 86_400_000
const WEEK = 7 * DAY
const SHAPE = /^(?:19[7-9]\d|[2-9]\d{3})-W(?:0[1-9]|[1-4]\d|5[0-3])$/

/** The first Monday of a week that is in 1970. */
const MONDAY = Date.UTC(1970, 0, 5)

const mondayOf = (ms: number): number => MONDAY + Math.floor((ms - MONDAY) / WEEK) * WEEK

/** Its first moment, and the first one after it, in milliseconds. */
export function spanOfWeek(week: string): [from: number, until: number] {
  const [year = '', number = ''] = week.split('-W')
  const from = mondayOf(Date.UTC(Number(year), 0, 4)) + (Number(number) - 1) * WEEK
  return [from, from + WEEK]
}

/** The week of a moment in milliseconds. */
export function weekOf(ms: number): string {
  const monday = mondayOf(ms)
  const year = new Date(monday + 3 * DAY).getUTCFullYear()
  const number = (monday - mondayOf(Date.UTC(year, 0, 4))) / WEEK + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

/** Its Monday, and the one after it, as YYYY-MM-DD. */
export const mondaysOf = (week: string): [monday: string, next: string] => {
  const [from, until] = spanOfWeek(week).map((ms) => new Date(ms).toISOString().slice(0, 10))
  return [from ?? '', until ?? '']
}

/** Week 48 of 2026. */
export const weekWords = (week: string): string => {
  const [year, number] = week.split('-W')
  return `Week ${Number(number)} of ${year}`
}

/** Whether a year has this week. */
export const isWeek = (text: string): boolean => SHAPE.test(text) && weekOf(spanOfWeek(text)[0]) === text

/** The week that is some weeks after another. */
export const weekAfter = (week: string, weeks: number): string => weekOf(spanOfWeek(week)[0] + weeks * WEEK)
