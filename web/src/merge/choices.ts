import { NOTES_MAX, NOTES_PREVIEWED } from '#contract/limits.ts'
import type { MergeInput } from '#contract/merge.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { newestFirst } from '#web/records/newest-first.ts'
import type { FieldLabels } from '#web/records/provenance-words.ts'
import type { RecordRow } from '#web/records/record-row.ts'

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

/** The fields of a record itself. All others are public data. */
const OWN = ['name', 'linkedIn', 'website', 'description', 'rating', 'notes']

type Values = Record<string, unknown>

const ownOf = (record: RecordRow): Values => {
  const values: Values = { ...record, rating: record.isRated ? record.rating : null }
  return Object.fromEntries(OWN.filter((field) => field in values).map((field) => [field, values[field]]))
}

const infoOf = ({ additionalInfo }: RecordRow): Values => {
  try {
    return { ...JSON.parse(additionalInfo ?? '{}') }
  } catch {
    return {}
  }
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** A value as text; of an object, such as a headquarters, the first part that is text. */
const textOf = (value: unknown): string => {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).find((part) => typeof part === 'string') ?? ''
  return isEmpty(value) ? '' : String(value)
}

/** The displayed value of a field: typed text, else public data. */
export const valueIn = (record: RecordRow, field: string): string =>
  textOf(ownOf(record)[field]) || textOf(infoOf(record)[field])

/** The fields of a kind in which both records have different values. Notes are last. */
export const differingFields = ({ first, second }: Both, labels: FieldLabels): string[] => {
  const fields = new Set(['name', 'linkedIn', 'website', 'description', ...Object.keys(labels), 'rating', 'notes'])
  return [...fields].filter((field) => {
    const [one, other] = [valueIn(first, field), valueIn(second, field)]
    return one !== '' && other !== '' && one !== other
  })
}

const bothNotes = (...records: RecordRow[]) =>
  [...new Set(records.map(({ notes }) => notes).filter((notes) => notes !== ''))].join('\n\n')

export const fitTogether = ({ first, second }: Both) => lengthOf(bothNotes(first, second)) <= NOTES_MAX

/** The initial choices: the values of the record found first, and both notes if they fit. */
export const firstChoices = (both: Both, fields: string[]): Choices =>
  Object.fromEntries(fields.map((field) => [field, field === 'notes' && fitTogether(both) ? 'both' : 'first']))

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
