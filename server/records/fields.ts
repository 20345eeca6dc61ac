import type { Facts } from '#server/db/schema.ts'
import { addressesIn } from '#server/do-not-keep/listed.ts'
import type { Fields, RecordKind } from './kind.ts'

/** The enriched values of a record, by name. Anything but a JSON object is empty. */
export const infoOf = (additionalInfo: unknown): Facts =>
  typeof additionalInfo === 'object' && additionalInfo !== null && !Array.isArray(additionalInfo)
    ? { ...additionalInfo }
    : {}

/** The values of an input or a patch for the fields that people fill. A blank optional one is null. */
export function fieldsOf({ typed }: Pick<RecordKind, 'typed'>, input: object): Fields {
  const given = Object.entries(input).filter(([field, value]) => typed.includes(field) && value !== undefined)
  return Object.fromEntries(given.map(([field, value]) => [field, value === '' ? null : value]))
}

/** Fields, together with the normalised address made from one of them. */
export function withKey<Some extends Fields>({ lookup }: Pick<RecordKind, 'lookup'>, fields: Some) {
  const address = fields[lookup.field]
  if (address === undefined) return fields
  return { ...fields, [lookup.column]: address === null ? null : lookup.keyOf(address) }
}

/** A text with content; null for anything else. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** An enriched value as text: of a headquarters the city, else the address. '' for anything else. */
export function infoText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return textOf(value) ?? ''
  const { city, address_formatted: address } = value as Facts
  return textOf(city) ?? textOf(address) ?? ''
}

/** What is read of a record for its addresses. */
export type StoredAddresses = { linkedIn: string | null; website: string | null; additionalInfo: unknown }

/** The addresses of a stored record. */
export const addressesOf = (
  kind: Pick<RecordKind, 'fields' | 'addresses'>,
  { additionalInfo, ...columns }: StoredAddresses,
): string[] => [...new Set([...addressesIn(kind, infoOf(additionalInfo)), ...addressesIn(kind, columns)])]
