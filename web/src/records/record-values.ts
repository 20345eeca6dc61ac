import { comparedFields, type Field } from '#contract/fields.ts'
import type { RecordRow } from './record-row.ts'

// The values of a record by field, to compare two records.

type Values = Record<string, unknown>

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
export const valueIn = (record: RecordRow, { name, isColumn, info }: Field): string => {
  const columns: Values = { ...record, rating: record.isRated ? record.rating : null }
  return (isColumn && textOf(columns[name])) || (info ? textOf(infoOf(record)[info]) : '')
}

/** The fields in which both records have different values. */
export const differingFields = (one: RecordRow, other: RecordRow, fields: readonly Field[]): Field[] =>
  comparedFields(fields).filter((field) => {
    const [value, otherValue] = [valueIn(one, field), valueIn(other, field)]
    return value !== '' && otherValue !== '' && value !== otherValue
  })
