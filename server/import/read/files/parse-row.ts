import { IMPORT_COLUMNS_MAX } from '#contract/import.ts'
import type { CsvDialect } from '#contract/import-file.ts'

type Separator = CsvDialect['separator']

/** How the rows of a file are parsed. */
export type RowFormat = {
  separator: Separator
  /** The number of values that rows should have, once the header is known. */
  expected: number | undefined
}

/** The text that is in memory. */
export type Buffered = {
  text: string
  /** Whether the file ends where the text ends. */
  isLast: boolean
  /** A quotation mark before this index closes in its own line: a search beyond it has failed. */
  searchedTo: number
}

export type ParsedRow = {
  /** At most as many as an import may have columns. */
  values: string[]
  /** The number of values. */
  width: number
  /** The number of values up to the last one that is not blank and has no place in `values`; 0 if there is none. */
  beyond: number
  next: number
  /** A quotation mark closes before other text. */
  isOdd: boolean
  /** Two values without quotation marks around them have one inside: they may be one value with a separator. */
  isSplit: boolean
  /** The line ends with a quoted value. */
  endsQuoted: boolean
  /** A quoted value contains lines that fit as rows of their own. */
  takesRows: boolean
}

/** `unclosed` is where the quotation mark is, `until` how far it may reach. */
export type UnclosedRow = { values: string[]; unclosed: number; until: number }

type Span = { opening: number; closing: number; before: number }

/** The row that begins at `at`, or undefined if the text ends before it does. */
export function parseRow(buffered: Buffered, at: number, format: RowFormat): ParsedRow | UnclosedRow | undefined {
  const { text, isLast, searchedTo } = buffered
  const { separator, expected } = format
  const values: string[] = []
  const spans: Span[] = []
  let width = 0
  let beyond = 0
  let isOdd = false
  let strays = 0
  for (;;) {
    let value = ''
    let closing: number | undefined
    const opening = openingQuote(text, at)
    if (opening !== undefined) {
      closing = closingQuote(text, opening, isLast)
      if (closing === undefined) return isLast ? { values, unclosed: opening, until: text.length } : undefined
      value = text.slice(opening + 1, closing)
      if (value.includes('"')) value = value.replaceAll('""', '"')
      at = closing + 1
    }
    const end = valueEnd(text, at, separator)
    if (end === text.length && !isLast) return undefined
    if (opening === undefined || closing === undefined) {
      value = text.slice(at, end)
      if (value.includes('"') && value.split('"').length % 2 === 0) strays += 1
    } else {
      const tail = text.slice(at, end)
      const hasBreak = /[\r\n]/.test(value)
      // Text behind the closing quotation mark belongs to the value, except after a line break: then the mark most
      // likely opens a value of a later row.
      const isTail = tail.trim() !== ''
      if (hasBreak && (isTail || opening < searchedTo)) return { values, unclosed: opening, until: closing }
      if (hasBreak) spans.push({ opening, closing, before: width })
      if (isTail) {
        isOdd = true
        value += tail
      }
    }
    width += 1
    if (values.length < IMPORT_COLUMNS_MAX) values.push(value)
    else if (value.trim() !== '') beyond = width
    if (text[end] !== separator) {
      const next = lineEnd(text, end, isLast)
      if (next === undefined) return undefined
      const suspect = spans.find((span) => fitsAsRows(text, span, width, format))
      if (suspect && width !== expected) {
        return {
          values: values.slice(0, suspect.before),
          unclosed: suspect.opening,
          until: suspect.closing,
        }
      }
      return {
        ...{ values, width, beyond, next, isOdd },
        isSplit: strays > 1,
        endsQuoted: closing !== undefined,
        takesRows: suspect !== undefined,
      }
    }
    at = end + 1
  }
}

/** Whether the lines that a quoted value takes in would mostly be rows of their own without the quotation marks. */
function fitsAsRows(text: string, span: Span, width: number, { separator, expected }: RowFormat): boolean {
  if (expected === undefined || expected < 2) return false
  const lines = text.slice(span.opening + 1, span.closing).split(LINE_BREAK)
  const widths = lines.map((line) => line.split(separator).length)
  const last = widths.length - 1
  const first = span.before + (widths[0] ?? 0)
  widths[last] = (widths[last] ?? 0) + width - span.before - 1
  const others = widths.filter((_, at) => at > 0 && (at === last || lines[at]?.trim() !== ''))
  return first === expected && others.filter((one) => one === expected).length > others.length / 2
}

/** A value may have spaces before its quotation mark. */
function openingQuote(text: string, at: number): number | undefined {
  while (text[at] === ' ') at += 1
  return text[at] === '"' ? at : undefined
}

function closingQuote(text: string, opening: number, isLast: boolean): number | undefined {
  for (let at = opening + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1 || (at === text.length - 1 && !isLast)) return undefined
    if (text[at + 1] !== '"') return at
  }
}

const ENDS: Record<Separator, RegExp> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g, '|': /[|\r\n]/g }

const BREAKS = /[\r\n]/g

const valueEnd = (text: string, at: number, separator: Separator) => indexOf(ENDS[separator], text, at)

/** The start of the next line; undefined when the text may end in the middle of a line break. */
export function lineEnd(text: string, at: number, isLast: boolean): number | undefined {
  const end = indexOf(BREAKS, text, at)
  if (end >= text.length - 1 && !isLast && text[end] !== '\n') return undefined
  return nextLine(text, end)
}

/** The start of the next line, or the end of the text. */
export function nextLine(text: string, at: number): number {
  const end = indexOf(BREAKS, text, at)
  return Math.min(text.length, text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1)
}

/** The start of the next line if this one is empty, and certain to end here. */
export function blankLineEnd({ text, isLast }: Buffered, at: number): number | undefined {
  if (text[at] === '\n') return at + 1
  if (text[at] !== '\r' || (at === text.length - 1 && !isLast)) return undefined
  return text[at + 1] === '\n' ? at + 2 : at + 1
}

const LINE_BREAK = /\r\n|\r|\n/

/** The index of the first match at or after `at`, else the length of the text. */
function indexOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length
}
