import { IMPORT_ROWS_MAX } from '#contract/import.ts'
import type { Dialect, Inspection } from '#contract/import-file.ts'
import { guessDialect } from './guess.ts'
import { openTable } from './read.ts'
import { encodingSample, sampleOf } from './text.ts'
import { mended } from './twice.ts'

/** The number of different values of a column that help a person to recognise it. */
const SAMPLES = 3

/** A file as it is read: its dialect, the names of its columns in order, and what one pass over it has shown. */
export type InspectedFile = { dialect: Dialect; columns: string[]; inspection: Inspection }

/**
 * Reads the whole file once, up to the first row that is too many. Guesses the dialect unless it is given. Throws
 * `UnreadableFile` if the columns cannot be read. A file without rows has the count 0.
 */
export async function inspectFile(file: Buffer, given?: Dialect): Promise<InspectedFile> {
  const { dialect, isCertain } = given ? { dialect: given, isCertain: true } : await guessDialect(file)
  if (dialect.format !== 'xlsx') {
    const sample = dialect.format === 'csv' ? encodingSample(file, dialect.encoding) : undefined
    return (await readThrough(file, dialect, { isCertain, ...(sample !== undefined && { encodingSample: sample }) }))
      .file
  }
  // A workbook shows the text of its cells only while it is read.
  const plain = await readThrough(file, { ...dialect, encoding: 'utf-8' }, { isCertain })
  if (plain.twice === undefined) return { ...plain.file, dialect }
  const { encoding = 'utf-8-twice' } = dialect
  const known = { isCertain, encodingSample: sampleOf(plain.twice, encoding) }
  return (await readThrough(file, { ...dialect, encoding }, known)).file
}

/** Reads a whole file. `twice` is its first line with text that was encoded twice. */
async function readThrough(
  file: Buffer,
  dialect: Dialect,
  known: Pick<Inspection, 'isCertain' | 'encodingSample'>,
): Promise<{ file: InspectedFile; twice: string | undefined }> {
  const { columns, rows: table } = await openTable(file, dialect)
  const isTwice = (text: string) => dialect.format === 'xlsx' && mended(text) !== text
  let twice = columns.some(isTwice) ? columns.join() : undefined
  const inspected = columns.map(inspectedColumn)
  let rows = 0
  for await (const { values, error } of table) {
    rows += 1
    if (twice === undefined && values.some(isTwice)) twice = values.join()
    if (error === undefined) for (const [at, column] of inspected.entries()) addValue(column, values[at] ?? '')
    if (rows > IMPORT_ROWS_MAX) break
  }
  const inspection = {
    samples: inspected.map(({ samples }) => samples),
    rows,
    constant: rows < 2 ? [] : inspected.flatMap(({ isConstant }, at) => (isConstant ? [at] : [])),
    dates: Object.fromEntries(inspected.flatMap(({ dates }, at) => (dates ? [[at, orderOf(dates)]] : []))),
    ...known,
  }
  return { file: { dialect, columns, inspection }, twice }
}

/** The evidence of a column with dates such as 03/04/2026. */
type Dates = { example: string; ambiguous?: string; isDayFirst: boolean; isMonthFirst: boolean }

type Column = { samples: string[]; first?: string; isConstant: boolean; dates?: Dates }

const inspectedColumn = (): Column => ({ samples: [], isConstant: true })

function addValue(column: Column, value: string) {
  column.first ??= value
  if (value !== column.first) column.isConstant = false
  if (value.length <= 30) addDate(column, value.trim())
  const { samples } = column
  if (samples.length < SAMPLES && value.trim() !== '' && !samples.includes(value)) samples.push(value)
}

/** A day and a month by number, in either order, and a year; with a time or without. */
const DATE = /^(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})(?:,?\s+\d{1,2}:\d{2}.*)?$/

function addDate(column: Column, value: string) {
  const [, one, , other] = /^\d/.test(value) ? (DATE.exec(value) ?? []) : []
  if (one === undefined || other === undefined) return
  const [first, second] = [Number(one), Number(other)]
  if (Math.min(first, second) < 1 || Math.max(first, second) > 31 || Math.min(first, second) > 12) return
  column.dates ??= { example: value, isDayFirst: false, isMonthFirst: false }
  if (first > 12) column.dates.isDayFirst = true
  else if (second > 12) column.dates.isMonthFirst = true
  else if (first !== second) column.dates.ambiguous ??= value
}

/** The order that the values prove. Where they contradict each other, and can be read in two ways, it is open. */
function orderOf({ example, ambiguous, isDayFirst, isMonthFirst }: Dates): Inspection['dates'][string] {
  const isOpen = isDayFirst === isMonthFirst && (ambiguous !== undefined || !isDayFirst)
  const order = isOpen ? 'either' : isDayFirst ? 'day-first' : 'month-first'
  return { order, example: ambiguous ?? example }
}
