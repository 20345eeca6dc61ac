import type { Facts } from '#server/db/schema.ts'
import type { Fields, RecordKind } from './kind.ts'

/** What enrichment found of a record, by name; anything but a JSON object says nothing. */
export const infoOf = (additionalInfo: unknown): Facts =>
  typeof additionalInfo === 'object' && additionalInfo !== null && !Array.isArray(additionalInfo)
    ? { ...additionalInfo }
    : {}

/** What an input or a patch says of the fields that people fill; a blank optional one is null. */
export function fieldsOf({ fields }: { fields: readonly string[] }, input: object): Fields {
  const given = Object.entries(input).filter(([field, value]) => fields.includes(field) && value !== undefined)
  return Object.fromEntries(given.map(([field, value]) => [field, value === '' ? null : value]))
}

/** Fields together with the normalised address that is made from one of them. */
export function withKey<Some extends Fields>({ lookup }: Pick<RecordKind, 'lookup'>, fields: Some) {
  const address = fields[lookup.field]
  if (address === undefined) return fields
  return { ...fields, [lookup.column]: address === null ? null : lookup.keyOf(address) }
}
