import { FORMULA_START } from '#contract/formulas.ts'
import {
  type CsvDialect,
  type Dialect,
  IMPORT_COLUMNS_MAX,
  IMPORT_ROWS_MAX,
  importSeparators,
} from '#contract/import.ts'
import { isReadable } from '#contract/plain-text.ts'
import { readCsv } from './csv.ts'
import { JSONL_COLUMNS, readJsonl } from './jsonl.ts'
import { type FileRow, isBlank, storable } from './row.ts'
import { isWellEncoded, readText } from './text.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { readXlsx } from './xlsx.ts'

/** The names of the columns, in order. */
export async function readColumns(file: Buffer, dialect: Dialect): Promise<string[]> {
  for await (const header of readTable(file, dialect)) return columnsOf(header, dialect)
  throw noHeader(dialect)
}

/**
 * The rows below the header, without empty ones. Each has one value per column. Throws `UnreadableFile` if there is no
 * row, and after the last row that an import may have.
 */
export async function* readRows(file: Buffer, dialect: Dialect): AsyncGenerator<FileRow> {
  const isCertain = dialect.format !== 'csv' || isWellEncoded(file, dialect.encoding)
  let columns: string[] | undefined
  let count = 0
  for await (const row of readTable(file, dialect)) {
    if (columns === undefined) {
      columns = columnsOf(row, dialect)
      continue
    }
    if (isBlank(row.values) && !('error' in row)) continue
    count += 1
    if (count > IMPORT_ROWS_MAX) {
      const most = IMPORT_ROWS_MAX.toLocaleString('en')
      throw new UnreadableFile(`This file has more than ${most} rows. Split it, and import the parts.`)
    }
    yield checked(row, columns, dialect, isCertain)
  }
  if (columns === undefined) throw noHeader(dialect)
  if (count === 0) throw new UnreadableFile('This file has no rows below the names of its columns')
}

/** The header, then all rows below it. */
async function* readTable(file: Buffer, dialect: Dialect): AsyncGenerator<FileRow> {
  if (dialect.format === 'csv') {
    const { encoding, separator, headerRow } = dialect
    for await (const row of readCsv(readText(file, encoding), separator, headerRow)) {
      yield { ...row, values: row.values.map(withoutApostrophe) }
    }
  } else if (dialect.format === 'xlsx') {
    yield* readXlsx(file, dialect)
  } else {
    yield { row: 0, values: JSONL_COLUMNS }
    yield* readJsonl(file)
  }
}

const APOSTROPHE = new RegExp(`^'(?=${FORMULA_START}|')`)

/** The export writes an apostrophe before text that a spreadsheet would treat as a formula. */
const withoutApostrophe = (value: string) => value.replace(APOSTROPHE, '')

const headerRowOf = (dialect: Dialect) => (dialect.format === 'jsonl' ? 0 : dialect.headerRow)

const noHeader = (dialect: Dialect) =>
  new UnreadableFile(`Row ${headerRowOf(dialect)} is empty. Choose the row that holds the names of the columns.`)

function columnsOf(header: FileRow, dialect: Dialect): string[] {
  if ('error' in header) throw new UnreadableFile(`Row ${header.row} cannot be read. ${header.error}.`)
  const names = header.values.map((name) => storable(name).trim())
  if (header.row !== headerRowOf(dialect) || isBlank(names)) throw noHeader(dialect)
  // A spreadsheet can save thousands of empty columns.
  const width = names.length > IMPORT_COLUMNS_MAX ? names.findLastIndex((name) => name !== '') + 1 : names.length
  if (width > IMPORT_COLUMNS_MAX) {
    throw new UnreadableFile(
      `This file has ${width.toLocaleString('en')} columns. At most ${IMPORT_COLUMNS_MAX} can be imported.`,
    )
  }
  return names.slice(0, width).map((name, at) => name || `Column ${at + 1}`)
}

/** A row with one value per column, and an error if it cannot be imported. */
function checked(row: FileRow, columns: string[], dialect: Dialect, isCertain: boolean): FileRow {
  const error = 'error' in row ? row.error : errorOf(row.values, columns, dialect, isCertain)
  const values = columns.map((_, at) => storable(row.values[at] ?? ''))
  return error === undefined ? { row: row.row, values } : { row: row.row, values, error }
}

function errorOf(values: string[], columns: string[], dialect: Dialect, isCertain: boolean): string | undefined {
  const unreadable = values.findIndex((value) => !isReadable(value))
  if (unreadable >= 0) return `${columns[unreadable] ?? 'A value'} contains invalid characters`
  if (!isCertain && values.some((value) => value.includes('\ufffd'))) {
    return 'This row has characters that the chosen encoding does not have'
  }
  return dialect.format === 'csv' ? widthError(values, columns, dialect) : undefined
}

/** Spreadsheets leave out separators at the end of a row. More values, or other separators, are a mistake. */
function widthError(values: string[], columns: string[], dialect: CsvDialect): string | undefined {
  const isTooLong = !isBlank(values.slice(columns.length))
  const isOther =
    values.length < columns.length &&
    importSeparators.some(
      (other) => other !== dialect.separator && values.join(dialect.separator).split(other).length >= columns.length,
    )
  if (!isTooLong && !isOther) return undefined
  const have = values.length === 1 ? '1 value' : `${values.length} values`
  return `This row has ${have}, but the file has ${columns.length} columns`
}
