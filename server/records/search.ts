import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordMembers, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from './kind.ts'
import { behind, newestFirst, type Place } from './paging.ts'
import { searchable, tellingGrams } from './search-text.ts'

/** Rows that are looked through first, so a kind with no more is counted exactly. Each further look takes four times as many. */
const LOOK_FIRST = 5_000
/** A term with more matches than this is found sooner by looking on through the rows, newest first. */
const INDEX_MAX = 10_000

/** What to search for: in all records of a kind, or with `mine` in the My Records of that account. */
export type Search = {
  kind: Pick<RecordKind, 'name'>
  mine?: string | undefined
  /** A further condition on records. */
  lookup?: SQL | undefined
  term: string
  limit: number
  after?: Place | undefined
}

/**
 * The ids of the newest matches behind `after`, one more than `limit` when there is a next page; and how many there are:
 * `12`, or `300+` for at least 300. Looks through the newest rows; if they do not fill the page, asks the index of grams;
 * if that has too many matches to sort, looks on, since such a term is soon found.
 */
export async function searchRecords(db: Database, search: Search): Promise<{ ids: string[]; total: string }> {
  const wanted = search.limit + 1
  let { ids, matched, end } = await look(db, search, { rows: LOOK_FIRST, wanted, after: search.after })
  if (end && ids.length < wanted && search.mine === undefined && search.lookup === undefined) {
    const all = await askIndex(db, search, wanted)
    if (all.matched <= INDEX_MAX) return { ids: all.ids, total: String(all.matched) }
  }
  for (let rows = 4 * LOOK_FIRST; end && ids.length < wanted; rows *= 4) {
    const further = await look(db, search, { rows, wanted: wanted - ids.length, after: end })
    ids = [...ids, ...further.ids]
    matched += further.matched
    end = further.end
  }
  return { ids, total: end ? `${matched}+` : String(matched) }
}

const ofKind = ({ kind, lookup }: Search) => and(isOfKind(records.kind, kind), lookup)

const isMatch = ({ term }: Search) =>
  sql`${records.searchText} like ${`%${searchable(term).replaceAll(/[\\%_]/g, '\\$&')}%`}`

const firstOf = (matches: SQL, wanted: number) =>
  sql`(select coalesce(json_agg(id), '[]') from (
    select id from ${matches} order by created_at desc, id desc limit ${wanted}
  ) page)`

type Look = { rows: number; wanted: number; after: Place | undefined }

/** Looks through so many rows behind a place. `end` is where they end, undefined when there are no more. */
async function look(db: Database, search: Search, { rows, wanted, after }: Look) {
  const { kind, mine } = search
  // My Records are found by their members, in the same order.
  const placed = mine === undefined ? records : { createdAt: recordMembers.createdAt, id: recordMembers.recordId }
  const members = sql`${recordMembers} join ${records} on ${records.id} = ${recordMembers.recordId}`
  const isMine =
    mine === undefined ? undefined : and(eq(recordMembers.accountId, mine), isOfKind(recordMembers.kind, kind))
  const [found] = await rowsOf<{ looked: number; matched: number; ids: string[]; last: [string, string] | null }>(
    db,
    sql`with newest as materialized (
      select ${placed.createdAt} as created_at, ${placed.id} as id, ${isMatch(search)} as is_match
      from ${mine === undefined ? records : members}
      where ${and(ofKind(search), isMine, behind(placed, after))}
      order by ${sql.join(newestFirst(placed), sql`, `)} limit ${rows}
    )
    select count(*)::int as looked, count(*) filter (where is_match)::int as matched,
      ${firstOf(sql`newest where is_match`, wanted)} as ids,
      (select json_build_array(created_at, id) from newest order by created_at, id limit 1) as last
    from newest`,
  )
  const { looked = 0, matched = 0, ids = [], last } = found ?? {}
  return { ids, matched, end: last && looked === rows ? { createdAt: new Date(last[0]), id: last[1] } : undefined }
}

/** Asks the index for every match, or for one more than `INDEX_MAX` of them, whichever those are. */
async function askIndex(db: Database, search: Search, wanted: number) {
  // Sorted afterwards: told of order and limit, the planner may rather read the whole table in that order.
  const [found] = await rowsOf<{ matched: number; ids: string[] }>(
    db,
    sql`with matches as materialized (
      select ${records.createdAt} as created_at, ${records.id} as id from ${records}
      where ${and(ofKind(search), sql`${records.searchGrams} @@ ${tellingGrams(search.term)}::tsquery`)}
        and ${and(isMatch(search), behind(records, search.after))}
      limit ${INDEX_MAX + 1}
    )
    select count(*)::int as matched, ${firstOf(sql`matches`, wanted)} as ids from matches`,
  )
  return found ?? { matched: 0, ids: [] }
}
