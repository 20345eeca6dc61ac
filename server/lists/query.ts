import { and, eq, SQL, sql } from 'drizzle-orm'
import { type FilterName, type FilterValue, filters, type sharedFilters } from '#contract/filters.ts'
import type { ListQuery } from '#contract/record.ts'
import { accountOf } from '#server/account/active-accounts.ts'
import type { Database } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { featureFilters } from '#server/record-features.ts'
import { endOfDay, startOfDay } from '#server/records/days.ts'
import type { FilterContext } from '#server/records/feature.ts'
import type { RecordFilter, RecordKind } from '#server/records/kind.ts'
import { searchable } from '#server/records/write/search-text.ts'
import { type CohortKind, readCohort } from './cohorts/cohort.ts'
import { figureCohorts } from './cohorts/figures.ts'
import { changedByAct } from './cohorts/followed.ts'
import { newsSince } from './cohorts/news.ts'
import { sinceCohorts } from './cohorts/since.ts'
import { weekCohort } from './cohorts/week.ts'
import { qualityConditions } from './quality.ts'
import { type RecordsSort, sorts } from './sorts.ts'

/** A list of records of a kind as a value: which ones, and in which order. */
export type RecordQuery = {
  filters: {
    /** The account whose My Records are listed. They are read through its memberships, in the order of the list. */
    mine?: string | undefined
    /** The account of the fellow who found them. They are read in the same way. */
    foundBy?: string | undefined
    /** The tag that they have. They are read in the same way. */
    tag?: string | undefined
    /** The lowest and the highest rating. The records of each rating are read in the order of the list. */
    rating?: { min?: number | undefined; max?: number | undefined } | undefined
    /** The first moment at which they were added, and the first one at which they were not any more. */
    added?: { from?: Date | undefined; until?: Date | undefined } | undefined
    /** What all other filters require. */
    condition?: SQL | undefined
  }
  /** Folded as the searched texts are. */
  search?: string | undefined
  sort: RecordsSort
}

/** The secret signs cohorts. */
export type Reading = { db: Database; secret: string }

type Caller = FilterContext['caller']
type Context = Reading & FilterContext
type Filters = RecordQuery['filters']
type Condition<Value> = (value: Value, context: Context) => SQL | Filters | Promise<SQL | Filters>

/** What each filter of all kinds requires, with an index in the order of the newest for each condition. */
const conditions: { [Name in keyof typeof sharedFilters]: Condition<FilterValue<Name>> } = {
  mine: (mine, { caller }) => (mine === 'true' ? { mine: caller.id } : {}),
  by: async (fellow, { db }) => ({ foundBy: await accountOf(db, fellow) }),
  tag: (tag) => ({ tag }),
  rating: ({ ratingMin: min, ratingMax: max }) => ({ rating: { min, max } }),
  added: ({ addedAfter, addedBefore }, { timeZone }) => ({
    added: {
      from: addedAfter === undefined ? undefined : startOfDay(addedAfter, timeZone),
      until: addedBefore === undefined ? undefined : endOfDay(addedBefore, timeZone),
    },
  }),
  ...featureFilters,
  // As in its index.
  quietSince: (day, { timeZone }) =>
    sql`${records.lastActivityAt} < ${startOfDay(day, timeZone).toISOString()}::timestamptz`,
  quality: (value, { kind, db }) => qualityConditions[value](kind, db),
  cohort: async (value, { secret, ...of }) => {
    const { isMine, condition } = await readCohort(secret, cohortKinds, value, of)
    return { ...(isMine && { mine: of.caller.id }), condition }
  },
}

function givenOf(name: FilterName, query: Readonly<Record<string, unknown>>): unknown {
  const { parameters } = filters[name]
  if (name in parameters) return query[name]
  const given = Object.keys(parameters).filter((parameter) => query[parameter] !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given.map((parameter) => [parameter, query[parameter]]))
}

/** A list as its call describes it. */
export async function recordQuery(
  reading: Reading,
  kind: RecordKind,
  caller: Caller,
  { timeZone = 'UTC', ...query }: ListQuery,
): Promise<RecordQuery> {
  const context = { ...reading, kind, caller, timeZone }
  const ofKind: Readonly<Record<string, Condition<never>>> = { ...conditions, ...kind.filters }
  const required = await Promise.all(
    Object.entries(ofKind).flatMap(([name, condition]) => {
      const value = givenOf(name as FilterName, query)
      return value === undefined ? [] : condition(value as never, context)
    }),
  )
  const parts = required.map((one): Filters => (one instanceof SQL ? { condition: one } : one))
  return {
    filters: Object.assign({}, ...parts, { condition: and(...parts.map(({ condition }) => condition)) }),
    search: searchable(query.search) || undefined,
    sort: sorts[query.sort ?? 'newest'],
  }
}

/** Whether it shows all records of the kind, or all of the caller's. */
export const isUnfiltered = ({ filters, search }: RecordQuery): boolean =>
  (filters.foundBy ?? filters.tag ?? filters.rating ?? filters.added ?? filters.condition ?? search) === undefined

/** By the kind's lookup address in any spelling. An address without a normalised form matches nothing. */
export const hasAddress: RecordFilter = (address, { kind: { lookup } }) =>
  eq(records[lookup.column], lookup.keyOf(address) ?? '')

/** Every kind of cohort. Each reads its own parameters. */
export const cohortKinds = [
  ...sinceCohorts,
  changedByAct,
  newsSince,
  ...figureCohorts,
  weekCohort,
] as unknown as CohortKind<unknown[]>[]
