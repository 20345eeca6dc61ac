import { and, type SQL, sql } from 'drizzle-orm'
import { LOOKED_AT_MAX, SINCE_COUNT_MAX } from '#contract/limits.ts'
import type { SearchNews } from '#contract/saved-search.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { isListed } from '#server/lists/candidates.ts'
import { cohortValue, type Span } from '#server/lists/cohorts/cohort.ts'
import {
  idsOf,
  isAmong,
  isNew,
  isNews,
  isOfOther,
  type LookedAt,
  lastOf,
  lookedAt,
  newsSince,
  within,
} from '#server/lists/cohorts/news.ts'
import { type Reading, recordQuery } from '#server/lists/query.ts'
import { isMatch } from '#server/lists/search.ts'
import { getHorizon } from '#server/records/horizon.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { listQueryOf } from './query.ts'
import { listWatched, type SearchRow } from './store.ts'

export type Reader = { caller: Account; timeZone: string | undefined }

/** A search that its reader watches. */
export type WatchedRow = SearchRow & { seenUntil: number }

/** What of a search is new since a time, in milliseconds. */
export type CountedSearch = Pick<WatchedRow, 'id' | 'kind' | 'query' | 'seenUntil'>

/** `lastAt` is the time of the last of what is counted, in milliseconds. Null without any. */
export type Counted = { news: SearchNews; lastAt: number | null }

export const isWatched = (row: SearchRow): row is WatchedRow => row.seenUntil !== null

/** What has been read in the inbox is not new in the row of searches either. */
export const asRead = <Row extends WatchedRow>(row: Row): Row => ({
  ...row,
  seenUntil: Math.max(row.seenUntil, row.readUntil ?? 0),
})

/** The news of a search, as those who count them by themselves have them. */
export type SearchNewsOf = { row: WatchedRow } & Counted

/**
 * The searches that an account watches with their numbers: of each what is unread, else what came since it was done, by its id and in
 * milliseconds, else all since it was seen.
 */
export async function listNews(
  reading: Reading,
  kinds: readonly RecordKind[],
  reader: Reader,
  done: ReadonlyMap<string, number> = new Map(),
): Promise<SearchNewsOf[]> {
  const until = await getHorizon(reading.db)
  const rows = (await listWatched(reading.db, reader.caller)).filter(isWatched)
  const asDone = (row: WatchedRow) => ({ ...row, seenUntil: Math.max(row.seenUntil, done.get(row.id) ?? 0) })
  const found = new Map<string, Counted & Pick<WatchedRow, 'seenUntil'>>()
  for (const asMarked of [(row: WatchedRow) => asRead(asDone(row)), asDone, (row: WatchedRow) => row]) {
    const left = rows.map(asMarked).filter(({ id, seenUntil }) => {
      const { lastAt = null, seenUntil: countedFrom } = found.get(id) ?? {}
      return lastAt === null && countedFrom !== seenUntil
    })
    const counted = await countNews(reading, kinds, reader, left, until)
    for (const { id, seenUntil } of left) found.set(id, { ...(counted.get(id) as Counted), seenUntil })
  }
  return rows.map((row) => {
    const { news, lastAt } = found.get(row.id) as Counted
    return { row, news, lastAt }
  })
}

/**
 * The numbers of searches by their ids. The records of a kind that were added or acted on are read once, since the earliest
 * visit, and those of a later one are among them.
 */
export async function countNews(
  reading: Reading,
  kinds: readonly RecordKind[],
  reader: Reader,
  rows: readonly CountedSearch[],
  until: number,
): Promise<Map<string, Counted>> {
  const counted = new Map<string, Counted>()
  for (const kind of kinds) {
    const ofKind = rows.filter((row) => row.kind === kind.name)
    if (ofKind.length === 0) continue
    const earliest = Math.min(...ofKind.map(({ seenUntil }) => seenUntil))
    const looked = await lookedAt(reading.db, kind, [earliest, until])
    const searches = ofKind.map((row) => ({ row, span: spanOf(row, until) }))
    const few = searches.map((search) => ({ ...search, among: within(looked, search.span) }))
    const counts = await countAmong(
      reading,
      kind,
      reader,
      few.filter(({ among }) => among.length > 0 && among.length <= LOOKED_AT_MAX),
    )
    for (const { row, span, among } of few) {
      const { lastAt = null, ...numbers } = counts.get(row.id) ?? (among.length === 0 ? NONE : manyOf(among, span))
      const cohort = cohortValue({ secret: reading.secret, caller: reader.caller }, newsSince, ...span)
      counted.set(row.id, { news: { ...numbers, cohort }, lastAt })
    }
  }
  return counted
}

const spanOf = ({ seenUntil }: CountedSearch, until: number): Span => [Math.min(seenUntil, until), until]

const NONE = {
  ...{ new: { count: 0, hasMore: false }, changed: { count: 0, hasMore: false } },
  isMany: false,
  lastAt: null,
}

const manyOf = (among: LookedAt[], span: Span) => ({ ...NONE, isMany: true, lastAt: lastOf(among, span) })

const capped = (count: number) => ({ count: Math.min(count, SINCE_COUNT_MAX), hasMore: count > SINCE_COUNT_MAX })

type Numbers = Omit<SearchNews, 'cohort'> & Pick<Counted, 'lastAt'>

/** What of the news of a span is in each of these searches, by their ids, by the conditions of the lists themselves. */
async function countAmong(
  reading: Reading,
  kind: RecordKind,
  { caller, timeZone }: Reader,
  searches: { row: CountedSearch; span: Span; among: LookedAt[] }[],
): Promise<Map<string, Numbers>> {
  if (searches.length === 0) return new Map()
  const columns: SQL[] = []
  const counts: SQL[] = []
  const ofOther = sql`added.is_of_other`
  for (const [index, { row, span }] of searches.entries()) {
    const query = await recordQuery(reading, kind, caller, listQueryOf(kind, row.query, timeZone))
    const isInList = and(isListed(query.filters), isMatch({ query }, sql`${records.searchText}`))
    const [isIn, isAdded] = [sql.identifier(`is_in_${index}`), sql.identifier(`is_new_${index}`)]
    columns.push(
      sql`(${and(isNews(caller.id, span, ofOther), isInList)}) as ${isIn}, ${isNew(caller.id, span, ofOther)} as ${isAdded}`,
    )
    counts.push(sql`json_build_object(
      'new', count(*) filter (where ${isIn} and ${isAdded}), 'changed', count(*) filter (where ${isIn} and not ${isAdded}),
      'lastAt', extract(epoch from max(at) filter (where ${isIn})) * 1000
    )`)
  }
  const ids = [...new Set(searches.flatMap(({ among }) => idsOf(among)))]
  const [found] = await rowsOf<{ numbers: { new: number; changed: number; lastAt: number | null }[] }>(
    reading.db,
    sql`select json_build_array(${sql.join(counts, sql`, `)}) as numbers
      from (
        select ${sql.join(columns, sql`, `)}, greatest(${records.createdAt}, ${records.lastActivityAt}) as at
        from ${records} cross join lateral (select ${isOfOther(caller.id)} as is_of_other offset 0) added
        where ${and(isOfKind(records.kind, kind), isAmong(ids))} offset 0
      ) news`,
  )
  const numbersOf = (index: number): Numbers => {
    const { lastAt = null, ...counts } = found?.numbers[index] ?? { new: 0, changed: 0 }
    return { new: capped(counts.new), changed: capped(counts.changed), isMany: false, lastAt }
  }
  return new Map(searches.map(({ row }, index) => [row.id, numbersOf(index)]))
}
