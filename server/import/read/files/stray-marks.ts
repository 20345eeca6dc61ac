import type { CsvDialect } from '#contract/import-file.ts'
import { nextLine, type RowFormat } from './parse-row.ts'

// Quotation marks that are out of place, and the lines between them.

/** The distance at which a quotation mark is looked for that explains one out of place. */
export const LOOK_AHEAD = 10_000

/** `isClosing`: it stands behind text, and before a separator or a line break. */
type Mark = { at: number; isClosing: boolean }

/** The first quotation mark from a line on that opens a value, or is not doubled. */
export function nextMark(text: string, from: number, separator: CsvDialect['separator']): Mark | undefined {
  const isEdge = (at: number) => at < from || at >= text.length || [separator, '\r', '\n'].includes(text[at] ?? '')
  for (let at = text.indexOf('"', from); at !== -1 && at - from <= LOOK_AHEAD; ) {
    let before = at - 1
    while (before >= from && text[before] === ' ') before -= 1
    if (isEdge(before)) return { at, isClosing: false }
    let end = at + 1
    while (text[end] === '"') end += 1
    if ((end - at) % 2 === 1) return { at, isClosing: isEdge(end) }
    at = text.indexOf('"', end)
  }
  return undefined
}

/** Lines that fit as rows: more are no value that a quotation mark has cut. */
const ENOUGH = 5
const AT_MOST = 20

/** Whether the lines of a part of the text, which begins with a line, are certainly rows. */
export function areRows(text: string, from: number, to: number, { separator, expected }: RowFormat): boolean {
  if (expected === undefined || expected < 2) return false
  let lines = 0
  let fit = 0
  for (let at = from; at < to && lines < AT_MOST; ) {
    const next = nextLine(text, at)
    const line = text.slice(at, next)
    at = next
    if (line.trim() === '') continue
    lines += 1
    if (line.split(separator).length === expected) fit += 1
  }
  return lines >= ENOUGH && fit >= 0.9 * lines
}
