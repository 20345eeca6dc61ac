import { and, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { positionIn } from '#server/records/cursor.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { lastBeforeNext, type PageRequest } from '#server/records/paging.ts'
import { selectiveGrams } from '#server/records/write/search-text.ts'
import { candidates, unorderedRows } from './candidates.ts'
import type { RecordQuery } from './query.ts'

/** A kind with at most this many records is scanned completely, and its matches are counted. */
const COUNTED = 5_000
/** The first rows of a list of a larger kind are scanned first: as many as cost no more than the index for a common term. */
const FIRST = 12_000
/** A term with more matches than this is found faster by scanning all rows, newest first. */
const INDEX_MAX = 2_000

type Listed = PageRequest & { kind: Pick<RecordKind, 'name'>; query: RecordQuery }

/** `count` is the number of records of the kind. */
export type Search = Listed & { count: number }

/** `next`: the position of the last match of the page, when there is a next page. */
type Matches = { ids: string[]; total: string; next: PageRequest['after'] }

type Place = Record<string, unknown> & { id: string }

const matchesOf = ({ limit, query: { sort } }: Listed, places: Place[], total: string): Matches => {
  const last = lastBeforeNext(places, limit)
  return { ids: places.map(({ id }) => id), total, next: last && positionIn(sort, last) }
}

/**
 * The ids of the first matches of filters and search after `after`, one more than `limit` when there is a next page, and
 * the total: `12`, or `200+` for more than 200.
 *
 * A search scans the first rows that the filters show. If they do not fill the page, it asks the index of grams. If that
 * has too many matches to sort, it scans all rows, because such a common term is found soon.
 */
export async function searchRecords(db: Database, search: Search): Promise<Matches> {
  if (search.count <= COUNTED) return collect(db, search)
  if (search.query.search === undefined) return scan(db, search)
  const first = await scan(db, search, FIRST)
  if (first.ids.length > search.limit) return first
  const matches = await collect(db, search, INDEX_MAX)
  return Number(matches.total) <= INDEX_MAX ? matches : scan(db, search, search.count)
}

const TEXTS = [sql`${records.searchText} as text`, sql`${records.searchGrams} as grams`]

/** The matches among the first rows, by default of a page. Stops after the last match that is needed. */
export async function scan(db: Database, search: Listed, most = search.limit + 1): Promise<Matches> {
  const { rows, place, order } = candidates(search, most, TEXTS)
  const found = await rowsOf<{ place: Place }>(
    db,
    sql`select ${place} as place from (${rows} order by ${order} limit ${most}) first
      where ${isMatch(search)} limit ${search.limit + 1}`,
  )
  const places = found.map(({ place }) => place)
  return matchesOf(search, places, places.length > search.limit ? `${search.limit}+` : String(places.length))
}

/** All matches. With `most`, the matches of the index of grams, at most one more than `most`, in any order. */
async function collect(db: Database, search: Search, most?: number): Promise<Matches> {
  const isIndexed = most === undefined ? undefined : sql`grams @@ ${selectiveGrams(search.query.search ?? '')}::tsquery`
  const { rows, columns, place, order } = unorderedRows(search, TEXTS)
  // Sorted outside: given order and limit, the planner may prefer to read the whole table in that order.
  const [found] = await rowsOf<{ places: Place[]; total: string }>(
    db,
    sql`with matches as materialized (
      select ${columns} from (${rows}) searched where ${and(isIndexed, isMatch(search))}
      limit ${most === undefined ? null : most + 1}
    )
    select count(*)::text as total, (select coalesce(json_agg(place), '[]') from (
      select ${place} as place from matches order by ${order} limit ${search.limit + 1}
    ) page) as places from matches`,
  )
  return matchesOf(search, found?.places ?? [], found?.total ?? '0')
}

/** Same result as LIKE in half the time, without special characters. */
export const isMatch = ({ query: { search } }: Pick<Listed, 'query'>, text = sql`text`): SQL =>
  search === undefined ? sql`true` : sql`strpos(${text} collate "C", ${search}) > 0`
