import type { CsvDialect } from '#contract/import.ts'
import { type FileRow, ROW_LENGTH_MAX, TOO_LONG } from './row.ts'

type Separator = CsvDialect['separator']

const NOT_CLOSED = 'A quotation mark in this row is never closed'

/**
 * The rows of a CSV text from a line on, empty ones included. Line breaks of all kinds may be mixed. A row that is too
 * long, or has a quotation mark that is never closed, is an error, and reading continues with the next line.
 */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  separator: Separator,
  fromLine = 1,
): AsyncGenerator<FileRow> {
  const rows = createRowReader(separator, fromLine)
  for await (const piece of pieces) yield* rows.read(piece, false)
  yield* rows.read('', true)
}

/** The rows of a text that is in memory. The last one may be cut off. */
export const csvSample = (text: string, separator: Separator): FileRow[] => [
  ...createRowReader(separator, 1).read(text, true),
]

function createRowReader(separator: Separator, fromLine: number) {
  let text = ''
  let line = 1
  /** Skips the rest of a line. */
  let isSkipping = false

  function* read(piece: string, isLast: boolean): Generator<FileRow> {
    text += piece
    let at = 0
    while (at < text.length) {
      if (isSkipping || line < fromLine) {
        const next = lineEnd(text, at, isLast)
        if (next === undefined) {
          // A carriage return may be the first half of a line break.
          at = text.endsWith('\r') ? text.length - 1 : text.length
          break
        }
        isSkipping = false
        line += 1
        at = next
        continue
      }
      const found = parseRow(text, at, separator, isLast)
      if (found === undefined) {
        if (text.length - at <= ROW_LENGTH_MAX) break
        yield { row: line, values: [], error: `${TOO_LONG}, or a quotation mark in it is never closed` }
        isSkipping = true
      } else if ('unclosed' in found) {
        yield { row: line, values: found.values, error: NOT_CLOSED }
        line += found.breaks
        at = found.unclosed
        isSkipping = true
      } else {
        yield found.next - at > ROW_LENGTH_MAX
          ? { row: line, values: [], error: TOO_LONG }
          : { row: line, values: found.values }
        line += found.breaks
        at = found.next
      }
    }
    text = text.slice(at)
  }

  return { read }
}

type Row = { values: string[]; next: number; breaks: number }
/** `unclosed` is where the quotation mark is, `breaks` the number of line breaks before it. */
type BrokenRow = { values: string[]; unclosed: number; breaks: number }

/** The row that begins at `at`, or undefined if the text ends before it does. */
function parseRow(text: string, at: number, separator: Separator, isLast: boolean): Row | BrokenRow | undefined {
  const values: string[] = []
  let breaks = 0
  for (;;) {
    let value = ''
    if (text[at] === '"') {
      const closing = closingQuote(text, at, isLast)
      if (closing === undefined) return isLast ? { values, unclosed: at, breaks } : undefined
      value = text.slice(at + 1, closing).replaceAll('""', '"')
      const inside = countBreaks(value)
      // Text behind the closing quotation mark belongs to the value, except after a line break: then the mark most
      // likely opens a value of a later row.
      if (inside > 0 && closing + 1 < text.length && !isEnd(text, closing + 1, separator)) {
        return { values, unclosed: at, breaks }
      }
      breaks += inside
      at = closing + 1
    }
    const end = valueEnd(text, at, separator)
    if (end === text.length && !isLast) return undefined
    values.push(value + text.slice(at, end))
    if (text[end] !== separator) {
      const next = lineEnd(text, end, isLast)
      return next === undefined ? undefined : { values, next, breaks: breaks + 1 }
    }
    at = end + 1
  }
}

function closingQuote(text: string, opening: number, isLast: boolean): number | undefined {
  for (let at = opening + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1 || (at === text.length - 1 && !isLast)) return undefined
    if (text[at + 1] !== '"') return at
  }
}

const isEnd = (text: string, at: number, separator: Separator) =>
  text[at] === separator || text[at] === '\r' || text[at] === '\n'

const ENDS: Record<Separator, RegExp> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g, '|': /[|\r\n]/g }

const valueEnd = (text: string, at: number, separator: Separator) => indexOf(ENDS[separator], text, at)

/** The start of the next line; undefined when the text may end in the middle of a line break. */
function lineEnd(text: string, at: number, isLast: boolean): number | undefined {
  const end = indexOf(/[\r\n]/g, text, at)
  if (end >= text.length - 1 && !isLast && text[end] !== '\n') return undefined
  return Math.min(text.length, text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1)
}

const countBreaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

/** The index of the first match at or after `at`, else the length of the text. */
function indexOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length
}
