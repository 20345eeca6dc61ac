import type { FieldLabels } from './provenance-words.ts'
import type { RecordRow } from './record-row.ts'

// The values of a record by field, to compare two records.

/** The fields of a record itself. All others are public data. */
const OWN = ['name', 'linkedIn', 'website', 'description', 'rating', 'notes']

export type Values = Record<string, unknown>

export const ownOf = (record: RecordRow): Values => {
  const values: Values = { ...record, rating: record.isRated ? record.rating : null }
  return Object.fromEntries(OWN.filter((field) => field in values).map((field) => [field, values[field]]))
}

export const infoOf = ({ additionalInfo }: RecordRow): Values => {
  try {
    return { ...JSON.parse(additionalInfo ?? '{}') }
  } catch {
    return {}
  }
}

export const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** A value as text; of an object, such as a headquarters, the first part that is text. */
const textOf = (value: unknown): string => {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).find((part) => typeof part === 'string') ?? ''
  return isEmpty(value) ? '' : String(value)
}

/** The displayed value of a field: typed text, else public data. */
export const valueIn = (record: RecordRow, field: string): string =>
  textOf(ownOf(record)[field]) || textOf(infoOf(record)[field])

/** The fields that a record of a kind may have. Notes are last. */
export const fieldsOf = (labels: FieldLabels): string[] => [
  ...new Set(['name', 'linkedIn', 'website', 'description', ...Object.keys(labels), 'rating', 'notes']),
]

/** The fields in which both records have different values. */
export const differingFields = (one: RecordRow, other: RecordRow, labels: FieldLabels): string[] =>
  fieldsOf(labels).filter((field) => {
    const [value, otherValue] = [valueIn(one, field), valueIn(other, field)]
    return value !== '' && otherValue !== '' && value !== otherValue
  })
