import type { CsvDialect } from '#contract/import-file.ts'
import {
  type Buffered,
  blankLineEnd,
  lineEnd,
  nextLine,
  type ParsedRow,
  parseRow,
  type RowFormat,
  type UnclosedRow,
} from './parse-row.ts'
import { type FileRow, isBlank, ROW_LENGTH_MAX, TOO_LONG } from './row.ts'
import { areRows, LOOK_AHEAD, nextMark } from './stray-marks.ts'

type Separator = CsvDialect['separator']

/**
 * `width` is the number of values, of which `values` has no more than an import may have columns. `beyond` is the number
 * of values up to the last one that is not blank and has no place there. `isOdd`: a quotation mark closes before other text.
 */
export type CsvRow = FileRow & { width: number; beyond: number; isOdd?: boolean }

const NOT_CLOSED = 'A quotation mark in this row is never closed'
const TOO_LONG_OR_NOT_CLOSED = `${TOO_LONG}, or a quotation mark in it is never closed`
const ENDS_EARLY = 'A quotation mark may end this row too early'
const IS_SPLIT = 'Quotation marks in this row stand inside values, with a separator between them'
const TAKES_ROWS = 'A quotation mark in this row takes in lines that look like rows of their own'
const mayBelongTo = (row: number) => `This may be a part of row ${row}, which has a quotation mark too many or too few`

/** The line by which a file declares its separator to spreadsheets, which do not show it as a row. */
export const DECLARED = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i

/**
 * The rows of a CSV text from a row on, without blank ones. Rows are counted as a spreadsheet counts them: with blank ones,
 * and each once, however many lines it has. `usual` is the number of values that most rows have. Line breaks of all kinds
 * may be mixed. A row that is too long, or has a quotation mark that is never closed, is an error, and reading continues
 * with the next line.
 */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  separator: Separator,
  fromRow = 1,
  usual?: number,
): AsyncGenerator<CsvRow> {
  const rows = createRowReader(separator, fromRow, usual)
  for await (const piece of pieces) yield* rows.read(piece, false)
  yield* rows.read('', true)
}

/** The rows of a text that is in memory. The last one may be cut off. */
export const csvSample = (text: string, separator: Separator, fromRow = 1): CsvRow[] => [
  ...createRowReader(separator, fromRow).read(text, true),
]

function createRowReader(separator: Separator, fromRow: number, usual?: number) {
  const buffered: Buffered = { text: '', isLast: false, searchedTo: 0 }
  const format: RowFormat = { separator, expected: undefined }
  let waiting: string[] = []
  /** The characters that are missing before the next row is parsed. */
  let missing = 0
  let hasBegun = false
  let number = 1
  /** Skips the rest of a line. */
  let isSkipping = false
  /** Rows that begin here may be a part of `row`. */
  let doubt = { row: 0, from: 0, to: 0 }

  function* read(piece: string, isLast: boolean): Generator<CsvRow> {
    waiting.push(piece)
    missing -= piece.length
    if (missing > 0 && !isLast) return
    buffered.text += waiting.join('')
    buffered.isLast = isLast
    waiting = []
    const { text } = buffered
    let at = hasBegun ? 0 : (DECLARED.exec(text)?.[0].length ?? 0)
    hasBegun ||= text !== ''
    while (at < text.length) {
      if (isSkipping) {
        const next = lineEnd(text, at, isLast)
        if (next === undefined) {
          // A carriage return may be the first half of a line break.
          at = text.endsWith('\r') ? text.length - 1 : text.length
          break
        }
        isSkipping = false
        number += 1
        at = next
        continue
      }
      const afterBlank = blankLineEnd(buffered, at)
      if (afterBlank !== undefined) {
        number += 1
        at = afterBlank
        continue
      }
      const isAbove = number < fromRow
      const found = parseRow(buffered, at, format)
      if (found && 'unclosed' in found) {
        if (!isAbove) yield withDoubt(unclosedRow(found), at)
        searchedInVain(found.unclosed, found.until)
        at = found.unclosed
        isSkipping = true
      } else if ((found?.next ?? text.length) - at > ROW_LENGTH_MAX) {
        if (!isAbove)
          yield withDoubt({ row: number, values: [], width: 0, beyond: 0, error: TOO_LONG_OR_NOT_CLOSED }, at)
        searchedInVain(at, found?.next ?? text.length)
        isSkipping = true
      } else if (found && (!(found.isOdd || found.endsQuoted) || canLookAhead(found.next))) {
        if (!isAbove && (found.beyond > 0 || !isBlank(found.values))) yield withDoubt(checkedRow(found), at)
        number += 1
        at = found.next
      } else {
        // The row is parsed again once the text has doubled, so that the time grows with the bytes alone.
        missing = Math.min(text.length - at, ROW_LENGTH_MAX + 1 - (text.length - at))
        break
      }
    }
    buffered.text = text.slice(at)
    buffered.searchedTo -= at
    doubt.from -= at
    doubt.to -= at
  }

  function unclosedRow({ values, unclosed }: UnclosedRow): CsvRow {
    const { text } = buffered
    const rest = text.slice(unclosed, nextLine(text, unclosed))
    return { row: number, values: [...values, rest.trimEnd()], width: values.length + 1, beyond: 0, error: NOT_CLOSED }
  }

  function checkedRow(found: ParsedRow): CsvRow {
    const { values, width, beyond, next, isOdd, isSplit, endsQuoted, takesRows } = found
    format.expected ??= usual ?? width
    const row = { row: number, values, width, beyond }
    const marks = takesRows ? [TAKES_ROWS] : []
    const end = isOdd || endsQuoted ? strayEnd(next) : undefined
    if (end !== undefined) {
      flagRows(next, end)
      if (!isOdd) marks.push(ENDS_EARLY)
    }
    if (isSplit) marks.push(IS_SPLIT)
    if (!isOdd && marks.length === 0) return row
    return { ...row, marks, isOdd }
  }

  const canLookAhead = (at: number) =>
    buffered.isLast || buffered.text.length - at > LOOK_AHEAD || nextMark(buffered.text, at, separator) !== undefined

  /** The quotation mark behind a row that closes a value without having opened one, unless rows lie between. */
  function strayEnd(from: number): number | undefined {
    const mark = nextMark(buffered.text, from, separator)
    const isStray = mark?.isClosing && !areRows(buffered.text, from, mark.at, format)
    return isStray ? mark.at : undefined
  }

  /** No row ends between a quotation mark and the end of the search for its other one. */
  function searchedInVain(mark: number, to: number) {
    buffered.searchedTo = Math.max(buffered.searchedTo, to)
    const next = nextLine(buffered.text, mark)
    if (number >= fromRow && !areRows(buffered.text, next, to, format)) flagRows(next, to + 1)
  }

  function flagRows(from: number, to: number) {
    if (doubt.to > from) doubt.to = Math.max(doubt.to, to)
    else doubt = { row: number, from, to }
  }

  function withDoubt(row: CsvRow, at: number): CsvRow {
    if (at < doubt.from || at >= doubt.to) return row
    return { ...row, marks: [...(row.marks ?? []), mayBelongTo(doubt.row)] }
  }

  return { read }
}
