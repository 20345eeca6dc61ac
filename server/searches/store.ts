import { isDeepStrictEqual } from 'node:util'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { KindName } from '#contract/kinds.ts'
import { SEARCHES_MAX, SHARED_SEARCHES_MAX, WATCHED_SEARCHES_MAX } from '#contract/limits.ts'
import { NO_SEARCH, type SavedSearchInput, type SavedSearchPatch } from '#contract/saved-search.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Account, Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, inboxSeen, savedSearches, searchWatches } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { type Position, positionIn, type Sort } from '#server/records/cursor.ts'
import { getHorizon } from '#server/records/horizon.ts'
import { isAfter, lastBeforeNext, orderOf, type PageRequest } from '#server/records/paging.ts'
import { authorize, rights } from '#server/rights.ts'
import type { StoredQuery } from './query.ts'

export const TOO_MANY = `You have ${SEARCHES_MAX} searches already. Delete one first.`
export const TOO_MANY_SHARED = `You share ${SHARED_SEARCHES_MAX} searches already. Stop sharing one first.`
export const TOO_MANY_WATCHED = `You watch ${WATCHED_SEARCHES_MAX} searches already. Stop watching one first.`
export const NOT_WATCHED = 'Watch this search first'
export const STAYS_SHARED = 'The fellow who made this search has left. Keep it shared, or delete it.'

/** One's own first, pinned ones first among them, then pinned ones of others; each in the order in which they came. */
export const bySearch = {
  name: 'searches',
  direction: 'asc',
  columns: { place: 'number', createdAt: 'time', id: 'id' },
} as const satisfies Sort

export type SearchRow = {
  id: string
  accountId: string
  kind: KindName
  name: string
  about: string
  query: StoredQuery
  isShared: boolean
  isPinned: boolean
  createdBy: string
  hasCreatorLeft: boolean
  /** In milliseconds, of a search that the caller watches. */
  seenUntil: number | null
  /** Until when its line in the inbox has been read. */
  readUntil: number | null
}

/** A search of another is there for an account only while it is shared. */
const isVisible = ({ id }: Pick<Account, 'id'>) =>
  sql`(${savedSearches.accountId} = ${id} or ${savedSearches.isShared})`

const placeFor = ({ id }: Pick<Account, 'id'>) =>
  sql`(case when ${savedSearches.accountId} = ${id} then 0 else 2 end + case when ${savedSearches.isPinned} then 0 else 1 end)`

const selectSearches = (caller: Pick<Account, 'id'>, where: SQL | undefined, rest = sql``) => sql`
  select ${savedSearches.id}, ${savedSearches.accountId} as "accountId", ${savedSearches.kind}, ${savedSearches.name},
    ${savedSearches.about}, ${savedSearches.query}, ${savedSearches.isShared} as "isShared",
    ${savedSearches.isPinned} as "isPinned", ${shownName()} as "createdBy",
    (${accounts.leftAt} is not null or ${accounts.formerNumber} is not null) as "hasCreatorLeft",
    (extract(epoch from ${searchWatches.seenUntil}) * 1000)::float8 as "seenUntil",
    (select (extract(epoch from ${inboxSeen.seenUntil}) * 1000)::float8 from ${inboxSeen}
      where ${inboxSeen.accountId} = ${caller.id} and ${inboxSeen.kind} = 'search' and ${inboxSeen.subject} = ${savedSearches.id}
    ) as "readUntil",
    ${placeFor(caller)} as place, to_json(${savedSearches.createdAt}) #>> '{}' as "createdAt"
  from ${savedSearches}
  join ${accounts} on ${accounts.id} = ${savedSearches.accountId}
  left join ${searchWatches} on ${searchWatches.searchId} = ${savedSearches.id} and ${searchWatches.accountId} = ${caller.id}
  where ${and(isVisible(caller), where)} ${rest}`

export async function listSearches(
  db: Database,
  caller: Pick<Account, 'id'>,
  { limit, after }: PageRequest<typeof bySearch>,
): Promise<{ rows: SearchRow[]; next: Position<typeof bySearch> | undefined }> {
  const columns = { place: placeFor(caller), createdAt: savedSearches.createdAt, id: savedSearches.id }
  const order = sql.join(orderOf(bySearch, columns), sql`, `)
  const rows = await rowsOf<SearchRow>(
    db,
    selectSearches(caller, isAfter(bySearch, columns, after), sql`order by ${order} limit ${limit + 1}`),
  )
  const last = lastBeforeNext(rows, limit)
  return { rows: rows.slice(0, limit), next: last && positionIn(bySearch, last) }
}

export const listWatched = (db: Database, caller: Pick<Account, 'id'>): Promise<SearchRow[]> =>
  rowsOf(db, selectSearches(caller, sql`${searchWatches.searchId} is not null`))

/** Throws the 404. */
export async function getSearch(db: Database, caller: Pick<Account, 'id'>, id: string): Promise<SearchRow> {
  const [row] = await rowsOf<SearchRow>(db, selectSearches(caller, eq(savedSearches.id, id)))
  if (row === undefined) throw notFound(NO_SEARCH)
  return row
}

type Input = Omit<SavedSearchInput, 'query'> & { query: StoredQuery }

export const createSearch = (db: Database, caller: Caller, input: Input, key: IdempotencyKey): Promise<SearchRow> =>
  withActor(db, caller, async (tx) => {
    await lockSearchesOf(tx, caller)
    const { own, shared } = await countSearches(tx, caller)
    if (own >= SEARCHES_MAX) throw new AppError(409, TOO_MANY)
    if (input.isShared && shared >= SHARED_SEARCHES_MAX) throw new AppError(409, TOO_MANY_SHARED)
    const id = await claimId(tx, key)
    await tx.insert(savedSearches).values({ id, accountId: caller.id, ...input })
    const after = logged({ id, ...input })
    await recordAuditEntry(tx, { action: 'create', by: caller, kind: 'search', objectId: id, after })
    return getSearch(tx, caller, id)
  })

