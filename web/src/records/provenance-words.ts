import type { FieldSource, RecordEnrichment } from '#contract/enrichment.ts'
import { capital } from '#contract/plain-text.ts'

type Sources = RecordEnrichment['sources']

/** The labels of the fields of a kind of record, in the order shown. */
export type FieldLabels = Record<string, string>

/** The fields that one provider gave at one time, as a heading: `Title, company`. */
export type Origin = FieldSource & { fields: string }

/** The fields by provider and time, newest first. Fields without a label are left out. */
export const originsOf = (sources: Sources, labels: FieldLabels): Origin[] => {
  const labelsOf = new Map<string, { source: FieldSource; labels: string[] }>()
  for (const [field, label] of Object.entries(labels)) {
    const source = sources[field]
    if (source === undefined) continue
    const key = JSON.stringify([source.provider, source.at])
    const group = labelsOf.get(key) ?? { source: named(source), labels: [] }
    group.labels.push(label)
    labelsOf.set(key, group)
  }
  return [...labelsOf.values()]
    .map(({ source, labels }) => ({ ...source, fields: capital(labels.join(', ')) }))
    .sort((one, other) => other.at.localeCompare(one.at))
}

/** Values of an imported file have no provider. */
const named = ({ provider, at }: FieldSource): FieldSource => ({
  provider: provider === 'import' ? 'an import' : provider,
  at,
})

/** `Harmonic`, `Harmonic and the company website`, `Harmonic and 2 others`. */
export const providersOf = (origins: { provider: string }[]): string => {
  const [first = '', ...others] = new Set(origins.map(({ provider }) => provider))
  if (others.length === 0) return first
  return `${first} and ${others.length === 1 ? others[0] : `${others.length} others`}`
}
