import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordMembers, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from './kind.ts'
import { afterPosition, type Position } from './paging.ts'
import { searchable, selectiveGrams } from './search-text.ts'

/** A kind with no more records is looked through whole, and its matches are counted. */
const COUNTED = 5_000
/** The newest rows of a larger kind are looked through first: as many as cost no more than the index of a common term. */
const NEWEST = 12_000
/** A term with more matches than these is found sooner by looking through all rows, newest first. */
const INDEX_MAX = 2_000

/** What to search for: in all records of a kind, or with `mine` in the My Records of that account. */
export type Search = {
  kind: Pick<RecordKind, 'name'>
  /** How many records of the kind there are. */
  count: number
  mine?: string | undefined
  /** A further condition on records, which few of them meet. */
  lookup?: SQL | undefined
  term: string
  limit: number
  after?: Position | undefined
}

type Matches = { ids: string[]; total: string }

/**
 * The ids of the newest matches after `after`, one more than `limit` when there is a next page; and how many there are:
 * `12`, or `200+` for more than 200. Looks through the newest rows; if they do not fill the page, asks the index of grams;
 * if that has too many matches to sort, looks through all rows, since such a term is soon found.
 */
export async function searchRecords(db: Database, search: Search): Promise<Matches> {
  if (search.count <= COUNTED || search.lookup) return gather(db, search)
  const newest = await look(db, search, NEWEST)
  if (newest.ids.length > search.limit) return newest
  const matches = await gather(db, search, INDEX_MAX)
  return Number(matches.total) <= INDEX_MAX ? matches : look(db, search, search.count)
}

/** The matches among the newest rows: no more than are wanted, and no row is read after the last of them. */
async function look(db: Database, search: Search, rows: number): Promise<Matches> {
  const found = await rowsOf<{ id: string }>(
    db,
    sql`select id from (${searched(search)} order by created_at desc, id desc limit ${rows}) newest
      where ${isMatch(search)} limit ${search.limit + 1}`,
  )
  const ids = found.map(({ id }) => id)
  return { ids, total: ids.length > search.limit ? `${search.limit}+` : String(ids.length) }
}

/** All matches; with `most` those that the index of grams brings, and one more than `most`, whichever those are. */
async function gather(db: Database, search: Search, most?: number): Promise<Matches> {
  const isIndexed = most === undefined ? undefined : sql`grams @@ ${selectiveGrams(search.term)}::tsquery`
  // Sorted afterwards: told of order and limit, the planner may rather read the whole table in that order.
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

/** The rows after `after` to search in. My Records are found by their members, which have the order of their records. */
function searched({ kind, mine, lookup, after }: Search): SQL {
  const texts = sql`${records.searchText} as text, ${records.searchGrams} as grams`
  const isHere = and(isOfKind(records.kind, kind), lookup)
  if (mine === undefined)
    return sql`select created_at, id, ${texts} from ${records} where ${and(isHere, afterPosition(records, after))}`
  const { accountId, recordId: id, createdAt, kind: itsKind } = recordMembers
  const isMine = and(eq(accountId, mine), isOfKind(itsKind, kind), afterPosition({ createdAt, id }, after))
  return sql`select ${createdAt} as created_at, ${id} as id, ${texts}
    from ${recordMembers} join ${records} on ${records.id} = ${id} where ${and(isHere, isMine)}`
}

/** Finds what LIKE finds in half the time, and takes every character as it is. */
const isMatch = ({ term }: Search) => sql`strpos(text collate "C", ${searchable(term)}) > 0`
