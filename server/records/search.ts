import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordMembers, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from './kind.ts'
import { isAfter, type PageRequest } from './paging.ts'
import type { RecordQuery } from './query.ts'
import { searchable, selectiveGrams } from './search-text.ts'

/** A kind with at most this many records is scanned completely, and its matches are counted. */
const COUNTED = 5_000
/**
 * The newest rows of a larger kind are scanned first: as many as cost no more than an index lookup of a common term.
 */
const NEWEST = 12_000
/** A term with more matches than this is found faster by scanning all rows, newest first. */
const INDEX_MAX = 2_000

export type Search = PageRequest & {
  kind: Pick<RecordKind, 'name'>
  query: RecordQuery & { search: string }
  /** The number of records of the kind. */
  count: number
}

type Matches = { ids: string[]; total: string }

/**
 * The ids of the newest matches after `after`, one more than `limit` when there is a next page, and the total: `12`, or
 * `200+` for more than 200.
 *
 * Scans the newest rows. If they do not fill the page, it asks the index of grams. If that has too many matches to
 * sort, it scans all rows, because such a common term is found soon.
 */
export async function searchRecords(db: Database, search: Search): Promise<Matches> {
  // Few records meet the condition of a filter.
  if (search.count <= COUNTED || search.query.filters.condition) return collect(db, search)
  const newest = await scan(db, search, NEWEST)
  if (newest.ids.length > search.limit) return newest
  const matches = await collect(db, search, INDEX_MAX)
  return Number(matches.total) <= INDEX_MAX ? matches : scan(db, search, search.count)
}

/** The matches among the newest rows. Stops after the last match that is needed. */
async function scan(db: Database, search: Search, rows: number): Promise<Matches> {
  const found = await rowsOf<{ id: string }>(
    db,
    sql`select id from (${searched(search)} order by created_at desc, id desc limit ${rows}) newest
      where ${isMatch(search)} limit ${search.limit + 1}`,
  )
  const ids = found.map(({ id }) => id)
  return { ids, total: ids.length > search.limit ? `${search.limit}+` : String(ids.length) }
}

/** All matches. With `most`, the matches of the index of grams, at most one more than `most`, in any order. */
async function collect(db: Database, search: Search, most?: number): Promise<Matches> {
  const isIndexed = most === undefined ? undefined : sql`grams @@ ${selectiveGrams(search.query.search)}::tsquery`
  // Sorted outside: given order and limit, the planner may prefer to read the whole table in that order.
  const [found] = await rowsOf<Matches>(
    db,
    sql`with matches as materialized (
      select created_at, id from (${searched(search)}) searched where ${and(isIndexed, isMatch(search))}
      limit ${most === undefined ? null : most + 1}
    )
    select count(*)::text as total, (select coalesce(json_agg(id), '[]') from (
      select id from matches order by created_at desc, id desc limit ${search.limit + 1}
    ) page) as ids from matches`,
  )
  return found ?? { ids: [], total: '0' }
}

/**
 * The rows to search after `after`. My Records are found through their members, which are in the order of their
 * records.
 */
function searched({ kind, query: { filters, sort }, after }: Search): SQL {
  const texts = sql`${records.searchText} as text, ${records.searchGrams} as grams`
  const isHere = and(isOfKind(records.kind, kind), filters.condition)
  if (filters.mine === undefined)
    return sql`select created_at, id, ${texts} from ${records} where ${and(isHere, isAfter(sort, records, after))}`
  const { accountId, recordId: id, createdAt, kind: itsKind } = recordMembers
  const isMine = and(eq(accountId, filters.mine), isOfKind(itsKind, kind), isAfter(sort, { createdAt, id }, after))
  return sql`select ${createdAt} as created_at, ${id} as id, ${texts}
    from ${recordMembers} join ${records} on ${records.id} = ${id} where ${and(isHere, isMine)}`
}

/** Same result as LIKE in half the time, without special characters. */
const isMatch = ({ query }: Search) => sql`strpos(text collate "C", ${searchable(query.search)}) > 0`
