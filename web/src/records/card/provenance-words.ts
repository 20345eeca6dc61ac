import type { FieldSource, RecordEnrichment } from '#contract/enrichment.ts'
import { type Field, foundFields, keyOf } from '#contract/fields.ts'
import { capital } from '#contract/plain-text.ts'

type Sources = RecordEnrichment['sources']

/** The fields that one provider gave at one time, as a heading: `Title, company`. */
export type Origin = FieldSource & { fields: string }

/** The fields by provider and time, newest first. */
export const originsOf = (sources: Sources, fields: readonly Field[]): Origin[] => {
  const labelsOf = new Map<string, { source: FieldSource; labels: string[] }>()
  for (const field of foundFields(fields)) {
    const source = sources[keyOf(field)]
    if (source === undefined) continue
    const key = JSON.stringify([source.provider, source.at])
    const group = labelsOf.get(key) ?? { source: named(source), labels: [] }
    group.labels.push(field.label)
    labelsOf.set(key, group)
  }
  return [...labelsOf.values()]
    .map(({ source, labels }) => ({ ...source, fields: capital(labels.join(', ')) }))
    .sort((one, other) => other.at.localeCompare(one.at))
}

/** Values that people gave have no provider. */
const GIVEN: Record<string, string> = { import: 'an import', person: 'a fellow' }

const named = ({ provider, at }: FieldSource): FieldSource => ({ provider: GIVEN[provider] ?? provider, at })

/** `Harmonic`, `Harmonic and the company website`, `Harmonic and 2 others`. */
export const providersOf = (origins: { provider: string }[]): string => {
  const [first = '', ...others] = new Set(origins.map(({ provider }) => provider))
  if (others.length === 0) return first
  return `${first} and ${others.length === 1 ? others[0] : `${others.length} others`}`
}
