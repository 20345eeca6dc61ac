import { sql } from 'drizzle-orm'
import { fold } from '#contract/fold.ts'
import type { Fault } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'
import { completeAddress } from '#contract/plain-text.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { areAlike } from '#server/duplicates/identity.ts'
import { namePartsOf } from '#server/duplicates/similar.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { emailOf, firstAddress } from '#server/import/read/cells/cell-values.ts'
import { mailboxKey } from '#server/names/keys.ts'
import { isOfKind, mergedKind } from '#server/records/kind.ts'
import type { ParsedNote } from './parse-note.ts'

// Finds the record that a note belongs to: by an address that identifies it, else by exactly its name. A merged record
// leads to its survivor. A similar name is not enough.

export type FoundRecord = { id: string; kind: KindName; name: string }

/** `key`: the address that identifies records of its kind. `isUnlike`: it shares the address under another name. */
type Candidate = FoundRecord & {
  n: number
  byAddress: boolean
  byName: boolean
  key: string | null
  isUnlike?: boolean
}

/** More than one is not certain, so a few are enough. Merged records may lead to the same one. */
const CANDIDATES_MAX = 5

type Wanted = Pick<ParsedNote, 'record' | 'address' | 'kind' | 'headers'>

/** The record of each note, or why it is not certain. */
export async function findRecords(
  db: Database,
  kinds: EnrichedKind[],
  wanted: Wanted[],
): Promise<({ record: FoundRecord } | { fault: Fault })[]> {
  const found = wanted.map((): Candidate[] => [])
  for (const kind of kinds) {
    const given = wanted.flatMap((one, n) =>
      one.kind === undefined || one.kind === kind.name ? [{ n, ...keysOf(kind, one) }] : [],
    )
    const candidates = await candidatesOf(db, kind, given)
    await markUnlike(db, kind, wanted, candidates)
    for (const candidate of candidates) found[candidate.n]?.push(candidate)
  }
  return wanted.map((one, n) => chosen(kinds, one, found[n] ?? []))
}

/** A mailbox or a host may belong to several. */
async function markUnlike(db: Database, kind: EnrichedKind, wanted: Wanted[], candidates: Candidate[]): Promise<void> {
  const shared = candidates.flatMap((candidate) => {
    const { record, address = '' } = wanted[candidate.n] as Wanted
    const isEnough = kind.matching.isProfileEnough && emailOf(address) === undefined
    const isKnown = candidate.byName || !candidate.byAddress || record === undefined || isEnough
    return isKnown ? [] : [{ candidate, names: [fold(record), fold(candidate.name)] as const }]
  })
  const parts = await namePartsOf(db, kind, [...new Set(shared.flatMap(({ names }) => names))])
  for (const { candidate, names } of shared) {
    const [one, other] = names.map((name) => parts.get(name) ?? [])
    candidate.isUnlike = !areAlike(kind, one ?? [], other ?? [])
  }
}

function keysOf({ lookup, matching }: EnrichedKind, { record, address }: Wanted) {
  const email = address === undefined ? undefined : emailOf(address)
  const key = address === undefined || email !== undefined ? null : lookup.keyOf(completeAddress(firstAddress(address)))
  return {
    key,
    parents: key === null ? [] : (lookup.parentsOf?.(key) ?? []),
    email: matching.byEmail && email !== undefined ? mailboxKey(email) : null,
    name: record === undefined ? null : fold(record.replace(/\s+/g, ' ').trim()),
  }
}

/** Without accents, as keys of names are. */
const plain = (name: string) => sql.raw(`regexp_replace(normalize(${name}, nfkd), '[\\u0300-\\u036f]', '', 'g')`)

