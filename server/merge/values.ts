import { isDeepStrictEqual } from 'node:util'
import { NOTES_MAX, RATING_DEFAULT } from '#contract/limits.ts'
import type { MergeInput } from '#contract/merge.ts'
import { lengthOf } from '#contract/plain-text.ts'
import type { EnrichmentState, Facts, records } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import { infoOf, withKey } from '#server/records/fields.ts'
import type { Fields, RecordKind } from '#server/records/kind.ts'
import { searchText } from '#server/records/search-text.ts'

export type FullRecord = typeof records.$inferSelect

/** The values of a record that a merge chooses between: its columns, and enriched values with their sources. */
export type Values = { fields: Facts; info: Facts; sources: NonNullable<EnrichmentState['sources']> }

const FIELDS = ['name', 'linkedIn', 'website', 'description', 'notes', 'rating'] as const

/** The rating of a record that is not rated is empty. */
export const valuesOf = (row: FullRecord): Values => ({
  fields: {
    ...Object.fromEntries(FIELDS.map((field) => [field, row[field]])),
    rating: row.isRated ? row.rating : null,
  },
  info: infoOf(row.additionalInfo),
  sources: row.enrichment.sources ?? {},
})

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** The survivor's values after a merge. Throws the 400 for an invalid choice. */
export function mergedValues(
  { shownInHistory }: RecordKind,
  survivor: Values,
  duplicate: Values,
  choices: MergeInput['choices'],
): Values {
  const known = new Set<string>([...FIELDS, ...shownInHistory])
  const unknown = Object.keys(choices).find((field) => !known.has(field))
  if (unknown !== undefined) throw invalid({ choices: `There is no field “${unknown}”` })
  const takesDuplicate = (field: string, ours: unknown) =>
    choices[field] === 'duplicate' || (choices[field] === undefined && isEmpty(ours))

  const merged: Values = { fields: {}, info: {}, sources: {} }
  for (const part of ['fields', 'info'] as const) {
    for (const field of new Set([...Object.keys(survivor[part]), ...Object.keys(duplicate[part])])) {
      const from = takesDuplicate(field, survivor[part][field]) ? duplicate : survivor
      if (field in from[part]) merged[part][field] = from[part][field]
      if (from.sources[field]) merged.sources[field] = from.sources[field]
    }
  }
  if (choices.notes === 'both') merged.fields.notes = bothNotes(survivor, duplicate)
  return merged
}

function bothNotes(...both: Values[]): string {
  const texts = both.map(({ fields }) => String(fields.notes)).filter((text) => text !== '')
  const notes = [...new Set(texts)].join('\n\n')
  if (lengthOf(notes) > NOTES_MAX) {
    throw invalid({ notes: `Both notes together are longer than ${NOTES_MAX.toLocaleString('en')} characters` })
  }
  return notes
}

/** The columns of these values, including derived ones. */
export function columnsOf(kind: RecordKind, { fields, info, sources }: Values, { enrichment, ...row }: FullRecord) {
  const isBare = row.additionalInfo === null && Object.keys(info).length === 0
  return {
    ...withKey(kind, fields as Fields),
    rating: (fields.rating as number | null) ?? RATING_DEFAULT,
    isRated: fields.rating !== null,
    additionalInfo: isBare ? null : info,
    enrichment: { ...enrichment, sources },
    searchText: searchText(kind.searched, { ...info, ...fields }),
  }
}

/** The values before a merge for unchanged fields, and the names of the fields that changed since. */
export function restoredValues(now: Values, before: Values, after: Values): { values: Values; kept: string[] } {
  const values: Values = { fields: {}, info: {}, sources: {} }
  const kept: string[] = []
  for (const part of ['fields', 'info'] as const) {
    for (const field of new Set([now, before, after].flatMap((state) => Object.keys(state[part])))) {
      const isChanged = !isDeepStrictEqual(now[part][field], after[part][field])
      const from = isChanged ? now : before
      if (isChanged) kept.push(field)
      if (field in from[part]) values[part][field] = from[part][field]
      if (from.sources[field]) values.sources[field] = from.sources[field]
    }
  }
  return { values, kept }
}
