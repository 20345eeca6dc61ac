// Converts a cell of a workbook to text.

/** Built-in number formats with a day in them. 45 to 47 and the like are times alone. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])

/** No spreadsheet saves a longer format. Taking it apart costs the square of its length. */
export const FORMAT_LENGTH_MAX = 255

/** True for a format of dates: it has a day, a month or a year outside of quoted, bracketed and escaped text. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return DATE_FORMATS.has(id)
  if (code.length > FORMAT_LENGTH_MAX) return false
  const plain = code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, '').toLowerCase()
  return /[dy]/.test(plain) || (plain.includes('m') && !/[hs]/.test(plain))
}

/** A number as a spreadsheet shows it: 15 digits, no exponent. */
export function plainNumber(text: string): string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  const rounded = String(Number(number.toPrecision(15)))
  if (!rounded.includes('e')) return rounded
  return number.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 15, maximumFractionDigits: 20 })
}

const DAY = 86_400_000
const YEAR_10000 = Date.UTC(10_000, 0, 1)

/** Converts a spreadsheet's number of days to an ISO date, with the time if it has one. */
export function isoDate(text: string, is1904: boolean): string {
  const days = Number(text)
  if (text.trim() === '' || !Number.isFinite(days)) return text
  // Spreadsheets that count from 1900 have a February 29 in that year.
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const time = start + Math.round((days * DAY) / 1000) * 1000
  if (days < 0 || time >= YEAR_10000) return plainNumber(text)
  const iso = new Date(time).toISOString()
  return days % 1 === 0 ? iso.slice(0, 10) : iso.replace('.000Z', 'Z')
}

/** `_x000D_` in the text of a workbook stands for a character that XML cannot contain. */
export const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** The column of a cell, counted from 0: `BC12` is in column 54. Undefined for anything but a cell. */
export function columnOf(reference: string): number | undefined {
  const [, letters] = /^([A-Z]{1,7})\d{1,7}$/.exec(reference) ?? []
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
