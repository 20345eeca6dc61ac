import { isDeepStrictEqual } from 'node:util'
import { NOTES_MAX } from '#contract/limits.ts'
import type { MergeInput } from '#contract/merge.ts'
import { lengthOf } from '#contract/plain-text.ts'
import type { EnrichmentState, Facts, records } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import { infoOf } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'

export type FullRecord = typeof records.$inferSelect

/**
 * The values of a record that a merge chooses between: its columns, and enriched values with their sources. `info` is
 * null before public data was found.
 */
export type Values = { fields: Facts; info: Facts | null; sources: NonNullable<EnrichmentState['sources']> }
type Choices = MergeInput['choices']

const FIELDS = ['name', 'linkedIn', 'website', 'description', 'notes', 'rating'] as const

/** The rating of a record that is not rated is empty. */
export const valuesOf = (row: FullRecord): Values => ({
  fields: {
    ...Object.fromEntries(FIELDS.map((field) => [field, row[field]])),
    rating: row.isRated ? row.rating : null,
  },
  info: row.additionalInfo === null ? null : infoOf(row.additionalInfo),
  sources: row.enrichment.sources ?? {},
})

/** Throws the 400 for a field that the kind does not have. */
export function refuseUnknown({ shownInHistory }: RecordKind, choices: Choices): void {
  const known = new Set<string>([...FIELDS, ...shownInHistory])
  const unknown = Object.keys(choices).find((field) => !known.has(field))
  if (unknown !== undefined) throw invalid({ choices: `There is no field “${unknown}”` })
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** The chosen fields whose values differ from those of the rule. */
export const differingChoices = (chosen: Values, ruled: Values, choices: Choices): string[] => {
  const valuesIn = ({ fields, info }: Values, field: string) => [fields[field], info?.[field]]
  return Object.keys(choices).filter((field) => !isDeepStrictEqual(valuesIn(chosen, field), valuesIn(ruled, field)))
}

/** The two records of a merge: the values of each, and the one that was found first. */
type Both = Record<Side, Values> & { foundFirst: Side }
type Side = 'survivor' | 'duplicate'

/**
 * The survivor's values by the rule of merges: those of the record that was found first, its empty ones filled from the
 * other one, and both notes. `choices` may differ from it.
 */
export const ruledValues = (both: Both, choices: Choices = {}): Values =>
  mergedValues({ ...both, preferred: both.foundFirst }, { notes: 'both', ...choices } as Choices)

/**
 * The survivor's values after a merge. A field without a choice has the preferred record's value, or the other one's
 * where it has none. Throws the 400 for notes that become too long.
 */
export function mergedValues(
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
  return merged
}

/** No public data is null where it was null before. */
const orNull = (info: Facts, before: Facts | null) => (before === null && Object.keys(info).length === 0 ? null : info)

function bothNotes(...both: Values[]): string {
  const texts = both.map(({ fields }) => String(fields.notes)).filter((text) => text !== '')
  const notes = [...new Set(texts)].join('\n\n')
  if (lengthOf(notes) > NOTES_MAX) {
    const most = NOTES_MAX.toLocaleString('en')
    throw invalid({
      notes: `Both notes together are longer than ${most} characters. A fellow who may edit both records can choose one.`,
    })
  }
  return notes
}

/** The values before a merge for unchanged fields, and the names of the fields that changed since. */
export function restoredValues(now: Values, before: Values, after: Values): { values: Values; kept: string[] } {
  const values: Values = { fields: {}, info: {}, sources: {} }
  const kept: string[] = []
  const restore = (part: 'fields' | 'info') => {
    const restored: Facts = {}
    for (const field of new Set([now, before, after].flatMap((state) => Object.keys(state[part] ?? {})))) {
      const isChanged = !isDeepStrictEqual(now[part]?.[field], after[part]?.[field])
      const from = isChanged ? now : before
      if (isChanged) kept.push(field)
      if (from[part] && field in from[part]) restored[field] = from[part][field]
      if (from.sources[field]) values.sources[field] = from.sources[field]
    }
    return restored
  }
  values.fields = restore('fields')
  values.info = orNull(restore('info'), before.info)
  return { values, kept }
}
