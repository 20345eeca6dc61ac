import { type AnyColumn, and, eq, type SQL, sql } from 'drizzle-orm'
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import { recordMembers, records, recordTags } from '#server/db/schema.ts'
import { LATEST, oldest, type Position } from '#server/records/cursor.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { isAfter, type PageRequest } from '#server/records/paging.ts'
import type { RecordQuery } from './query.ts'
import { memberSource, ratingOrder, recordSource, type SortColumns, type sorts, taggedSource } from './sorts.ts'

type Listed = { kind: Pick<RecordKind, 'name'>; query: Omit<RecordQuery, 'search'>; after: PageRequest['after'] }

type Candidates = {
  rows: SQL
  /** The columns of the sort, with `id`. */
  columns: SQL
  /** The same as one JSON value. */
  place: SQL
  order: SQL
}

/**
 * The records of a list after a position, without its search, as a query: the columns of the sort, and further ones. With
 * `order` and a limit, PostgreSQL reads them from an index in that order and stops.
 */
export function candidates(listed: Listed, limit: number, more: SQL[] = []): Candidates {
  const { filters, sort } = listed.query
  if (sort.name === 'stageAge') return byStageAge(listed, limit, more)
  // Those of each rating are in the order of the list. The limit is in each part, where the planner reads no more.
  if (filters.rating === undefined || sort.name !== 'newest' || isReadThrough(filters))
    return unorderedRows(listed, more)
  const each = ratingsIn(filters.rating).map((rating) => rowsQuery(listed, more, sql`${ratingOrder} = ${rating}`))
  const parts = each.length > 0 ? each : [rowsQuery(listed, more, sql`false`)]
  const { order } = namesOf(sort)
  const firstOfEach = parts.map((part) => sql`(${part} order by ${order} limit ${limit})`)
  return { ...namesOf(sort), rows: sql`select * from (${sql.join(firstOfEach, sql` union all `)}) rated` }
}

/**
 * Those whose time in their stage runs, which their index has in this order. Only where they do not reach, the others too, whose
 * place in the order is one value: they are in the order of the newest, backward.
 */
function byStageAge(listed: Listed, limit: number, more: SQL[]): Candidates {
  const { filters, sort } = listed.query
  const names = namesOf(sort)
  const { order } = names
  const after = listed.after as Position<typeof sorts.stageAge> | undefined
  const isRated = isRatedIn(filters.rating)
  const page = (listed: Listed, condition: SQL, place: Partial<SortColumns> = {}) =>
    sql`(${rowsQuery(listed, more, and(isRated, condition), place)} order by ${order} limit ${limit})`
  const isAmongLast = after !== undefined && after.stageOrder >= LATEST
  const ageless = sql`${records.stageSince} is null`
  const last = (condition?: SQL) =>
    page(
      { ...listed, after: undefined },
      and(ageless, condition, isAmongLast ? isAfter<typeof oldest>(oldest, recordSource, after) : undefined) as SQL,
      { stageOrder: sql.raw(`timestamptz '${LATEST.toISOString()}'`) },
    )
  if (isAmongLast) return { ...names, rows: sql`select * from ${last()} ageless` }
  // As in the index.
  const running = page(listed, sql`${records.stageSince} is not null`, { stageOrder: records.stageSince })
  return {
    ...names,
    rows: sql`select * from (
      with running as materialized ${running}
      select * from running union all select * from ${last(sql`(select count(*) from running) < ${limit}`)} ageless
    ) aged`,
  }
}

/** The same for a query that sorts all of them. */
export function unorderedRows(listed: Listed, more: SQL[] = []): Candidates {
  const { filters, sort } = listed.query
  return { ...namesOf(sort), rows: rowsQuery(listed, more, isRatedIn(filters.rating)) }
}

/** Whether a record of the enclosing query is in a filtered list, for statements that find records in another way. */
export const isListed = ({ mine, foundBy, tag, rating, added, condition }: RecordQuery['filters']): SQL | undefined =>
  and(
    condition,
    isRatedIn(rating),
    isAddedOn(added, records.createdAt),
    mine === undefined ? undefined : isMember(mine),
    foundBy === undefined ? undefined : isFoundBy(foundBy),
    tag === undefined ? undefined : isTagged(tag),
  )

