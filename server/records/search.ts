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
const FIRST_LOOK = 500
const LOOK_MAX = 3000
/** The same for a term shorter than a run, which the index has to put together from all runs that begin with it. */
const SHORT_LOOK_MAX = 20_000
/** More than expected is looked through, since matches do not lie evenly. */
const MARGIN = 1.25
/** The index is asked for so many weeks at a time, since each makes the others dearer; for many more, without weeks. */
const WEEKS_AT_ONCE = 3
const WEEKS_MAX = 24
/** So many runs tell a long term from most others; each more costs as much as the first. */
const RUNS_MAX = 4
/** Rows that show which runs are rare. */
const SAMPLED = 64

const likeTerm = (column: AnyColumn, term: string) =>
  sql`${column} like ${`%${fold(term).replaceAll(/[\\%_]/g, '\\$&')}%`}`

/** How many of the newest matches are wanted, and how far they are counted; never less far. */
type Wanted = { limit: number; countTo: number }

type Matches = { places: Place[]; matched: number }

/** What a statement found, about how many rows it spoke of, and where the next one goes on; nowhere after the last row. */
type Step = Matches & { looked: number; end: Place | undefined }

/** The newest places behind `after` whose text contains the term, in the order of lists, and how many there are. */
export async function searchNewest(
  db: Database,
  searched: Searched,
  term: string,
  { limit, countTo, after }: Wanted & { after: Place | undefined },
): Promise<Matches> {
  const search = { db, searched, term }
  const first = await lookThrough(search, after, FIRST_LOOK, { limit, countTo })
  const rowsPerMs = first.looked / (first.spanMs + 1)
  const lookMax = isShort(term) ? SHORT_LOOK_MAX : LOOK_MAX
  const { places } = first
  let { matched, looked, end } = first
  let runs: string[] | undefined

  while (end !== undefined && matched < countTo) {
    const wanted = { limit: limit - places.length, countTo: countTo - matched }
    // At least as many as before, so that a term whose matches have come to an end is not followed row by row.
    const rows = Math.max(looked, (wanted.countTo * looked) / (matched + 1))
    let step: Step
    if (rows * MARGIN <= lookMax) step = await lookThrough(search, end, Math.ceil(rows * MARGIN), wanted)
    else {
      runs ??= await tellingRuns(search)
      step = await askIndex(search, runs, end, { rows, rowsPerMs, limit: wanted.limit })
    }
    places.push(...step.places)
    matched += step.matched
    looked += step.looked
    end = step.end
  }
  return { places, matched: Math.min(matched, countTo) }
}

/** A term to look for, and where. */
type Search = { db: Database; searched: Searched; term: string }

/** Looks through so many rows behind a place, newest first, and no further than where enough are found. */
async function lookThrough(
  { db, searched: { from, where, placed, text }, term }: Search,
  after: Place | undefined,
  rows: number,
  { limit, countTo }: Wanted,
): Promise<Step & { spanMs: number }> {
  const [answer] = await rowsOf<{
    matched: number
    found: Found[]
    all: { looked: number; newest: number; oldest: number; last: string } | null
  }>(
    db,
    sql`with newest as materialized (
          select ${placed.id} as id, ${placed.createdAt} as at, ${likeTerm(text, term)} as is_match
          from ${from}
          where ${both(where, behind(placed, after))}
          order by ${inOrder(placed)}
          limit ${rows}
        ), matches as materialized (
          select at, id from newest where is_match limit ${countTo}
        )
        select (select count(*)::int from matches) as matched,
          ${foundIn(sql`matches limit ${limit}`)} as found,
          case when (select count(*) from matches) < ${countTo} then (
            select json_build_object('looked', count(*), 'newest', ${epoch(sql`max(at)`)},
              'oldest', ${epoch(sql`min(at)`)}, 'last', (array_agg(id))[count(*)])
            from newest
          ) end as all`,
  )
  if (answer === undefined) throw new Error('An aggregate came back without its row')
  const { matched, found, all } = answer
  const end = all?.looked === rows ? { createdAt: new Date(all.oldest), id: all.last } : undefined
  return {
    places: found.map(toPlace),
    matched,
    looked: all?.looked ?? 0,
    spanMs: all ? all.newest - all.oldest : 0,
    end,
  }
}

