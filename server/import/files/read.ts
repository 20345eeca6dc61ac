import { FORMULA_START } from '#contract/formulas.ts'
import { IMPORT_COLUMNS_MAX, IMPORT_ROWS_MAX } from '#contract/import.ts'
import { type CsvDialect, type Dialect, importSeparators } from '#contract/import-file.ts'
import { isReadable } from '#contract/plain-text.ts'
import { type CsvRow, csvSample, readCsv } from './csv.ts'
import { JSONL_COLUMNS, readJsonl } from './jsonl.ts'
import { type FileRow, isBlank, storable } from './row.ts'
import { isWellEncoded, readText, textSample } from './text.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { readXlsx } from './xlsx.ts'

/** The names of the columns in order, and the rows below them. A row with an error keeps its surplus values. */
export type Table = { columns: string[]; rows: AsyncGenerator<FileRow> }

/**
 * The rows below the header, without empty ones. Each has one value per column. Throws `UnreadableFile` if there is no
 * row, and after the last row that an import may have.
 */
export async function* readRows(file: Buffer, dialect: Dialect): AsyncGenerator<FileRow> {
  const { rows } = await openTable(file, dialect)
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count > IMPORT_ROWS_MAX) break
    yield row
  }
  const fault = faultOfCount(count)
  if (fault !== undefined) throw new UnreadableFile(fault)
}

/** Why a file with this number of rows cannot be imported. */
export function faultOfCount(rows: number): string | undefined {
  if (rows === 0) return 'This file has no rows below the names of its columns'
  const most = IMPORT_ROWS_MAX.toLocaleString('en')
  return rows > IMPORT_ROWS_MAX ? `This file has more than ${most} rows. Split it, and import the parts.` : undefined
}

/** Reads up to the header. Throws `UnreadableFile` if there is none. */
export async function openTable(file: Buffer, dialect: Dialect): Promise<Table> {
  const usual = dialect.format === 'csv' ? usualWidth(file, dialect) : undefined
  const source = readSource(file, dialect, usual)
  const { value: header } = await source.next()
  if (header === undefined) throw noHeader(dialect)
  const columns = columnsOf(header, dialect)
  return { columns, rows: checkedRows(source, columns, { dialect, usual, isCertain: isCertain(file, dialect) }) }
}

/** A row as it is in the file. In CSV it may have values beyond the last column of an import. */
type SourceRow = FileRow & Partial<CsvRow>

/** The header, then all rows below it. */
async function* readSource(file: Buffer, dialect: Dialect, usual: number | undefined): AsyncGenerator<SourceRow> {
  if (dialect.format === 'csv') {
    const { encoding, separator, headerRow } = dialect
    yield* readCsv(readText(file, encoding), separator, headerRow, usual)
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
/** Enough to see how many values the rows of a file have. */
const SAMPLE_BYTES = 1_000_000

/** The number of values that most rows have, if it is that of the header, or larger. */
function usualWidth(file: Buffer, { encoding, separator, headerRow }: CsvDialect): number | undefined {
  const sample = csvSample(textSample(file, encoding, SAMPLE_BYTES), separator, headerRow)
  // The sample may have cut the last row.
  const [header, ...rows] = file.length > SAMPLE_BYTES ? sample.slice(0, -1) : sample
  const widths = rows.filter((row) => row.error === undefined).map(({ width }) => width)
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  const [usual = 0, count = 0] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])
  return header && usual >= header.width && count > widths.length / 2 ? usual : undefined
}

/** False when a U+FFFD shows that the encoding is another one. */
const isCertain = (file: Buffer, dialect: Dialect) =>
  dialect.format === 'xlsx' || isWellEncoded(file, dialect.format === 'csv' ? dialect.encoding : 'utf-8')

const headerRowOf = (dialect: Dialect) => (dialect.format === 'jsonl' ? 0 : dialect.headerRow)

const noHeader = (dialect: Dialect) =>
  new UnreadableFile(`Row ${headerRowOf(dialect)} is empty. Choose the row that holds the names of the columns.`)

