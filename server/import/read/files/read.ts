import { IMPORT_ROWS_MAX } from '#contract/import.ts'
import { type CsvDialect, type Dialect, importSeparators } from '#contract/import-file.ts'
import { isReadable } from '#contract/plain-text.ts'
import { isNoName } from '#server/import/read/cells/names.ts'
import { isOwnExport } from '#server/import/read/columns/mapping.ts'
import {
  hasHeader,
  namedColumns,
  nameOfColumn,
  numberedColumns,
  type SourceRow,
  withoutApostrophe,
  withoutEntities,
} from './columns.ts'
import { csvSample, readCsv } from './csv.ts'
import { JSONL_COLUMNS, readJsonl } from './jsonl.ts'
import { type FileRow, isBlank, storable } from './row.ts'
import { isWellEncoded, readText, textSample } from './text.ts'
import { mended } from './twice.ts'
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

/** The rows that show how many columns there are. */
const FIRST_ROWS = 100

/** Reads up to the header, and a few rows more. Throws `UnreadableFile` if there is none. */
export async function openTable(file: Buffer, dialect: Dialect): Promise<Table> {
  const usual = dialect.format === 'csv' ? usualWidth(file, dialect) : undefined
  const source = readSource(file, dialect, usual)
  const isNamed = hasHeader(dialect)
  const header = isNamed ? (await source.next()).value : undefined
  const first: SourceRow[] = []
  while (dialect.format !== 'jsonl' && first.length < FIRST_ROWS) {
    const { value, done } = await source.next()
    if (done) break
    first.push(value)
  }
  const columns = isNamed ? namedColumns(header, first, dialect) : numberedColumns(first, usual)
  async function* rows() {
    yield* first
    yield* source
  }
  return { columns, rows: checkedRows(rows(), columns, { dialect, usual, isCertain: isCertain(file, dialect) }) }
}

/** The header, if there is one, then all rows below it. */
async function* readSource(file: Buffer, dialect: Dialect, usual: number | undefined): AsyncGenerator<SourceRow> {
  if (dialect.format === 'csv') {
    const { encoding, separator, headerRow } = dialect
    yield* readCsv(readText(file, encoding), separator, headerRow, usual)
  } else if (dialect.format === 'xlsx') {
    const isTwice = dialect.encoding === 'utf-8-twice'
    for await (const row of readXlsx(file, dialect)) yield isTwice ? { ...row, values: row.values.map(mended) } : row
  } else {
    yield { row: 0, values: JSONL_COLUMNS }
    yield* readJsonl(file)
  }
}

/** Enough to see how many values the rows of a file have. */
const SAMPLE_BYTES = 1_000_000

/** The number of values that most rows have, if it is that of the header, or larger. */
function usualWidth(file: Buffer, dialect: CsvDialect): number | undefined {
  const { encoding, separator, headerRow } = dialect
  const sample = csvSample(textSample(file, encoding, SAMPLE_BYTES), separator, headerRow)
  // The sample may have cut the last row.
  const whole = file.length > SAMPLE_BYTES ? sample.slice(0, -1) : sample
  const rows = hasHeader(dialect) ? whole.slice(1) : whole
  const least = hasHeader(dialect) ? whole[0]?.width : 1
  const widths = rows.filter((row) => row.error === undefined).map(({ width }) => width)
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  const [usual = 0, count = 0] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])
  return least !== undefined && usual >= least && count > widths.length / 2 ? usual : undefined
}

/** False when a U+FFFD shows that the encoding is another one. */
const isCertain = (file: Buffer, dialect: Dialect) =>
  dialect.format === 'xlsx' || isWellEncoded(file, dialect.format === 'csv' ? dialect.encoding : 'utf-8')

type Checks = { dialect: Dialect; usual: number | undefined; isCertain: boolean }

async function* checkedRows(source: AsyncGenerator<SourceRow>, columns: string[], checks: Checks) {
  const isCsv = checks.dialect.format === 'csv'
  const isOwn = checks.dialect.format === 'jsonl' || isOwnExport(columns)
  let before: CheckedRow | undefined
  for await (const row of source) {
    if (isBlank(row.values) && !row.beyond && row.error === undefined) continue
    if (isCsv) row.values = row.values.map(withoutApostrophe)
    if (!isOwn) row.values = row.values.map(withoutEntities)
    // Some programs repeat the header.
    if (isCsv && columns.length > 1 && columns.every((column, at) => nameOfColumn(row.values[at] ?? '') === column))
      continue
    // A row that cannot be read has no number of values.
    const width = isCsv && row.error === undefined ? (row.width ?? 0) : 0
    const checked = { row: checkedRow(row, columns, checks), width }
    if (before !== undefined) {
      markHalves(before, checked, columns.length, checks.usual)
      yield before.row
    }
    before = checked
  }
  if (before !== undefined) yield before.row
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
  const width = widthError(row, columns, dialect, usual)
  return width === undefined ? errors : [...errors, width]
}

/**
 * Where most rows have the same number of values, another number is a mistake: nothing shows which value is missing or
 * surplus. Elsewhere programs leave out separators at the end of a row; more values, or other separators, are a mistake.
 */
function widthError(
  { values, width = values.length, beyond }: SourceRow,
  columns: string[],
  dialect: Dialect,
  usual: number | undefined,
): string | undefined {
  const isTooLong = beyond || !isBlank(values.slice(columns.length))
  const isOther =
    dialect.format === 'csv' &&
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

/** A row after its checks, and its number of values before them. */
type CheckedRow = { row: FileRow; width: number }

/**
 * Marks the two halves of a row whose line is broken inside a value without quotation marks. `usual`: the number of values
 * that most rows have.
 */
function markHalves(first: CheckedRow, second: CheckedRow, columns: number, usual: number | undefined): void {
  const expected = usual ?? columns
  if (expected < 2 || first.width + second.width - 1 !== expected) return
  const lone = [second, first].find(({ width }) => width === 1)?.row.values[0]
  // Where programs leave out separators, a row with a name alone is complete.
  if (usual === undefined && !(second.width === 1 && /^\s*\p{Ll}/u.test(lone ?? ''))) return
  if (lone !== undefined && (isNoName(lone.trim()) || isOtherRow(lone, expected))) return
  say(first.row, `The line of this row may be broken, and row ${second.row.row} may be its rest`)
  say(second.row, `This may be the rest of row ${first.row.row}, whose line may be broken`)
}

/** It has another separator. */
const isOtherRow = (line: string, expected: number) =>
  importSeparators.some((separator) => line.split(separator).length >= expected)

function say(row: FileRow, sentence: string): void {
  if (row.error === undefined) row.marks = [...(row.marks ?? []), sentence]
  else row.error += `. ${sentence}`
}