type Change = Omit<SavedSearchPatch, 'query'> & { query?: StoredQuery | undefined }

export const updateSearch = (db: Database, caller: Caller, id: string, change: Change): Promise<SearchRow> =>
  withActor(db, caller, async (tx) => {
    await lockSearchesOf(tx, caller)
    const search = await lockToChange(tx, caller, id)
    if (change.isShared && !search.isShared) {
      const { shared } = await countSearches(tx, caller)
      if (shared >= SHARED_SEARCHES_MAX) throw new AppError(409, TOO_MANY_SHARED)
    }
    if (change.isShared === false && search.isShared) {
      if (search.hasCreatorLeft) throw new AppError(409, STAYS_SHARED)
      await tx.execute(sql`delete from ${searchWatches} where search_id = ${id} and account_id <> ${search.accountId}`)
    }
    if (Object.keys(change).length === 0) return search
    // What a channel sends is what a manager has seen.
    const fellowChangedAt =
      rights.programme.allows(caller) || !isOther(search, change) ? undefined : sql`clock_timestamp()`
    await tx
      .update(savedSearches)
      .set({ ...change, fellowChangedAt })
      .where(eq(savedSearches.id, id))
    // A manager who stops sharing the search of another does not see it any more.
    const isLost = change.isShared === false && search.accountId !== caller.id
    const changed = { ...search, ...change, ...(isLost && { seenUntil: null }) } as SearchRow
    const [before, after] = [logged(search), logged(changed)]
    await recordAuditEntry(tx, { action: 'update', by: caller, kind: 'search', objectId: id, before, after })
    return changed
  })

const isOther = (search: SearchRow, { name = search.name, query = search.query }: Change): boolean =>
  name !== search.name || !isDeepStrictEqual(query, search.query)

export const deleteSearch = (db: Database, caller: Caller, id: string): Promise<void> =>
  withActor(db, caller, async (tx) => {
    const search = await lockToChange(tx, caller, id)
    await tx.delete(savedSearches).where(eq(savedSearches.id, id))
    const before = logged(search)
    await recordAuditEntry(tx, { action: 'delete', by: caller, kind: 'search', objectId: id, before })
  })

/** One that is watched already stays as it is. What was before counts as seen. */
export const watchSearch = (db: Database, caller: Caller, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    await lockSearchesOf(tx, caller)
    const { seenUntil } = await getSearch(tx, caller, id)
    if (seenUntil !== null) return
    // It is not deleted, or taken back by its fellow, before the watch is there.
    const locked = await rowsOf(
      tx,
      sql`select from ${savedSearches} where ${savedSearches.id} = ${id} and ${isVisible(caller)} for key share`,
    )
    if (locked.length === 0) throw notFound(NO_SEARCH)
    if ((await countSearches(tx, caller)).watched >= WATCHED_SEARCHES_MAX) throw new AppError(409, TOO_MANY_WATCHED)
    const seen = new Date(await getHorizon(tx))
    await tx.insert(searchWatches).values({ accountId: caller.id, searchId: id, seenUntil: seen })
  })

export const unwatchSearch = async (db: Database, { id: accountId }: Account, id: string): Promise<void> => {
  await db.delete(searchWatches).where(and(eq(searchWatches.accountId, accountId), eq(searchWatches.searchId, id)))
}

/** Remembers what the account has seen. It never goes back, nor beyond now. Throws the 409 for a search that it does not watch. */
export async function setSearchSeen(db: Database, { id: accountId }: Account, id: string, until: string) {
  const rows = await rowsOf(
    db,
    sql`update ${searchWatches} set seen_until = greatest(seen_until, least(${until}::timestamptz, now()))
      where account_id = ${accountId} and search_id = ${id} returning account_id`,
  )
  if (rows.length === 0) throw new AppError(409, NOT_WATCHED)
}

/** Of an erased account: its own searches and what it watches. Shared ones go to managers. */
export async function deleteSearchesOf(tx: Database, accountId: string): Promise<void> {
  await tx.delete(searchWatches).where(eq(searchWatches.accountId, accountId))
  await tx.delete(savedSearches).where(and(eq(savedSearches.accountId, accountId), eq(savedSearches.isShared, false)))
}

/** Of several acts of a fellow at the same time, each counts those before. */
const lockSearchesOf = (tx: Database, { id }: Pick<Account, 'id'>) =>
  tx.execute(sql`select from ${accounts} where ${accounts.id} = ${id} for no key update`)

async function countSearches(tx: Database, { id }: Pick<Account, 'id'>) {
  const [row] = await rowsOf<{ own: number; shared: number; watched: number }>(
    tx,
    sql`select count(*)::int as own, count(*) filter (where is_shared)::int as shared,
        (select count(*)::int from ${searchWatches} where account_id = ${id}) as watched
      from ${savedSearches} where account_id = ${id}`,
  )
  return row ?? { own: 0, shared: 0, watched: 0 }
}

/** Throws the 404 and the 403. */
async function lockToChange(tx: Database, caller: Account, id: string): Promise<SearchRow> {
  await tx.execute(sql`select from ${savedSearches} where ${savedSearches.id} = ${id} for update`)
  const search = await getSearch(tx, caller, id)
  authorize(caller, rights.changeSearches, search.accountId)
  return search
}

/** What is for its fellow alone has no words in the audit log, which managers read. */
const logged = ({ id, name, isShared }: { id: string; name: string; isShared: boolean }) => ({
  ...{ id, isShared },
  ...(isShared && { name }),
})
