import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { behind, both, inOrder, type Place, type Placed } from './paging.ts'
import { fold, lexeme, RUN_LENGTH, runsOf, startOfWeek, weekMark, weekOf } from './search-text.ts'

// Finding the newest records that contain a term, at a cost that does not grow with the table. A common term is found by
// looking through the newest rows; a rare one by the index of runs of four characters, which `search_grams` in the
// migrations makes. How common a term is shows in the rows looked at first.

/** Where to search: the columns of a table, and what else must hold of its rows. */
export type Searched = {
  /** The table, joined with whatever `placed` or `where` need. */
  from: SQL
  where?: SQL | undefined
  /** What places a row; has an index in this order. */
  placed: Placed
  text: AnyColumn
  grams: AnyColumn
}

/** Rows that are looked at before anything is known of a term, and the most that are looked at without the index. */
const FIRST_LOOK = 1000
const LOOK_MAX = 6000
/** The index is asked for so many weeks one by one; for more, without weeks. */
const WEEKS_MAX = 16
/** More than expected is looked through, since matches do not lie evenly. */
const MARGIN = 1.25
/** So many runs tell a long term from most others. */
const RUNS_MAX = 16

const epoch = (column: AnyColumn) => sql`(extract(epoch from ${column}) * 1000)::float8`
const likeTerm = (column: AnyColumn, term: string) =>
  sql`${column} like ${`%${fold(term).replaceAll(/[\\%_]/g, '\\$&')}%`}`

/** The newest places behind `after` whose text contains the term, in the order of lists; at most `limit`. */
export async function searchNewest(
  db: Database,
  searched: Searched,
  term: string,
  { limit, after }: { limit: number; after: Place | undefined },
): Promise<Place[]> {
  const first = await lookThrough(db, searched, term, after, FIRST_LOOK)
  const found = first.found
  const rowsPerMs = first.looked / (first.newest - first.oldest + 1)
  let looked = first.looked
  let end = first.end
  let weeks = 0

  while (end !== undefined && found.length < limit) {
    // At least as many as before, so that a term whose matches have come to an end is not followed row by row.
    const rows = Math.max(looked, Math.ceil(((limit - found.length) * looked * MARGIN) / (found.length + 1)))
    if (rows <= LOOK_MAX) {
      const next = await lookThrough(db, searched, term, end, rows)
      found.push(...next.found)
      looked += next.looked
      end = next.end
      continue
    }
    const until = weekOf(end.createdAt)
    weeks = Math.max(2 * weeks, until - weekOf(end.createdAt.getTime() - rows / rowsPerMs) + 1)
    const since = weeks > WEEKS_MAX ? undefined : until - weeks + 1
    found.push(...(await askIndex(db, searched, term, end, since)))
    if (since === undefined) break
    const start = startOfWeek(since)
    looked += rowsPerMs * (end.createdAt.getTime() - start.getTime())
    end = { createdAt: start, id: LEAST_ID }
  }
  return found.slice(0, limit)
}

/** Looks through so many rows behind a place, newest first. Without an `end` there are none left. */
async function lookThrough(
  db: Database,
  { from, where, placed, text }: Searched,
  term: string,
  after: Place | undefined,
  rows: number,
) {
  const [look] = await rowsOf<{
    looked: number
    newest: number
    oldest: number
    last: string
    found: [number, string][]
  }>(
    db,
    sql`select count(*)::int as looked, max(at) as newest, min(at) as oldest, (array_agg(id))[count(*)] as last,
          coalesce(json_agg(json_build_array(at, id)) filter (where is_match), '[]') as found
        from (
          select ${placed.id} as id, ${epoch(placed.createdAt)} as at, ${likeTerm(text, term)} as is_match
          from ${from}
          where ${both(where, behind(placed, after))}
          order by ${inOrder(placed)}
          limit ${rows}
        ) newest`,
  )
  if (look === undefined) throw new Error('An aggregate came back without its row')
  return {
    ...look,
    found: look.found.map(([at, id]) => ({ createdAt: new Date(at), id })),
    end: look.looked < rows ? undefined : { createdAt: new Date(look.oldest), id: look.last },
  }
}

/** Asks the index for all rows behind a place that contain the term, back to a week if one is given. */
async function askIndex(
  db: Database,
  { from, where, placed, text, grams }: Searched,
  term: string,
  after: Place,
  since: number | undefined,
): Promise<Place[]> {
  const query =
    since === undefined ? runsQuery(term) : `${weeksQuery(since, weekOf(after.createdAt))} & ${runsQuery(term)}`
  // Ordered afterwards: told of an order and a limit, the planner may rather read the whole table in that order.
  const rows = await rowsOf<{ id: string; at: number }>(
    db,
    sql`with found as materialized (
          select ${placed.id} as id, ${epoch(placed.createdAt)} as at
          from ${from}
          where ${grams} @@ ${query}::tsquery and ${likeTerm(text, term)} and ${both(where, behind(placed, after))}
        )
        select id, at from found order by at desc, id desc`,
  )
  return rows.map(({ at, id }) => ({ createdAt: new Date(at), id }))
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000'

/** All the runs of a term; of a short term those that begin with it. */
function runsQuery(term: string): string {
  const runs = runsOf(fold(term))
  const whole = runs.slice(0, 1 - RUN_LENGTH)
  if (whole.length === 0) return `${lexeme(runs[0] ?? '')}:*`
  const step = Math.ceil(whole.length / RUNS_MAX)
  return whole
    .filter((_, index) => index % step === 0)
    .map(lexeme)
    .join(' & ')
}

/** Any of the weeks from one to the other. */
const weeksQuery = (since: number, until: number) =>
  `(${Array.from({ length: until - since + 1 }, (_, index) => lexeme(weekMark(since + index))).join(' | ')})`
