// The forms of values that people, files and providers give. Each function returns undefined for another form.

const YEAR_MIN = 1000
const COUNT_MAX = 100_000_000

/** False for an address that no mail server accepts. */
export function isEmailAddress(text: string): boolean {
  if (!/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text)) return false
  const labels = text.slice(text.indexOf('@') + 1).split('.')
  return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label))
}

/** The year at the start of a date, or a number, from 1000 to this year. */
export function toYear(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? /^\s*\+?(\d{4})(?!\d)/.exec(value)?.[1] : undefined
  const read = digits === undefined ? value : Number(digits)
  if (typeof read !== 'number' || !Number.isInteger(read)) return undefined
  return read >= YEAR_MIN && read <= new Date().getFullYear() ? read : undefined
}

/** A number from 1 on (a count of zero means unknown), or a range as written: `51-200`, `10001+`. */
export function toCount(value: number | string): number | string | undefined {
  const isCount = (number: number) => Number.isInteger(number) && number >= 1 && number <= COUNT_MAX
  if (typeof value === 'number') return isCount(value) ? value : undefined
  const written = value.replace(/(?<=\d)[,' \u00a0\u202f](?=\d{3}(?!\d))/g, '')
  const parts = /^\+?(\d+)(?:\.0+)?(?:(\+)|\s*(?:-|–|—|to)\s*(\d+))?(?:\s+employees)?$/i.exec(written)
  if (!parts) return undefined
  const [, from, plus, to] = parts
  if (!isCount(Number(from))) return undefined
  if (plus !== undefined) return `${from}+`
  if (to !== undefined) return isCount(Number(to)) && Number(to) >= Number(from) ? `${from}-${to}` : undefined
  return Number(from)
}
