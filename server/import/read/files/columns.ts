import { decodeHTMLStrict } from 'entities/decode'
import { FORMULA_START } from '#contract/formulas.ts'
import { IMPORT_COLUMNS_MAX } from '#contract/import.ts'
import type { Dialect } from '#contract/import-file.ts'
import { REASON } from '#server/import/read/columns/mapping.ts'
import type { CsvRow } from './csv.ts'
import { type FileRow, isBlank, storable } from './row.ts'
import { UnreadableFile } from './unreadable-file.ts'

// The names of the columns of a file, from its header, or by number where its first row is data.

/** A row as it is in the file. In CSV it may have values beyond the last column of an import. */
export type SourceRow = FileRow & Partial<CsvRow>

const APOSTROPHE = new RegExp(`^'(?=${FORMULA_START}|')`)

/** The export writes an apostrophe before text that a spreadsheet would treat as a formula. */
export const withoutApostrophe = (value: string) => value.replace(APOSTROPHE, '')

/** Programs that write web pages leave `&amp;` in their files. */
export const withoutEntities = (value: string) => (value.includes('&') ? decodeHTMLStrict(value) : value)

/** The name of a column without marks behind it, such as those of `Name:` and `Name*`. */
export const nameOfColumn = (value: string) =>
  storable(withoutEntities(withoutApostrophe(value)))
    .trim()
    .replace(/\s*[,;:*]+$/, '')

export const hasHeader = (dialect: Dialect) => dialect.format === 'jsonl' || dialect.headerRow > 0

const headerRowOf = (dialect: Dialect) => (dialect.format === 'jsonl' ? 0 : dialect.headerRow)

const noHeader = (dialect: Dialect) =>
  new UnreadableFile(`Row ${headerRowOf(dialect)} is empty. Choose the row that holds the names of the columns.`)

/** The names from a header. `below`: the first rows below it, which may have more values in XLSX. */
export function namedColumns(header: SourceRow | undefined, below: SourceRow[], dialect: Dialect): string[] {
  if (header === undefined) throw noHeader(dialect)
  if (header.error !== undefined) throw new UnreadableFile(`Row ${header.row} cannot be read. ${header.error}.`)
  const names = header.values.map(nameOfColumn)
  if (header.row !== headerRowOf(dialect) || isBlank(names)) throw noHeader(dialect)
  // A spreadsheet can save thousands of empty columns.
  const filled = header.beyond || names.findLastIndex((name) => name !== '') + 1
  const width = names.length < IMPORT_COLUMNS_MAX ? names.length : filled
  if (width > IMPORT_COLUMNS_MAX) {
    throw new UnreadableFile(
      `This file has ${width.toLocaleString('en')} columns. At most ${IMPORT_COLUMNS_MAX} can be imported.`,
    )
  }
  // A workbook does not store an empty cell of the header.
  const all = dialect.format === 'xlsx' ? Math.max(width, widthOf(below)) : width
  return Array.from({ length: all }, (_, at) => names[at] || numbered(at))
}

const numbered = (at: number) => `Column ${at + 1}`

const REASON_START = `${REASON}: `

/** A refused row of a file without a header says itself which value is its reason. */
export const markedReason = (reason: string) => REASON_START + reason

export const isMarkedReason = (value: string | undefined) => value?.startsWith(REASON_START) ?? false

/** The names of the columns of a file whose first row is data. */
export function numberedColumns(rows: SourceRow[], usual: number | undefined): string[] {
  const columns = Array.from({ length: usual ?? widthOf(rows) }, (_, at) => numbered(at))
  const last = columns.length - 1
  if (last > 0 && rows.every(({ values }) => isMarkedReason(values[last]))) columns[last] = REASON
  return columns
}

/** The number of columns that rows fill. */
const widthOf = (rows: SourceRow[]) =>
  Math.min(
    IMPORT_COLUMNS_MAX,
    rows.reduce((most, { values }) => Math.max(most, values.findLastIndex((value) => value.trim() !== '') + 1), 0),
  )
