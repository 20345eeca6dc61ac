const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  'december',
]

const NUMERIC = /^\d{4}-\d{2}-\d{2}/
const TIME = String.raw`(?:,? (\d{1,2}):(\d{2})(?::\d{2})?(?: ?([ap])\.?m\.?)?(?: \(?(?:utc|gmt)\)?)?)?`
const MONTH_FIRST = new RegExp(String.raw`^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${TIME}$`)
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]+)\.?,? (\d{4})${TIME}$`)

/**
 * The time that a text states unambiguously; undefined for any other text, such as 03/04/2024. A date alone is midnight
 * in UTC; with a time but no zone it is UTC too, wherever the server is.
 */
export const timeOf = (text: string): Date | undefined => (NUMERIC.test(text) ? numericTime(text) : namedTime(text))

function numericTime(text: string): Date | undefined {
  const time = new Date(/\d{2}:\d{2}/.test(text) && !/(z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** The month as a word, as in `March 5, 2024 3:04 PM` of Notion, or `5 Mar 2024`. */
function namedTime(text: string): Date | undefined {
  const line = text.toLowerCase().replace(/\s+/g, ' ')
  const monthFirst = MONTH_FIRST.exec(line)
  const [, one = '', other = '', year, hour = '0', minute = '0', half] = monthFirst ?? DAY_FIRST.exec(line) ?? []
  if (year === undefined) return undefined
  const [monthName, day] = monthFirst ? [one, other] : [other, one]
  const month = MONTHS.findIndex(
    (name) => name === monthName || name.slice(0, 3) === monthName.replace(/^sept$/, 'sep'),
  )
  const isHour = half === undefined || (Number(hour) >= 1 && Number(hour) <= 12)
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0)
  const time = new Date(Date.UTC(Number(year), month, Number(day), hours, Number(minute)))
  // A day, an hour or a minute that does not exist would become another one.
  const isSame = time.getUTCDate() === Number(day) && time.getUTCHours() === hours && Number(minute) < 60
  return month >= 0 && isHour && isSame ? time : undefined
}
