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
/** Where a short term is rarer than one row in so many, that is little, and the index is asked as for any other. */
const RARE_FROM = 150
/** More than expected is looked through, since matches do not lie evenly. */
const MARGIN = 1.25
/** The index is asked for so many weeks at a time, since each makes the others dearer; for many more, without weeks. */
const WEEKS_AT_ONCE = 3
const WEEKS_MAX = 6
/** So many runs tell a long term from most others; each more costs as much as the first. */
const RUNS_MAX = 4
/** Rows that show which runs are rare. */
const SAMPLED = 150

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
  const { places } = first
  let { matched, looked, end } = first
  // Once so many are known to be there, no more than the page has to be found.
  let goal = countTo
  let runs: string[] | undefined

  while (end !== undefined && matched < goal) {
    const wanted = { limit: limit - places.length, countTo: goal - matched }
    // At least as many as before, so that a term whose matches have come to an end is not followed row by row.
    const rows = Math.max(looked, (wanted.countTo * looked) / (matched + 1))
    let step: Step
    const lookMax = isShort(term) && matched * RARE_FROM >= looked ? SHORT_LOOK_MAX : LOOK_MAX
    if (rows * MARGIN <= lookMax) step = await lookThrough(search, end, Math.ceil(rows * MARGIN), wanted)
    else {
      runs ??= await tellingRuns(search)
      const span = rows / rowsPerMs
      if (weeksWithin(end, span) > WEEKS_MAX) {
        const enough = goal > limit ? wanted.countTo : undefined
        const rest = await askIndex(search, runs, end, { limit: wanted.limit, enough })
        if (rest.matched !== enough)
          return { places: [...places, ...rest.places], matched: Math.min(matched + rest.matched, countTo) }
        goal = limit
        continue
      }
      step = await askWeeks(search, runs, end, { span, rowsPerMs, limit: wanted.limit })
    }
    places.push(...step.places)
    matched += step.matched
    looked += step.looked
    end = step.end
  }
  return { places, matched: goal < countTo ? countTo : Math.min(matched, countTo) }
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

/** Asks the index for some of the weeks that lie within a span of milliseconds behind a place. */
async function askWeeks(
  search: Search,
  runs: string[],
  after: Place,
  { span, rowsPerMs, limit }: { span: number; rowsPerMs: number; limit: number },
): Promise<Step> {
  const time = after.createdAt.getTime()
  const until = weekOf(time)
  // For a short term the index gathers all rows that it occurs in before it looks at weeks, so it is asked once.
  const atOnce = isShort(search.term) ? WEEKS_MAX : WEEKS_AT_ONCE
  const since = until - Math.min(weeksWithin(after, span), atOnce) + 1
  const matches = await askIndex(search, [weeksQuery(since, until), ...runs], after, { limit })
  const before = startOfWeek(since).getTime() - 1
  return { ...matches, looked: rowsPerMs * (time - before), end: { createdAt: new Date(before), id: GREATEST_ID } }
}

const weeksWithin = ({ createdAt }: Place, span: number) => weekOf(createdAt) - weekOf(createdAt.getTime() - span) + 1

/**
 * Asks the index for what contains the term behind a place. With `enough`, no more are read than that: when there are so
 * many, it is not said which of them are the newest.
 */
async function askIndex(
  { db, searched: { from, where, placed, text, grams }, term }: Search,
  lexemes: string[],
  after: Place,
  { limit, enough }: { limit: number; enough?: number | undefined },
): Promise<Matches> {
  // Ordered afterwards: told of an order and a limit, the planner may rather read the whole table in that order.
  const [answer] = await rowsOf<{ matched: number; found: Found[] }>(
    db,
    sql`with matches as materialized (
          select ${placed.createdAt} as at, ${placed.id} as id
          from ${from}
          where ${grams} @@ ${lexemes.join(' & ')}::tsquery and ${likeTerm(text, term)}
            and ${both(where, behind(placed, after))}
          ${enough === undefined ? sql`` : sql`limit ${enough}`}
        )
        select (select count(*)::int from matches) as matched,
          ${foundIn(sql`matches order by at desc, id desc limit ${limit}`)} as found`,
  )
  if (answer === undefined) throw new Error('An aggregate came back without its row')
  return { places: answer.matched === enough ? [] : answer.found.map(toPlace), matched: answer.matched }
}

type Found = [at: number, id: string]

const epoch = (time: SQL) => sql`(extract(epoch from ${time}) * 1000)::float8`

/** Places as JSON, which is read faster than rows. */
const foundIn = (source: SQL) =>
  sql`(select coalesce(json_agg(json_build_array(${epoch(sql`at`)}, id)), '[]') from (select at, id from ${source}) page)`

const toPlace = ([at, id]: Found): Place => ({ createdAt: new Date(at), id })

const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

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