function columnsOf(header: SourceRow, dialect: Dialect): string[] {
  if (header.error !== undefined) throw new UnreadableFile(`Row ${header.row} cannot be read. ${header.error}.`)
  const names = header.values.map((name) => storable(withoutApostrophe(name)).trim())
  if (header.row !== headerRowOf(dialect) || isBlank(names)) throw noHeader(dialect)
  // A spreadsheet can save thousands of empty columns.
  const filled = header.beyond || names.findLastIndex((name) => name !== '') + 1
  const width = names.length < IMPORT_COLUMNS_MAX ? names.length : filled
  if (width > IMPORT_COLUMNS_MAX) {
    throw new UnreadableFile(
      `This file has ${width.toLocaleString('en')} columns. At most ${IMPORT_COLUMNS_MAX} can be imported.`,
    )
  }
  return names.slice(0, width).map((name, at) => name || `Column ${at + 1}`)
}

type Checks = { dialect: Dialect; usual: number | undefined; isCertain: boolean }

async function* checkedRows(source: AsyncGenerator<SourceRow>, columns: string[], checks: Checks) {
  const isCsv = checks.dialect.format === 'csv'
  for await (const row of source) {
    if (isBlank(row.values) && !row.beyond && row.error === undefined) continue
    if (isCsv) row.values = row.values.map(withoutApostrophe)
    // Some programs repeat the header.
    if (isCsv && columns.length > 1 && columns.every((column, at) => row.values[at]?.trim() === column)) continue
    yield checkedRow(row, columns, checks)
  }
}

const CLOSES_EARLY = 'A quotation mark in this row closes before other text'

/** A row with one value per column, and an error if it cannot be imported. */
function checkedRow(row: SourceRow, columns: string[], checks: Checks): FileRow {
  const { row: number, marks = [] } = row
  const isStorable = row.values.every(isReadable)
  const errors = row.error === undefined ? errorsOf(row, columns, isStorable, checks) : [row.error]
  if (row.isOdd) {
    // Only an equal number of values shows that none is in the wrong column.
    if (checks.usual === undefined) errors.push(CLOSES_EARLY)
    else marks.push(CLOSES_EARLY)
  }
  const values = isStorable ? row.values : row.values.map(storable)
  while (values.length < columns.length) values.push('')
  if (errors.length > 0) return { row: number, values, error: [...errors, ...marks].join('. ') }
  if (values.length > columns.length) values.length = columns.length
  return marks.length > 0 ? { row: number, values, marks } : { row: number, values }
}

function errorsOf(row: SourceRow, columns: string[], isStorable: boolean, { dialect, usual, isCertain }: Checks) {
  const errors: string[] = []
  if (!isStorable) {
    const names = row.values.flatMap((value, at) => (isReadable(value) ? [] : [columns[at] ?? 'A value']))
    errors.push(...names.map((name) => `${name} contains invalid characters`))
  }
  if (!isCertain && row.values.some((value) => value.includes('\ufffd'))) {
    errors.push('This row has characters that the chosen encoding does not have')
  }
  const width = dialect.format === 'csv' ? widthError(row, columns, dialect, usual) : undefined
  return width === undefined ? errors : [...errors, width]
}

/**
 * Where most rows have the same number of values, another number is a mistake: nothing shows which value is missing or
 * surplus. Elsewhere programs leave out separators at the end of a row; more values, or other separators, are a mistake.
 */
function widthError(
  { values, width = values.length, beyond }: SourceRow,
  columns: string[],
  dialect: CsvDialect,
  usual: number | undefined,
): string | undefined {
  const isTooLong = beyond || !isBlank(values.slice(columns.length))
  const isOther =
    width < columns.length &&
    importSeparators.some(
      (other) => other !== dialect.separator && values.join(dialect.separator).split(other).length >= columns.length,
    )
  const isUnusual = usual !== undefined && width !== usual
  if (!isTooLong && !isOther && !isUnusual) return undefined
  const have = width === 1 ? '1 value' : `${width.toLocaleString('en')} values`
  return usual === undefined || usual === columns.length
    ? `This row has ${have}, but the file has ${columns.length} columns`
    : `This row has ${have}, but most rows have ${usual}`
}
