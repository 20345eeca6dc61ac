import { NOTES_MAX, NOTES_PREVIEWED } from '#contract/limits.ts'
import type { MergeInput } from '#contract/merge.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { newestFirst } from '#web/records/newest-first.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { infoOf, isEmpty, ownOf, type Values, valueIn } from '#web/records/record-values.ts'

// The values of two records, their differences, and the merged record. The server merges by the same rules.

/** Two records: the one found first, and the other one. */
export type Both = { first: RecordRow; second: RecordRow }
export type Side = keyof Both
/** The side with the kept value, by field. Only notes can keep both. */
export type Choices = Record<string, Side | 'both'>

export const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first')

export function bothInOrder(one: RecordRow, other: RecordRow): Both {
  const [second, first] = [one, other].sort(newestFirst) as [RecordRow, RecordRow]
  return { first, second }
}

const bothNotes = (...records: RecordRow[]) =>
  [...new Set(records.map(({ notes }) => notes).filter((notes) => notes !== ''))].join('\n\n')

export const fitTogether = ({ first, second }: Both) => lengthOf(bothNotes(first, second)) <= NOTES_MAX

/** Only a fellow who may edit both chooses. For all others, the rule of merges does. */
export const canChoose = ({ first, second }: Both) => first.can.edit && second.can.edit

/** Text in which a longer value says more. Addresses are not, nor are numbers. */
const PROSE = ['name', 'description', 'bio', 'current_title', 'current_company', 'industry', 'headquarters']

/** The values that the form proposes: the fuller text, else that of the record found first, and both notes if they fit. */
export const proposedChoices = (both: Both, fields: string[]): Choices =>
  Object.fromEntries(
    fields.map((field) => {
      if (field === 'notes' && fitTogether(both)) return [field, 'both']
      const [first, second] = [both.first, both.second].map((record) => lengthOf(valueIn(record, field)))
      const isFuller = PROSE.includes(field) && (second ?? 0) > (first ?? 0)
      return [field, isFuller ? 'second' : 'first']
    }),
  )

/** The merged record. It has the creator and the date of the one found first. */
export function mergedRecord(both: Both, survivor: Side, choices: Choices): RecordRow {
  const [kept, other] = [both[survivor], both[otherSide(survivor)]]
  const mergedOf = (partOf: (record: RecordRow) => Values): Values => {
    const [ours, theirs] = [partOf(kept), partOf(other)]
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
    const isTheirs = (name: string) =>
      choices[name] === undefined || choices[name] === 'both' ? isEmpty(ours[name]) : choices[name] !== survivor
    return Object.fromEntries([...names].map((name) => [name, (isTheirs(name) ? theirs : ours)[name]]))
  }
  const own = mergedOf(ownOf)
  const merged = {
    ...kept,
    ...own,
    rating: own.rating ?? kept.rating,
    isRated: own.rating !== null,
    additionalInfo: JSON.stringify(mergedOf(infoOf)),
    enrichment: { ...kept.enrichment, sources: mergedOf(({ enrichment }) => enrichment.sources) },
    createdBy: both.first.createdBy,
    createdAt: both.first.createdAt,
    notesCount: kept.notesCount + other.notesCount,
    notesPreview: [...kept.notesPreview, ...other.notesPreview].sort(newestFirst).slice(0, NOTES_PREVIEWED),
  } as RecordRow
  return choices.notes === 'both' ? { ...merged, notes: bothNotes(kept, other) } : merged
}

/** The choices in the format of the call. */
export const choicesOnWire = (choices: Choices, survivor: Side): MergeInput['choices'] =>
  Object.fromEntries(
    Object.entries(choices).map(([field, side]) => {
      if (side === 'both') return [field, side]
      return [field, side === survivor ? 'survivor' : 'duplicate']
    }),
  ) as MergeInput['choices']