const isRatedIn = (rating: RecordQuery['filters']['rating']) => {
  const { min = RATING_MIN, max = RATING_MAX } = rating ?? {}
  return rating && sql`${ratingOrder} between ${min} and ${max}`
}

const isAddedOn = (added: RecordQuery['filters']['added'], createdAt: AnyColumn | SQL) =>
  and(
    added?.from && sql`${createdAt} >= ${added.from.toISOString()}::timestamptz`,
    added?.until && sql`${createdAt} < ${added.until.toISOString()}::timestamptz`,
  )

function namesOf({ columns, direction }: RecordQuery['sort']) {
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const place = sql.raw(`json_build_object(${Object.keys(columns).map((name) => `'${name}', "${name}"`)})`)
  return {
    columns: sql.raw(names.join(', ')),
    place,
    order: sql.raw(names.map((name) => `${name} ${direction}`).join(', ')),
  }
}

const isOfAccount = ({ mine, foundBy }: RecordQuery['filters']) => mine !== undefined || foundBy !== undefined

/** Whether another table has them in the order of the list. */
const isReadThrough = (filters: RecordQuery['filters']) => isOfAccount(filters) || filters.tag !== undefined

function ratingsIn({ min = RATING_MIN, max = RATING_MAX }: NonNullable<RecordQuery['filters']['rating']>): number[] {
  return Array.from({ length: Math.max(0, max - min + 1) }, (_, index) => min + index)
}

/**
 * Those of an account are found through its memberships, and those with a tag through its rows, which are in the order of the
 * list, newest first. In another order the planner chooses: it sorts few of them, and of many it reads the first ones among
 * all records.
 */
function rowsQuery(
  { kind, query: { filters, sort }, after }: Listed,
  columns: SQL[],
  condition: SQL | undefined,
  sortColumns: Partial<SortColumns> = {},
): SQL {
  const { mine, foundBy, tag } = filters
  const source = isOfAccount(filters) ? memberSource : tag === undefined ? recordSource : taggedSource
  const place = { ...(sort.name === 'newest' ? source : recordSource), ...sortColumns }
  const shown = Object.keys(sort.columns).map(
    (name) => sql`${place[name as keyof typeof place]} as ${sql.identifier(name)}`,
  )
  const list = sql.join([...shown, ...columns], sql`, `)
  const where = and(
    isOfKind(records.kind, kind),
    filters.condition,
    isAddedOn(filters.added, place.createdAt),
    condition,
    isAfter(sort, place, after),
  )
  if (source === recordSource) return sql`select ${list} from ${records} where ${where}`
  if (source === taggedSource) {
    const hasTag = and(eq(recordTags.tagId, tag ?? ''), recordTags.isShown, isOfKind(recordTags.kind, kind))
    return sql`select ${list} from ${recordTags} join ${records} on ${records.id} = ${recordTags.recordId}
      where ${and(hasTag, where)}`
  }
  const isMember =
    mine === undefined
      ? sql`${recordMembers.accountId} = ${foundBy} and (${recordMembers.isOwner} or ${recordMembers.isFinder})`
      : and(eq(recordMembers.accountId, mine), foundBy === undefined ? undefined : isFoundBy(foundBy))
  return sql`select ${list} from ${recordMembers} join ${records} on ${records.id} = ${recordMembers.recordId}
    where ${and(isMember, isOfKind(recordMembers.kind, kind), tag === undefined ? undefined : isTagged(tag), where)}`
}

/** Not `exists`, for which PostgreSQL may read all records with the tag. */
const isTagged = (tagId: string) => sql`(
  select true from ${recordTags} tagged where tagged.record_id = ${records.id} and tagged.tag_id = ${tagId} and tagged.is_shown
)`

const isMember = (accountId: string) => sql`(
  select true from ${recordMembers} mine where mine.record_id = ${records.id} and mine.account_id = ${accountId}
)`

/** Not `exists`, for which PostgreSQL may read all that the fellow has found. */
const isFoundBy = (accountId: string) => sql`(
  select finding.is_owner or finding.is_finder from ${recordMembers} finding
  where finding.record_id = ${records.id} and finding.account_id = ${accountId}
)`
