import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { behind, both, epochMs, inOrder, type Place, type Placed } from './paging.ts'
import { type Sample, type SearchedTable, sampleOf } from './sample.ts'
import { fold, lexeme, RUN_LENGTH, runsOf, startOfWeek, weekMark, weekOf } from './search-text.ts'

// Finding the newest records that contain a term, at a cost that does not grow with the table. A common term is found by
// looking through the newest rows; a rare one by the index of runs of four characters, which `search_grams` in the
// migrations makes. How common a term is shows in a sample of the newest rows, and in the rows looked at first.

/** Where to search: a table, and what else must hold of its rows. */
export type Searched = {
  table: SearchedTable
  /** The table, joined with whatever `placed` or `where` need. */
  from: SQL
  where?: SQL | undefined
  /** What places a row; has an index in this order. */
  placed: Placed
}

/** Rows that are looked at where little is known of a term, and the most that are looked at without the index. */
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
/** So many runs, none of which need overlap, tell a term from most others; each more costs as much as the first. */
const RUNS_MAX = 4

const likeTerm = (column: AnyColumn, term: string) => sql`${column} like ${`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`}`

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
  const sample = await sampleOf(db, searched.table)
  const search: Search = { db, searched, term: fold(term), sample }
  const places: Place[] = []
  let matched = 0
  let looked = 0
  let end = after
  let isEnd = false
  // Once so many are known to be there, no more than the page has to be found.
  let goal = countTo
  // How common the term is among the rows known so far. The sample is of the newest rows of the whole table.
  const isTold = sample.isPart && after === undefined && searched.where === undefined
  const told = isTold ? { rows: sample.rows, seen: sample.seen(search.term) } : { rows: 0, seen: 0 }
  let rowsPerMs = sample.rowsPerMs

  while (!isEnd && matched < goal) {
    const wanted = { limit: limit - places.length, countTo: goal - matched }
    const known = told.rows + looked
    const seen = told.seen + matched
    // At least as many as before, so that a term whose matches have come to an end is not followed row by row.
    const rows = known === 0 ? FIRST_LOOK : MARGIN * Math.max(looked, (wanted.countTo * known) / (seen + 1))
    const span = rows / rowsPerMs
    let step: Step
    if (rows <= lookMax(search, seen, known)) {
      const { spanMs, ...look } = await lookThrough(search, end, Math.ceil(rows), wanted)
      if (known === 0) rowsPerMs = look.looked / (spanMs + 1)
      step = look
    } else if (weeksWithin(search, end, span) > WEEKS_MAX) {
      const rest = await askAllWeeks(search, end, wanted)
      if (rest === undefined) {
        goal = limit
        continue
      }
      step = { ...rest, looked: 0, end: undefined }
    } else {
      step = await askWeeks(search, end, { span, rowsPerMs, limit: wanted.limit })
    }
    places.push(...step.places)
    matched += step.matched
    looked += step.looked
    end = step.end
    isEnd = end === undefined
  }
  return { places, matched: goal < countTo ? countTo : Math.min(matched, countTo) }
}

/** A folded term to look for, where, and what is known of that. */
type Search = { db: Database; searched: Searched; term: string; sample: Sample }

/** The most rows to look through without the index, where so many of some rows had the term. */
const lookMax = ({ term }: Search, seen: number, rows: number) =>
  isShort(term) && seen * RARE_FROM >= rows ? SHORT_LOOK_MAX : LOOK_MAX

