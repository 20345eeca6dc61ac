// Lines of comma-separated values as RFC 4180 has them.

/** What a spreadsheet would take for a formula; quoting does not keep it from that, an apostrophe before it does. */
const FORMULA = /^[\s"]*[=+\-@\t\r\0]/

const cell = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line, without its end. */
export const csvLine = (values: unknown[]): string => values.map(cell).join(',')
