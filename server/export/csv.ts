import { EXPORT_COLUMNS, type ExportColumn } from '#contract/export.ts'
import { quotedCell } from '#server/audit-log/csv.ts'

/** Spreadsheets treat such text as a formula. Import removes the apostrophe again, also from text that has its own. */
const protectedText = (text: string) => (/^[=+\-@'\t\r]/.test(text) ? `'${text}` : text)

/** One line with its line ending, from the text of its cells. */
export const csvLine = (cells: string[]): string =>
  `${cells.map((text) => quotedCell(protectedText(text))).join(',')}\r\n`

/** Starts with a byte order mark, by which spreadsheets detect UTF-8. */
export const BOM = '\ufeff'

export const CSV_HEAD = `${BOM}${csvLine([...EXPORT_COLUMNS])}`

export const csvRecord = (values: Record<ExportColumn, unknown>): string =>
  csvLine(EXPORT_COLUMNS.map((column) => String(values[column] ?? '')))
