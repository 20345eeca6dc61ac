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

const NUMERIC = /^\d{4}-\d{2}-\d{2}/
const TIME = String.raw`(?:,? (\d{1,2}):(\d{2})(?::\d{2})?(?: ?([ap])\.?m\.?)?(?: \(?(?:utc|gmt)\)?)?)?`
const MONTH_FIRST = new RegExp(String.raw`^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${TIME}$`)
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th|er|\.)? (?:de )?([a-z]+)\.?,? (?:de )?(\d{4})${TIME}$`)
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})${TIME}$`)
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})${TIME}$`)

/**
 * The time that a text states; `ambiguous` for a date such as 03/04/2024 while its order is not known; undefined for any
 * other text. A date alone is midnight in UTC; with a time but no zone it is UTC too, wherever the server is.
 */
export function timeOf(text: string, order?: DateOrder): Date | 'ambiguous' | undefined {
  if (NUMERIC.test(text)) return numericTime(text)
  const line = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ')
  return namedTime(line) ?? yearFirst(line) ?? orderedTime(line, order)
}

function numericTime(text: string): Date | undefined {
  const time = new Date(/\d{2}:\d{2}/.test(text) && !/(z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text)
  return Number.isNaN(time.getTime()) ? undefined : time
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
  const [, year, month, day, ...clock] = YEAR_FIRST.exec(line) ?? []
  return year === undefined ? undefined : existing(Number(year), Number(month), Number(day), clock)
}

/** The day and the month as numbers, in the given order, or in the only one that is a date. */
function orderedTime(line: string, order: DateOrder | undefined): Date | 'ambiguous' | undefined {
  const [, one, , other, written = '', ...clock] = NUMBERS.exec(line) ?? []
  if (one === undefined) return undefined
  const year = written.length === 2 ? 2000 + Number(written) : Number(written)
  const dayFirst = existing(year, Number(other), Number(one), clock)
  const monthFirst = existing(year, Number(one), Number(other), clock)
  if (order !== undefined) return order === 'day-first' ? dayFirst : monthFirst
  if (dayFirst && monthFirst && dayFirst.getTime() !== monthFirst.getTime()) return 'ambiguous'
  return dayFirst ?? monthFirst
}

/** The time of these parts; undefined for a day, an hour or a minute that does not exist. */
function existing(year: number, month: number, day: number, clock: (string | undefined)[]): Date | undefined {
  const [hour = '0', minute = '0', half] = clock
  const isHour = half === undefined || (Number(hour) >= 1 && Number(hour) <= 12)
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0)
  const time = new Date(Date.UTC(year, month - 1, day, hours, Number(minute)))
  const isSame =
    time.getUTCMonth() === month - 1 && time.getUTCDate() === day && time.getUTCHours() === hours && Number(minute) < 60
  return isHour && isSame ? time : undefined
}
