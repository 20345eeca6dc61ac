export type DateOrder = 'day-first' | 'month-first'

/** The names of the months in English, German, French and Spanish, without accents. */
const MONTHS = [
  ['january', 'januar', 'janner', 'janvier', 'enero'],
  ['february', 'februar', 'fevrier', 'febrero'],
  ['march', 'marz', 'mars', 'marzo'],
  ['april', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'juni', 'juin', 'junio'],
  ['july', 'juli', 'juillet', 'julio'],
  ['august', 'aout', 'agosto'],
  ['september', 'septembre', 'septiembre', 'sept'],
  ['october', 'oktober', 'octobre', 'octubre'],
  ['november', 'novembre', 'noviembre'],
  ['december', 'dezember', 'decembre', 'diciembre'],
]

/** UTC, or a difference from it, as in `Z`, `GMT`, `(UTC)`, `+02:00`, `GMT+0200 (Central European Time)` and `+0000 UTC`. */
const ZONE = String.raw`(?: ?(z|\(?(?:utc|gmt)\)?|(?:utc|gmt)?[+-]\d{2}(?::?\d{2})?(?: (?:utc|gmt|\([^()]+\)))?))?`
const TIME = String.raw`(?:(?:,? |t)(\d{1,2}):(\d{2})(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?: ?([ap])\.?m\.?)?${ZONE})?`
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /
const MONTH_FIRST = new RegExp(String.raw`^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${TIME}$`)
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th|er|\.)? (?:de )?([a-z]+)\.?,? (?:de )?(\d{4})${TIME}$`)
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})${TIME}$`)
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})${TIME}$`)

/** A year of two digits that would be farther ahead is in the last century. */
const AHEAD = 20

/**
 * The time that a text states; `ambiguous` for a date such as 03/04/2024 while its order is not known; undefined for any
 * other text. A date alone is midnight in UTC; with a time but no zone it is UTC too, wherever the server is.
 */
export function timeOf(text: string, order?: DateOrder): Date | 'ambiguous' | undefined {
  const line = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').replace(WEEKDAY, '')
  return namedTime(line) ?? yearFirst(line) ?? orderedTime(line, order)
}

/** The month as a word, as in `March 5, 2024 3:04 PM` of Notion, or `5 Mar 2024`. */
function namedTime(line: string): Date | undefined {
  const monthFirst = MONTH_FIRST.exec(line)
  const [, one = '', other = '', year, ...clock] = monthFirst ?? DAY_FIRST.exec(line) ?? []
  if (year === undefined) return undefined
  const [monthName, day] = monthFirst ? [one, other] : [other, one]
  const month = MONTHS.findIndex((names) => names.includes(monthName) || names[0]?.slice(0, 3) === monthName)
  return month < 0 ? undefined : existing(Number(year), month + 1, Number(day), clock)
}

function yearFirst(line: string): Date | undefined {
  const [, year, , month, day, ...clock] = YEAR_FIRST.exec(line) ?? []
  return year === undefined ? undefined : existing(Number(year), Number(month), Number(day), clock)
}

/** The day and the month as numbers, in the given order, or in the only one that is a date. */
function orderedTime(line: string, order: DateOrder | undefined): Date | 'ambiguous' | undefined {
  const [, one, , other, written = '', ...clock] = NUMBERS.exec(line) ?? []
  if (one === undefined) return undefined
  const year = written.length === 2 ? fullYear(Number(written)) : Number(written)
  const dayFirst = existing(year, Number(other), Number(one), clock)
  const monthFirst = existing(year, Number(one), Number(other), clock)
  if (order !== undefined) return order === 'day-first' ? dayFirst : monthFirst
  if (dayFirst && monthFirst && dayFirst.getTime() !== monthFirst.getTime()) return 'ambiguous'
  return dayFirst ?? monthFirst
}

const fullYear = (written: number): number =>
  written + (2000 + written > new Date().getUTCFullYear() + AHEAD ? 1900 : 2000)

/** The time of these parts; undefined for a day, a time or a zone that does not exist. */
function existing(year: number, month: number, day: number, clock: (string | undefined)[]): Date | undefined {
  const [hour = '0', minute = '0', second = '0', fraction = '0', half, zone = ''] = clock
  const isHour = half === undefined || (Number(hour) >= 1 && Number(hour) <= 12)
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0)
  const [, sign, ahead = '0', more = '0'] = /([+-])(\d{2}):?(\d{2})?/.exec(zone) ?? []
  const [milliseconds, offset] = [Math.floor(Number(`0.${fraction}`) * 1000), Number(ahead) * 60 + Number(more)]
  const time = new Date(Date.UTC(year, month - 1, day, hours, Number(minute), Number(second), milliseconds))
  const isSame =
    time.getUTCFullYear() === year &&
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hours
  if (!isHour || !isSame || Number(minute) > 59 || Number(more) > 59 || offset > FARTHEST) return undefined
  return new Date(time.getTime() - (sign === '-' ? -offset : offset) * 60_000)
}

/** No zone is farther from UTC, in minutes. */
const FARTHEST = 14 * 60
