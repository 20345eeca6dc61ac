import type { Fault } from '#contract/import.ts'
import { NOTES_MAX } from '#contract/limits.ts'
import { lengthOf } from '#contract/plain-text.ts'

// Values of columns that fill no field, and values that a field cannot hold. A record that an import creates has them as
// `Header: value` lines below its notes.

/** A line below the notes, with the name of its column. */
export type NoteLine = { column: string; text: string }

export const noteLine = (column: string, value: string): NoteLine => ({ column, text: `${column}: ${value}` })

/** Between the notes and the lines. */
const BETWEEN = '\n'

/** The notes of a new record: those of the row and as many lines as fit. The others are faults. */
export function notesWithLines(notes: string, lines: NoteLine[]): { notes: string; faults: Fault[] } {
  const faults: Fault[] = []
  let whole = notes
  let length = lengthOf(notes)
  for (const { column, text } of lines) {
    const before = whole === '' ? '' : BETWEEN
    const added = before.length + lengthOf(text)
    if (length + added > NOTES_MAX) {
      faults.push({
        column,
        sentence: `Left out, because notes have at most ${NOTES_MAX.toLocaleString('en')} characters`,
      })
      continue
    }
    whole += before + text
    length += added
  }
  return { notes: whole, faults }
}

/** The lines of an earlier import below the notes of a record, from the first one on; '' without lines. */
function linesBelow(notes: string, columns: string[]): string {
  const starts = columns.flatMap((column) => {
    const start = `${column}: `
    const below = notes.indexOf(BETWEEN + start)
    return notes.startsWith(start) ? [0] : below === -1 ? [] : [below + BETWEEN.length]
  })
  return starts.length === 0 ? '' : notes.slice(Math.min(...starts))
}

/** Whether notes are these, apart from lines of an import below them. */
export const areNotes = (notes: string, given: string, columns: string[]): boolean =>
  notes === given || columns.some((column) => notes.startsWith(`${given}${BETWEEN}${column}: `))

/** Other notes above the lines of an earlier import. Undefined if they do not fit, so that no line is lost. */
export function notesAbove(given: string, notes: string, columns: string[]): string | undefined {
  const below = linesBelow(notes, columns)
  const whole = below === '' ? given : `${given}${BETWEEN}${below}`
  return lengthOf(whole) <= NOTES_MAX ? whole : undefined
}