/**
 * Asks the index for what contains the term behind a place: in some of the weeks that about so many rows lie in, or in all
 * that there are.
 */
async function askIndex(
  { db, searched: { from, where, placed, text, grams }, term }: Search,
  runs: string[],
  after: Place,
  { rows, rowsPerMs, limit }: { rows: number; rowsPerMs: number; limit: number },
): Promise<Step> {
  const time = after.createdAt.getTime()
  const until = weekOf(time)
  const weeks = until - weekOf(time - rows / rowsPerMs) + 1
  // For a short term the index gathers all rows that it occurs in before it looks at weeks, so it is asked once.
  const atOnce = isShort(term) ? WEEKS_MAX : WEEKS_AT_ONCE
  const since = weeks > WEEKS_MAX ? undefined : until - Math.min(weeks, atOnce) + 1
  const query = (since === undefined ? runs : [weeksQuery(since, until), ...runs]).join(' & ')
  // Ordered afterwards: told of an order and a limit, the planner may rather read the whole table in that order.
  const [answer] = await rowsOf<{ matched: number; found: Found[] }>(
    db,
    sql`with matches as materialized (
          select ${placed.createdAt} as at, ${placed.id} as id
          from ${from}
          where ${grams} @@ ${query}::tsquery and ${likeTerm(text, term)} and ${both(where, behind(placed, after))}
        )
        select (select count(*)::int from matches) as matched,
          ${foundIn(sql`matches order by at desc, id desc limit ${limit}`)} as found`,
  )
  if (answer === undefined) throw new Error('An aggregate came back without its row')
  const matches = { places: answer.found.map(toPlace), matched: answer.matched }
  if (since === undefined) return { ...matches, looked: rows, end: undefined }
  const start = startOfWeek(since)
  const looked = rowsPerMs * (time - start.getTime())
  return { ...matches, looked, end: { createdAt: start, id: LEAST_ID } }
}

type Found = [at: number, id: string]

const epoch = (time: SQL) => sql`(extract(epoch from ${time}) * 1000)::float8`

/** Places as JSON, which is read faster than rows. */
const foundIn = (source: SQL) =>
  sql`(select coalesce(json_agg(json_build_array(${epoch(sql`at`)}, id)), '[]') from (select at, id from ${source}) page)`

const toPlace = ([at, id]: Found): Place => ({ createdAt: new Date(at), id })

const LEAST_ID = '00000000-0000-0000-0000-000000000000'

const isShort = (term: string) => runsOf(fold(term)).length < RUN_LENGTH

/**
 * As lexemes the runs that tell a term from most others: the rarest of the newest rows, and from different places of the
 * term before neighbours, which are found together. Of a short term all that begin with it.
 */
async function tellingRuns({ db, searched: { from, where, placed, text }, term }: Search): Promise<string[]> {
  const runs = runsOf(fold(term))
  if (isShort(term)) return [`${lexeme(runs[0] ?? '')}:*`]
  const whole = runs.slice(0, 1 - RUN_LENGTH)
  if (whole.length <= RUNS_MAX) return whole.map(lexeme)
  const sample = await rowsOf<{ text: string }>(
    db,
    sql`select ${text} as text from ${from} where ${where ?? sql`true`} order by ${inOrder(placed)} limit ${SAMPLED}`,
  )
  const rarest = whole
    .map((run, at) => ({ run, at, seen: sample.filter((row) => row.text.includes(run)).length }))
    .sort((one, other) => one.seen - other.seen)
  const apart: typeof rarest = []
  const near: typeof rarest = []
  for (const run of rarest) {
    const isNear = apart.some(({ at }) => Math.abs(at - run.at) < RUN_LENGTH)
    ;(isNear ? near : apart).push(run)
  }
  return [...apart, ...near].slice(0, RUNS_MAX).map(({ run }) => lexeme(run))
}

/** Any of the weeks from one to the other. */
const weeksQuery = (since: number, until: number) =>
  `(${Array.from({ length: until - since + 1 }, (_, index) => lexeme(weekMark(since + index))).join(' | ')})`