function candidatesOf(db: Database, kind: EnrichedKind, given: object[]): Promise<Candidate[]> {
  if (given.length === 0) return Promise.resolve([])
  const { lookup, matching } = kind
  const keys = sql.raw(matching.keys)
  const nameOf = `split_part(records.search_text, E'\\x1f', 1)`
  const address = records[lookup.column]
  const ofKind = isOfKind(records.kind, kind)
  const ofMerged = isOfKind(records.kind, mergedKind(kind))
  const some = (by: 'address' | 'name', condition: ReturnType<typeof sql>) =>
    sql`(select ${records.id} as id, ${sql.raw(String(by === 'address'))} as by_address from ${records}
      where ${condition} limit ${sql.raw(String(CANDIDATES_MAX))})`
  const byAddress = [
    sql`${address} = given.key`,
    ...(lookup.parentsOf
      ? [
          sql`${address} = any (given.parents)`,
          // Domains below one are neighbours when reversed: a slash follows a dot.
          sql`reverse(${address}) collate "C" > reverse(given.key) || '.' and reverse(${address}) collate "C" < reverse(given.key) || '/'`,
        ]
      : []),
    ...(matching.byEmail ? [sql`lower(${records.additionalInfo} ->> 'email') = given.email`] : []),
  ]
  const mergedByAddress = [
    sql`${address} = given.key`,
    ...(matching.byEmail ? [sql`lower(${records.additionalInfo} ->> 'email') = given.email`] : []),
  ]
  const all = sql.join(
    [
      ...byAddress.map((condition) => some('address', sql`${ofKind} and ${condition}`)),
      ...mergedByAddress.map((condition) => some('address', sql`${ofMerged} and ${condition}`)),
      some(
        'name',
        sql`${ofKind} and ${keys}(${sql.raw(nameOf)}) @> given.keys and ${plain(nameOf)} = ${plain('given.name')}`,
      ),
      some('name', sql`${ofMerged} and left(${sql.raw(nameOf)}, 200) = left(given.name, 200)`),
    ],
    sql` union all `,
  )
  return rowsOf<Candidate>(
    db,
    sql`with given as materialized (
        select *, nullif(${keys}(coalesce(name, '')), '{}') as keys
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          as given (n int, key text, parents text[], email text, name text)
        -- The planner takes the number of rows from it.
        limit ${sql.raw(String(given.length))}
      )
      select given.n, records.id, ${kind.name}::text as kind, records.name, ${address} as key,
        bool_or(found.by_address) as "byAddress", bool_or(not found.by_address) as "byName"
      from given
      cross join lateral (${all}) found
      cross join lateral (
        select * from ${records} where ${records.id} = merged_root(found.id) and ${ofKind} limit 1
      ) records
      group by given.n, records.id, records.name, ${address}`,
  )
}

const SEVERAL = 'Several records have this'

function chosen(kinds: EnrichedKind[], wanted: Wanted, found: Candidate[]): { record: FoundRecord } | { fault: Fault } {
  const { address, record: name, headers } = wanted
  const refused = (field: 'record' | 'address', sentence: string) => {
    const column = headers[field]
    return { fault: { ...(column !== undefined && { column }), sentence } }
  }
  const byAddress = found.filter((one) => one.byAddress)
  const byName = found.filter((one) => one.byName)
  const both = byAddress.filter((one) => one.byName)
  if (byAddress.length > 0) {
    const [one, ...others] = both.length > 0 ? both : byAddress
    if (one === undefined || others.length > 0) return refused('address', `${SEVERAL} address`)
    if (both.length === 0 && byName.length > 0) {
      return refused('record', 'This name and this address belong to different records')
    }
    return one.isUnlike
      ? refused('record', `${one.name} has this address, under another name`)
      : { record: recordOf(one) }
  }
  const [one, ...others] = byName
  if (one === undefined) {
    if (name === undefined) return refused('address', 'No record has this address')
    return refused('record', address === undefined ? NO_NAME : 'No record has this address, or exactly this name')
  }
  if (others.length > 0) return refused('record', `${SEVERAL} name`)
  // A record that has another address of this form is someone else.
  const { lookup } = kinds.find((kind) => kind.name === one.kind) as EnrichedKind
  const isAddress = address !== undefined && emailOf(address) === undefined
  const key = isAddress ? lookup.keyOf(completeAddress(firstAddress(address))) : null
  if (key !== null && one.key !== null) return refused('address', `${one.name} has another address`)
  return { record: recordOf(one) }
}

const NO_NAME = 'No record has exactly this name'

const recordOf = ({ id, kind, name }: Candidate): FoundRecord => ({ id, kind, name })
