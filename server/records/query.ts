import { and, eq, type SQL } from 'drizzle-orm'
import type { ListQuery } from '#contract/record.ts'
import type { Account } from '#server/auth/session.ts'
import { records } from '#server/db/schema.ts'
import { newest } from './cursor.ts'
import type { RecordFilter, RecordKind } from './kind.ts'

/** A list of records of a kind as a value: which ones, and in which order. */
export type RecordQuery = {
  filters: {
    /** The account whose My Records are listed. They are read through its memberships, in the order of the list. */
    mine?: string | undefined
    /** What all other filters require. */
    condition?: SQL | undefined
  }
  search?: string | undefined
  sort: typeof newest
}

/** A list as its call describes it. */
export function recordQuery(
  kind: RecordKind,
  caller: Pick<Account, 'id'>,
  { search, mine, limit: _limit, cursor: _cursor, in: _in, ...filters }: ListQuery,
): RecordQuery {
  const conditions = Object.entries(filters).map(([name, value]) => {
    const filter = kind.filters[name]
    if (filter === undefined) throw new Error(`The list of ${kind.path} has no filter "${name}"`)
    return value === undefined ? undefined : filter(value, kind)
  })
  return {
    filters: { mine: mine === 'true' ? caller.id : undefined, condition: and(...conditions) },
    search: search || undefined,
    sort: newest,
  }
}

/** By the kind's lookup address in any spelling. An address without a normalised form matches nothing. */
export const hasAddress: RecordFilter = (address, { lookup }) => eq(records[lookup.column], lookup.keyOf(address) ?? '')
