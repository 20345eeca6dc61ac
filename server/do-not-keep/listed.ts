import { type SQL, sql } from 'drizzle-orm'
import { type Field, keyOf } from '#contract/fields.ts'
import { fold } from '#contract/fold.ts'
import type { Overrule as OverruleInput } from '#contract/overrule.ts'
import type { Actor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import type { Facts } from '#server/db/schema.ts'
import { doNotKeep } from '#server/http/errors.ts'
import { emailKey, linkedInPerson, linkedInPub } from '#server/names/keys.ts'
import { sqlState } from '#server/sql-state.ts'

// Addresses of people who asked not to be kept. The database has keyed hashes of them. `write.ts` asks for each write of a
// record, so that no act can bring one back.

/** The fields of a kind, and how it normalises its own addresses. */
type AddressedKind = {
  fields: readonly Field[]
  addresses: { linkedIn?: (address: string) => string | null }
}

/** The addresses among values of a record, by the names of columns and of public data: LinkedIn profiles and email addresses. */
export function addressesIn({ fields, addresses }: AddressedKind, values: Facts): string[] {
  const found = new Set<string>()
  for (const field of fields) {
    const value = field.content === 'address' ? values[keyOf(field)] : undefined
    if (typeof value !== 'string') continue
    // For people this is the handle again.
    const page = field.name === 'linkedIn' ? addresses.linkedIn?.(value) : null
    const address = personKey(value) ?? (page ? companyAddress(page) : undefined)
    if (address !== undefined) found.add(address)
  }
  return [...found]
}

/** The address of a person that a text is; undefined for another text. */
export function personKey(text: string): string | undefined {
  const handle = linkedInPerson(text)
  if (handle !== null) return `in ${handle}`
  const pub = linkedInPub(text)
  if (pub !== null) return `pub ${pub}`
  const email = emailKey(text)
  return email === null ? undefined : `email ${email}`
}

/** The LinkedIn page of a company, by its key. */
export const companyAddress = (key: string): string => `company ${key}`

/** A listed address, with its hash. */
export type Listed = { given: string; hash: string }

/**
 * The addresses among these that are not to be kept. Without those that a manager keeps on one of the records, or on one
 * that was merged into them. Within a transaction they stay unlisted until it ends.
 */
export async function findSuppressed(db: Database, addresses: string[], records: string[] = []): Promise<Listed[]> {
  if (addresses.length === 0) return []
  const bySpelling = new Map<string, string[]>()
  for (const address of new Set(addresses)) {
    for (const spelling of spellingsOf(address)) {
      bySpelling.set(spelling, [...(bySpelling.get(spelling) ?? []), address])
    }
  }
  const listed = await rowsOf<Listed>(
    db,
    sql`select given, hash from listed_addresses(${spelled(addresses)}, ${sql.param(records)}::uuid[])`,
  )
  return listed.flatMap(({ given, hash }) => (bySpelling.get(given) ?? []).map((address) => ({ given: address, hash })))
}

/** An address as it is, which older hashes are of, and folded. */
export const spellingsOf = (address: string): string[] => [...new Set([address, fold(address)])]

const spelled = (addresses: string[]) => sql`${sql.param([...new Set(addresses.flatMap(spellingsOf))])}::text[]`

/** What precedes the one statement of a change with these addresses. `refusingListed` has its refusal. */
export const refuseListed = (addresses: string[], records: string[] = []): SQL | undefined =>
  addresses.length === 0 ? undefined : sql`refuse_listed(${spelled(addresses)}, ${sql.param(records)}::uuid[])`

/** The error code of `refuse_listed`. */
const IS_LISTED = 'PS002'

/** Throws the 409 for a change that `refuseListed` has refused. */
export const refusingListed = <Result>(change: Promise<Result>): Promise<Result> =>
  change.catch((error) => {
    throw sqlState(error) === IS_LISTED ? doNotKeep() : error
  })

/** Holds back all writes of these addresses until the transaction ends. */
export async function holdAddresses(tx: Database, addresses: string[]): Promise<void> {
  if (addresses.length > 0) await tx.execute(sql`select hold_addresses(${spelled(addresses)})`)
}

/** A manager saves listed addresses nevertheless. */
export type Overrule = OverruleInput & { by: Actor }

/** The listed addresses of a write that a manager overrules. Throws the 409 where there are some and no manager does. */
export async function assertNotSuppressed(
  db: Database,
  addresses: string[],
  { records = [], overrule }: { records?: string[]; overrule?: Overrule | undefined } = {},
): Promise<Listed[]> {
  const listed = await findSuppressed(db, addresses, records)
  if (listed.length > 0 && overrule === undefined) throw doNotKeep()
  return listed
}

/** Keeps listed addresses on a record from now on. The audit log has who and why, without the addresses. */
export async function saveOverrule(
  tx: Database,
  kind: { name: string },
  id: string,
  { listed, overrule }: { listed: Listed[]; overrule: Overrule | undefined },
): Promise<void> {
  if (listed.length === 0 || overrule === undefined) return
  await tx.execute(sql`
    insert into overrules (record_id, kind, hash)
    select ${id}, ${kind.name}, hash from unnest(${sql.param(listed.map(({ hash }) => hash))}::text[]) hash
    on conflict do nothing`)
  const { by, reason } = overrule
  await recordAuditEntry(tx, { action: 'overrule', by, kind: 'overrule', objectId: id, detail: { reason } })
}
