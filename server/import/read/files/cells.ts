// Converts a cell of a workbook to text.

/** Built-in formats of dates, besides those below. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])
const BUILT_IN: Record<number, string> = {
  ...{ 1: '0', 2: '0.00', 9: '0%', 10: '0.00%', 18: 'h:mm am/pm', 19: 'h:mm:ss am/pm', 20: 'h:mm', 21: 'h:mm:ss' },
  ...{ 22: 'd/m/y h:mm', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss' },
}

/** No spreadsheet saves a longer format. Taking it apart costs the square of its length. */
export const FORMAT_LENGTH_MAX = 255

/** Shows the stored number of a cell as text. */
export type CellFormat = (text: string, is1904: boolean) => string

/**
 * The format of a style. Dates are shown as ISO; words for a number (`"Yes";"Yes";"No"`), percentages, times, fixed decimals
 * and leading zeros as in the spreadsheet. Any other format shows the plain number.
 */
export function formatOf(id: number, given: string | undefined): CellFormat {
  const code = given ?? BUILT_IN[id] ?? (DATE_FORMATS.has(id) ? 'd/m/y' : '')
  if (code.length > FORMAT_LENGTH_MAX) return plainNumber
  const [, positive, negative, zero] = /^"([^"]*)";"([^"]*)";"([^"]*)"$/.exec(code) ?? []
  if (positive !== undefined)
    return onlyNumbers((number) => (number > 0 ? positive : number < 0 ? negative : zero) ?? '')
  const isElapsed = /\[h+\]/i.test(code)
  const plain = code
    .toLowerCase()
    .replace(/\[(h+)\]/g, '$1')
    .replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, '')
  const [, zeros, decimals = '', percent] = /^(0+)(?:\.(0+))?(%?)\s*(?:;|$)/.exec(plain) ?? []
  if (zeros !== undefined) {
    return onlyNumbers((number) => fixed(number, zeros.length, decimals.length, percent === '%'))
  }
  const time = /[hs]/.test(plain)
    ? { isElapsed, hasHours: plain.includes('h'), hasSeconds: plain.includes('s'), is12: /am\/pm|a\/p/.test(plain) }
    : undefined
  const hasYear = plain.includes('y')
  const hasDay = plain.replace(/am\/pm|a\/p/, '').includes('d')
  if (hasDay || hasYear || (plain.includes('m') && time === undefined)) {
    const isYear = hasYear && !hasDay && !plain.includes('m')
    return (text, is1904) => (isYear ? isoDate(text, is1904).slice(0, 4) : isoDate(text, is1904, time))
  }
  return time === undefined
    ? plainNumber
    : onlyNumbers((days, text) => (days < 0 ? plainNumber(text) : clock(days, time)))
}

const onlyNumbers =
  (show: (number: number, text: string) => string): CellFormat =>
  (text) =>
    text.trim() === '' || !Number.isFinite(Number(text)) ? text : show(Number(text), text)

function fixed(number: number, digits: number, decimals: number, isPercent: boolean): string {
  const shown = Number((isPercent ? number * 100 : number).toPrecision(15))
  if (Math.abs(shown) >= 1e15) return plainNumber(String(number))
  const [whole = '', ...rest] = Math.abs(shown).toFixed(decimals).split('.')
  return `${shown < 0 ? '-' : ''}${[whole.padStart(digits, '0'), ...rest].join('.')}${isPercent ? '%' : ''}`
}

type Time = { isElapsed: boolean; hasHours: boolean; hasSeconds: boolean; is12: boolean }

/** The time in a number of days, to the second. */
function clock(days: number, { isElapsed, hasHours, hasSeconds, is12 }: Time): string {
  const all = Math.round((days * DAY) / 1000)
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = isElapsed ? Math.floor(all / 3600) : Math.floor(all / 3600) % 24
  const shown = is12 ? String(hours % 12 || 12) : two(hours)
  const rest = [two(Math.floor(all / 60) % 60), ...(hasSeconds ? [two(all % 60)] : [])]
  return [...(hasHours ? [shown] : []), ...rest].join(':') + (is12 ? (hours < 12 ? ' AM' : ' PM') : '')
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

/** Converts a spreadsheet's number of days to an ISO date, with the time if the format shows it. */
export function isoDate(text: string, is1904: boolean, time?: Time): string {
  const days = Number(text)
  if (text.trim() === '' || !Number.isFinite(days)) return text
  // Spreadsheets that count from 1900 have a February 29 in that year.
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const moment = start + Math.round((days * DAY) / 1000) * 1000
  if (days < 0 || moment >= YEAR_10000) return plainNumber(text)
  const date = new Date(moment).toISOString().slice(0, 10)
  return time === undefined ? date : `${date} ${clock(days, { ...time, isElapsed: false })}`
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
