import { EXPORT_COLUMNS } from '#contract/export.ts'
import { FORMULA_START } from '#contract/formulas.ts'
import { quotedCell } from '#server/audit-log/csv.ts'

const TO_PROTECT = new RegExp(`^(?:${FORMULA_START}|')`)

/** Spreadsheets run some text as a formula. Import removes the apostrophe again. */
export const protectedText = (text: string) => (TO_PROTECT.test(text) ? `'${text}` : text)

/** One line with its line ending, from the text of its cells. */
export const csvLine = (cells: string[]): string =>
  `${cells.map((text) => quotedCell(protectedText(text))).join(',')}\r\n`

/** Starts with a byte order mark, by which spreadsheets detect UTF-8. */
export const BOM = '\ufeff'

export const CSV_HEAD = `${BOM}${csvLine([...EXPORT_COLUMNS])}`

export const csvRecord = (values: Record<string, unknown>): string =>
  csvLine(EXPORT_COLUMNS.map((column) => String(values[column] ?? '')))
