import { type SQL, sql } from 'drizzle-orm'
import type { Field } from '#contract/fields.ts'
import { type Facts, records } from '#server/db/schema.ts'
import { BETWEEN, searchable, withParts } from './search-text.ts'

/** A value whose text is in `mention_text`: of a column that people fill, or of the enriched data. */
export type SecondaryValue = { field: string; from: 'fields' | 'info'; key: string }

/** The secondary values of the declared fields. One that is typed and also found has two. */
export const secondaryValues = (fields: readonly Field[]): SecondaryValue[] =>
  fields
    .filter(({ secondary }) => secondary !== undefined)
    .sort((one, other) => (one.secondary ?? 0) - (other.secondary ?? 0))
    .flatMap(({ name: field, isColumn, info }) => [
      ...(isColumn ? [{ field, from: 'fields' as const, key: field }] : []),
      ...(info === undefined ? [] : [{ field, from: 'info' as const, key: info }]),
    ])

/** The values of a record, or those that a change sets. */
type Values = Record<SecondaryValue['from'], Facts>

/** Empty without any text, so that the index of mentions leaves the record out. */
export function secondaryText(secondary: readonly SecondaryValue[], values: Values): string {
  const parts = secondary.map(({ from, key }) => searchable(values[from][key]))
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1).join(BETWEEN)
}

/** The same for a change of some values; the others keep their stored part. Undefined when no changed one is secondary. */
export function changedSecondaryText(secondary: readonly SecondaryValue[], values: Values): SQL | undefined {
  const parts = secondary.map(({ from, key }) => (key in values[from] ? searchable(values[from][key]) : undefined))
  if (parts.every((part) => part === undefined)) return undefined
  return sql`rtrim(${withParts(records.secondaryText, parts)}, ${BETWEEN})`
}
