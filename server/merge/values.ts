import { isDeepStrictEqual } from 'node:util'
import { NOTES_MAX } from '#contract/limits.ts'
import type { MergeInput } from '#contract/merge.ts'
import { lengthOf } from '#contract/plain-text.ts'
import type { EnrichmentState, Facts, records } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import {
  type AllPipelineValues,
  changedPipeline,
  filledPipeline,
  pipelineOf,
  restoredPipeline,
} from '#server/pipeline/values.ts'
import { infoOf } from '#server/records/fields.ts'
import type { Fields, RecordKind } from '#server/records/kind.ts'
import type { FieldValues } from '#server/records/write/written-columns.ts'
import { refuseChoices } from './policy.ts'

export type FullRecord = typeof records.$inferSelect
type StoredValues = AllPipelineValues &
  Pick<FullRecord, keyof Fields | 'additionalInfo' | 'enrichment' | 'notesEditedBy' | 'notesEditedAt'>

/** Who edited the notes of a record last, and when. */
type NotesEdit = { by: string; at: string }

/**
 * The values of a record that a merge chooses between: its columns, and enriched values with their sources. `info` is
 * null before public data was found. `notesEdit` is absent while the notes are as added.
 */
export type Values = {
  fields: Facts
  info: Facts | null
  sources: NonNullable<EnrichmentState['sources']>
  notesEdit?: NotesEdit
  /** Absent in a merge from before there was a pipeline. */
  pipeline?: AllPipelineValues
}
type Choices = MergeInput['choices']

/** The rating of a record that is not rated is empty. */
export const valuesOf = ({ columns }: RecordKind, row: StoredValues): Values => ({
  fields: {
    ...Object.fromEntries(columns.map((field) => [field, row[field]])),
    rating: row.isRated ? row.rating : null,
  },
  info: row.additionalInfo === null ? null : infoOf(row.additionalInfo),
  sources: row.enrichment.sources ?? {},
  pipeline: pipelineOf(row),
  ...(row.notesEditedBy !== null &&
    row.notesEditedAt !== null && { notesEdit: { by: row.notesEditedBy, at: row.notesEditedAt.toISOString() } }),
})

