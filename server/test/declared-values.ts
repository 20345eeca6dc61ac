import type { companyFields } from '#contract/company-fields.ts'
import type { Field } from '#contract/fields.ts'
import type { founderFields } from '#contract/founder-fields.ts'
import { companyKind } from '#server/companies/kind.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { founderKind } from '#server/founders/kind.ts'

// Two test values for each declared field. A field without them does not compile.

type Values<Fields extends readonly Field[]> = {
  [One in Exclude<Fields[number], { name: 'createdBy' | 'createdAt' }> as One extends {
    info: infer Info extends string
  }
    ? Info
    : One['name']]: [one: unknown, other: unknown]
}

const founderValues: Values<typeof founderFields> = {
  name: ['Ada Quillfeather', 'Grace Underhill'],
  linkedIn: ['https://www.linkedin.com/in/quillfeather', 'https://www.linkedin.com/in/underhill'],
  notes: ['Met at the regatta', 'Met at the observatory'],
  rating: [3, 8],
  profile_picture_url: ['https://pictures.example/one', 'https://pictures.example/other'],
  current_title: ['Cartographer', 'Glaciologist'],
  current_company: ['Halyard Marine', 'Perihelion Labs'],
  bio: ['Sails since childhood', 'Climbs since childhood'],
  email: ['quill@halyard.example', 'grace@perihelion.example'],
  website: ['https://quill.example', 'https://underhill.example'],
}

const companyValues: Values<typeof companyFields> = {
  name: ['Halyard Marine', 'Perihelion Labs'],
  website: ['https://halyard.example', 'https://perihelion.example'],
  linkedIn: ['https://www.linkedin.com/company/halyard', 'https://www.linkedin.com/company/perihelion'],
  notes: ['Found at the regatta', 'Found at the observatory'],
  rating: [3, 8],
  industry: ['Shipbuilding', 'Astronomy'],
  employee_count: [12, '51-200'],
  founded_year: [2019, 2021],
  headquarters: [{ city: 'Galway' }, { city: 'Tromsø' }],
  description: ['Sails that trim themselves', 'Mirrors that polish themselves'],
}

export const KINDS = [
  { kind: founderKind as EnrichedKind, values: founderValues as Record<string, [unknown, unknown]> },
  { kind: companyKind as EnrichedKind, values: companyValues as Record<string, [unknown, unknown]> },
]

/** The value of a record on the wire, in its column or in the public data; null without one. */
// biome-ignore lint/suspicious/noExplicitAny: records of any kind
export const valueIn = ({ field, isColumn }: { field: Field; isColumn: boolean }, record: any): unknown => {
  if (!isColumn) return JSON.parse(record.additionalInfo ?? '{}')[field.info as string] ?? null
  return field.name === 'rating' && !record.isRated ? null : record[field.name] || null
}