/** Looks through so many rows behind a place, newest first, and no further than where enough are found. */
async function lookThrough(
  { db, searched: { table, from, where, placed }, term }: Search,
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
          select ${placed.id} as id, ${placed.createdAt} as at, ${likeTerm(table.searchText, term)} as is_match
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
            select json_build_object('looked', count(*), 'newest', ${epochMs(sql`max(at)`)},
              'oldest', ${epochMs(sql`min(at)`)}, 'last', (array_agg(id))[count(*)])
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

/** Asks the index for some of the weeks that lie within a span of milliseconds behind a place, or behind none. */
async function askWeeks(
  search: Search,
  after: Place | undefined,
  { span, rowsPerMs, limit }: { span: number; rowsPerMs: number; limit: number },
): Promise<Step> {
  const time = timeOf(search, after)
  // For a short term the index gathers all rows that it occurs in before it looks at weeks, so it is asked once.
  const atOnce = isShort(search.term) ? WEEKS_MAX : WEEKS_AT_ONCE
  const since = weekOf(time) - Math.min(weeksWithin(search, after, span), atOnce) + 1
  // There may be rows that are newer than the sample.
  const weeks = weeksQuery(since, weekOf(time) + (after ? 0 : 1))
  const matches = await askIndex(search, after, { weeks, limit })
  const before = startOfWeek(since).getTime() - 1
  return { ...matches, looked: rowsPerMs * (time - before), end: { createdAt: new Date(before), id: GREATEST_ID } }
}

/** Of a place, and of the newest that there may be behind none. */
const timeOf = ({ sample }: Search, after: Place | undefined) => after?.createdAt.getTime() ?? sample.until

function weeksWithin(search: Search, after: Place | undefined, span: number) {
  const time = timeOf(search, after)
  return weekOf(time) - weekOf(time - span) + 1
}

/** Asks the index for all behind a place, or behind none; undefined when there are more than the page and all that count. */
async function askAllWeeks(
  search: Search,
  after: Place | undefined,
  { limit, countTo }: Wanted,
): Promise<Matches | undefined> {
  const enough = countTo > limit ? countTo : undefined
  const matches = await askIndex(search, after, { limit, enough })
  return matches.matched === enough ? undefined : matches
}

/**
 * Asks the index for what contains the term behind a place. With `enough`, no more are read than that: when there are so
 * many, it is not said which of them are the newest.
 */
async function askIndex(
  search: Search,
  after: Place | undefined,
  { weeks, limit, enough }: { weeks?: string; limit: number; enough?: number | undefined },
): Promise<Matches> {
  const { table, from, where, placed } = search.searched
  const query = [...(weeks === undefined ? [] : [weeks]), ...tellingRuns(search)].join(' & ')
  // Ordered afterwards: told of an order and a limit, the planner may rather read the whole table in that order.
  const [answer] = await rowsOf<{ matched: number; found: Found[] }>(
    search.db,
    sql`with matches as materialized (
          select ${placed.createdAt} as at, ${placed.id} as id
          from ${from}
          where ${table.searchGrams} @@ ${query}::tsquery and ${likeTerm(table.searchText, search.term)}
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

/** Places as JSON, which is read faster than rows. */
const foundIn = (source: SQL) =>
  sql`(select coalesce(json_agg(json_build_array(${epochMs(sql`at`)}, id)), '[]') from (select at, id from ${source}) page)`

const toPlace = ([at, id]: Found): Place => ({ createdAt: new Date(at), id })

const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const isShort = (term: string) => runsOf(term).length < RUN_LENGTH

/**
 * As lexemes the runs that tell a term from most others: of each of its stretches the rarest, since neighbours are mostly
 * found together. Of a short term all that begin with it.
 */
function tellingRuns({ term, sample }: Search): string[] {
  const runs = runsOf(term)
  if (isShort(term)) return [`${lexeme(runs[0] ?? '')}:*`]
  const whole = runs.slice(0, 1 - RUN_LENGTH)
  const stretches = Math.min(RUNS_MAX, Math.ceil(whole.length / RUN_LENGTH))
  return Array.from({ length: stretches }, (_, index) => {
    const stretch = whole.slice((index * whole.length) / stretches, ((index + 1) * whole.length) / stretches)
    return lexeme(stretch.reduce((rarest, run) => (sample.timesOf(run) < sample.timesOf(rarest) ? run : rarest)))
  })
}

/** Any of the weeks from one to the other. */
const weeksQuery = (since: number, until: number) =>
  `(${Array.from({ length: until - since + 1 }, (_, index) => lexeme(weekMark(since + index))).join(' | ')})`
