const NUMBERS = /^(\d{1,2})\D(\d{1,2})\D(\d{2,4})\b/

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The two days that a date such as 03/04/2026 can mean, in words; undefined if it is not one. */
export function bothReadings(example: string): { dayFirst: string; monthFirst: string } | undefined {
  const [, first, second, written] = NUMBERS.exec(example.trim()) ?? []
  if (first === undefined || second === undefined || written === undefined) return undefined
  const year = Number(written) + (written.length === 2 ? 2000 : 0)
  const words = (dayOfMonth: string, month: string) =>
    day.format(new Date(Date.UTC(year, Number(month) - 1, Number(dayOfMonth))))
  return { dayFirst: words(first, second), monthFirst: words(second, first) }
}