/** Throws the 400 for a field that the kind does not have. */
export function refuseUnknown({ shownInHistory }: RecordKind, choices: Choices): void {
  const unknown = Object.keys(choices).find((field) => !shownInHistory.includes(field))
  if (unknown !== undefined) throw invalid({ choices: `There is no field “${unknown}”` })
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** The chosen fields whose values differ from those of the rule. */
const differingChoices = (chosen: Values, ruled: Values, choices: Choices): string[] => {
  const valuesIn = ({ fields, info }: Values, field: string) => [fields[field], info?.[field]]
  return Object.keys(choices).filter((field) => !isDeepStrictEqual(valuesIn(chosen, field), valuesIn(ruled, field)))
}

export type Side = 'survivor' | 'duplicate'

type Found = Pick<FullRecord, 'id' | 'createdAt'>

/** The record that was found first. */
export const foundFirst = ({ survivor, duplicate }: Record<Side, Found>): Side => {
  const later = +survivor.createdAt - +duplicate.createdAt
  return later > 0 || (later === 0 && survivor.id > duplicate.id) ? 'duplicate' : 'survivor'
}

/**
 * The survivor's values after a merge. Without `canChoose` they follow the rule of merges: the values of the record that
 * was found first, its empty ones filled from the other one, and both notes. Throws the 403 for other choices.
 */
export function valuesAfter(
  kind: RecordKind,
  rows: Record<Side, StoredValues & Found>,
  { choices, canChoose }: { choices: Choices; canChoose: boolean },
): Values {
  const both = { survivor: valuesOf(kind, rows.survivor), duplicate: valuesOf(kind, rows.duplicate) }
  // No one chooses in the pipeline.
  const pipeline = filledPipeline(pipelineOf(rows.survivor), pipelineOf(rows.duplicate))
  if (canChoose) return { ...mergedValues(both, choices), pipeline }
  const byRule = (chosen: Choices = {}) =>
    mergedValues({ ...both, preferred: foundFirst(rows) }, { notes: 'both', ...chosen } as Choices)
  const ruled = byRule()
  refuseChoices(differingChoices(byRule(choices), ruled, choices))
  return { ...ruled, pipeline }
}

/**
 * The survivor's values after a merge. A field without a choice has the preferred record's value, or the other one's
 * where it has none. Throws the 400 for notes that become too long.
 */
function mergedValues(
  { survivor, duplicate, preferred = 'survivor' }: Record<Side, Values> & { preferred?: Side },
  choices: Choices,
): Values {
  const takesDuplicate = (field: string, ours: unknown, theirs: unknown) => {
    if (choices[field] !== undefined) return choices[field] === 'duplicate'
    return preferred === 'duplicate' ? !isEmpty(theirs) : isEmpty(ours)
  }
  const merged: Values = { fields: {}, info: {}, sources: {} }
  const take = (part: 'fields' | 'info') => {
    const taken: Facts = {}
    for (const field of new Set([survivor, duplicate].flatMap((values) => Object.keys(values[part] ?? {})))) {
      const isTheirs = takesDuplicate(field, survivor[part]?.[field], duplicate[part]?.[field])
      const from = isTheirs ? duplicate : survivor
      if (from[part] && field in from[part]) taken[field] = from[part][field]
      if (from.sources[field]) merged.sources[field] = from.sources[field]
    }
    return taken
  }
  merged.fields = take('fields')
  merged.info = orNull(take('info'), survivor.info)
  if (choices.notes === 'both') merged.fields.notes = bothNotes(survivor, duplicate)
  const edit = notesEditOf({ survivor, duplicate }, merged)
  return edit ? { ...merged, notesEdit: edit } : merged
}

/** The edit of the side that has the merged notes; of notes from both sides the later one. */
function notesEditOf({ survivor, duplicate }: Record<Side, Values>, { fields: { notes } }: Values) {
  const side = [survivor, duplicate].find(({ fields }) => fields.notes === notes)
  if (side !== undefined) return side.notesEdit
  return [survivor.notesEdit, duplicate.notesEdit].toSorted((a, b) => (b?.at ?? '').localeCompare(a?.at ?? ''))[0]
}

/** No public data is null where it was null before. */
const orNull = (info: Facts, before: Facts | null) => (before === null && Object.keys(info).length === 0 ? null : info)

const joinNotes = (...both: Pick<FullRecord, 'notes'>[]): string =>
  [...new Set(both.map(({ notes }) => notes).filter((notes) => notes !== ''))].join('\n\n')

/** Whether the notes of both can be kept. */
export const doNotesFit = (...both: Pick<FullRecord, 'notes'>[]): boolean => lengthOf(joinNotes(...both)) <= NOTES_MAX

function bothNotes(...both: Values[]): string {
  const texts = both.map(({ fields }) => ({ notes: String(fields.notes) }))
  if (!doNotesFit(...texts)) {
    const most = NOTES_MAX.toLocaleString('en')
    throw invalid({
      notes: `Both notes together are longer than ${most} characters. A fellow who may edit both records can choose one.`,
    })
  }
  return joinNotes(...texts)
}

/** The change that gives a record these values. */
export const changeTo = (
  { fields, info, sources, notesEdit, pipeline }: Values,
  { enrichment, ...row }: Pick<FullRecord, 'enrichment'> & AllPipelineValues,
) => ({
  pipeline: pipeline && changedPipeline(pipelineOf(row), pipeline),
  ...{ fields: fields as FieldValues, info },
  ...{ notesEditedBy: notesEdit?.by ?? null, notesEditedAt: notesEdit ? new Date(notesEdit.at) : null },
  enrichment: { ...enrichment, sources },
})

/**
 * The values before a merge for unchanged fields, and the names of the fields that changed since. A column that is newer
 * than the merge had no value.
 */
export function restoredValues(
  { columns }: RecordKind,
  now: Values,
  before: Values,
  after: Values,
): { values: Values; kept: string[] } {
  const values: Values = { fields: {}, info: {}, sources: {} }
  const kept: string[] = []
  const restore = (part: 'fields' | 'info', names: Iterable<string>) => {
    const restored: Facts = {}
    for (const field of names) {
      const isChanged = !isDeepStrictEqual(now[part]?.[field] ?? null, after[part]?.[field] ?? null)
      const from = isChanged ? now : before
      if (isChanged) kept.push(field)
      if (part === 'fields') restored[field] = from.fields[field] ?? null
      else if (from.info && field in from.info) restored[field] = from.info[field]
      if (from.sources[field]) values.sources[field] = from.sources[field]
    }
    return restored
  }
  values.fields = restore('fields', columns)
  const found = new Set([now, before, after].flatMap(({ info }) => Object.keys(info ?? {})))
  values.info = orNull(restore('info', found), before.info)
  const { notesEdit } = kept.includes('notes') ? now : before
  if (notesEdit) values.notesEdit = notesEdit
  if (now.pipeline && before.pipeline && after.pipeline) {
    const pipeline = restoredPipeline(now.pipeline, before.pipeline, after.pipeline)
    values.pipeline = pipeline.values
    kept.push(...pipeline.kept)
  }
  return { values, kept }
}
