import { sql } from 'drizzle-orm'
import type { EraseInput } from '#contract/privacy.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { addressesIn, holdAddresses, personKey, spellingsOf } from '#server/do-not-keep/listed.ts'
import { invalid } from '#server/http/errors.ts'
import { kinds } from '#server/kinds.ts'
import { hashUnderKey, insertHashes } from '#server/ledger/keyed-hashes.ts'
import type { KeyedHashes } from '#server/ledger/lines.ts'
import { addressesOf, type StoredAddresses } from '#server/records/fields.ts'
import { lockRows } from '#server/records/write/lock.ts'

/**
 * *Do not keep*: locks the records in the order of ids, and keeps hashes of their addresses and of typed ones. Holds the
 * addresses before the records, in the order in which an import locks both.
 */
export async function rememberAddresses(
  tx: Database,
  erasureId: string,
  trees: string[],
  typed: EraseInput['doNotKeep'],
): Promise<KeyedHashes | undefined> {
  const given = typedAddresses(typed)
  await holdAddresses(tx, [...(await addressesOfRecords(tx, trees)), ...given])
  await lockRows(tx, trees)
  const addresses = [...new Set([...(await addressesOfRecords(tx, trees)), ...given])]
  if (addresses.length === 0) return undefined
  await holdAddresses(tx, addresses)
  const hashes = await hashUnderKey(tx, [...new Set(addresses.flatMap(spellingsOf))])
  await insertHashes(tx, erasureId, hashes)
  return hashes
}

function typedAddresses({ linkedIn, email }: NonNullable<EraseInput['doNotKeep']> = {}): string[] {
  const profile = linkedIn ? personKey(linkedIn) : undefined
  if (linkedIn && !/^(in|pub) /.test(profile ?? '')) {
    throw invalid({ doNotKeep: 'Enter the address of a LinkedIn profile, such as https://www.linkedin.com/in/…' })
  }
  const address = email ? personKey(email) : undefined
  if (email && !address?.startsWith('email ')) {
    throw invalid({ doNotKeep: 'Enter an email address, such as ada@mit.edu' })
  }
  return [profile, address].filter((one) => one !== undefined)
}

/** Those of the records, and those that a merge has replaced. */
export async function addressesOfRecords(tx: Database, ids: string[]): Promise<string[]> {
  const rows = await rowsOf<StoredAddresses & { kind: string }>(
    tx,
    sql`select kind, linked_in as "linkedIn", website, additional_info as "additionalInfo"
      from records where id = any (${sql.param(ids)}::uuid[])`,
  )
  const replaced = await rowsOf<{ kind: string; values: { fields?: object; info?: object | null } }>(
    tx,
    sql`select kind, side as values from merges cross join lateral (values (before), (after)) sides (side)
      where survivor_id = any (${sql.param(ids)}::uuid[])`,
  )
  const kindOf = (name: string) => kinds.filter((kind) => kind.name === name.split('-').at(-1))
  return [
    ...rows.flatMap(({ kind, ...row }) => kindOf(kind).flatMap((one) => addressesOf(one, row))),
    ...replaced.flatMap(({ kind, values: { fields, info } }) =>
      kindOf(kind).flatMap((one) => [...addressesIn(one, { ...info }), ...addressesIn(one, { ...fields })]),
    ),
  ]
}
