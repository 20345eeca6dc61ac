import { importSeparators } from '#contract/import-file.ts'
import { isNoName } from '#server/import/read/cells/names.ts'
import type { FileRow } from './row.ts'

// Marks the two halves of a row whose line is broken inside a value without quotation marks.

/** A row after its checks, and its number of values before them. */
export type CheckedRow = { row: FileRow; width: number }

/** `usual`: the number of values that most rows have. */
export function markHalves(first: CheckedRow, second: CheckedRow, columns: number, usual: number | undefined): void {
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
