import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import type { QualityKind } from '#contract/quality-kinds.ts'
import type { ListQuery } from '#contract/record.ts'
import type { Account } from '#server/auth/session.ts'
import { endOfDay, startOfDay, today } from '#server/days.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'
import { readCohort } from './cohorts/cohort.ts'
import { cohortKinds } from './cohorts/list.ts'
import type { RecordFilter, RecordKind } from './kind.ts'
import { isWithoutOpinionOf } from './opinion-filter.ts'
import { isNext, pipelineFilters } from './pipeline-filters.ts'
import { qualityConditions } from './quality-filter.ts'
import { searchable } from './search-text.ts'
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

/** The filters of all kinds that are a condition. Each has an index in the order of the newest. */
const sharedFilters: Readonly<Record<string, RecordFilter>> = {
  // As in their indexes.
  hasNotes: (value) => sql`${records.lastNoteAt} ${sql.raw(value === 'true' ? '>' : '=')} timestamptz 'epoch'`,
  ...pipelineFilters,
}

/** The planner knows how many records an account has. It would guess for one that is read in the same statement. */
async function accountOf(db: Database, publicId: string): Promise<string> {
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.publicId, publicId))
  return account?.id ?? NIL
}

type ResolvedFilter = (value: string, kind: RecordKind, db: Database) => Promise<SQL>

/** The filters whose condition has values that are read first. */
const resolvedFilters: Readonly<Record<string, ResolvedFilter>> = {
  responsible: async (fellow, _kind, db) =>
    fellow === 'none' ? isNull(records.responsibleId) : eq(records.responsibleId, await accountOf(db, fellow)),
  quality: async (value, kind, db) => qualityConditions[value as QualityKind](kind, db),
}

/** The secret signs cohorts. */
export type Reading = { db: Database; secret: string }

/** A list as its call describes it. */
export async function recordQuery(
  { db, secret }: Reading,
  kind: RecordKind,
  caller: Pick<Account, 'id' | 'role'>,
  { search, mine, by, tag, sort, timeZone = 'UTC', limit: _limit, cursor: _cursor, in: _in, ...values }: ListQuery,
): Promise<RecordQuery> {
  const { ratingMin, ratingMax, addedAfter, addedBefore, next, opinion, cohort, ...filters } = values
  const conditions = await Promise.all(
    Object.entries(filters).map(([name, value]) => {
      const filter = resolvedFilters[name] ?? sharedFilters[name] ?? kind.filters[name]
      if (filter === undefined) throw new Error(`The list of ${kind.path} has no filter "${name}"`)
      return value === undefined ? undefined : filter(value, kind, db)
    }),
  )
  const shown = cohort === undefined ? undefined : readCohort(secret, cohortKinds, cohort, { kind, caller })
  const isAddedOn = addedAfter !== undefined || addedBefore !== undefined
  const hasRating = ratingMin !== undefined || ratingMax !== undefined
  return {
    filters: {
      mine: mine === 'true' || shown?.isMine ? caller.id : undefined,
      foundBy: by === undefined ? undefined : await accountOf(db, by),
      tag,
      rating: hasRating ? { min: ratingMin, max: ratingMax } : undefined,
      added: isAddedOn
        ? {
            from: addedAfter === undefined ? undefined : startOfDay(addedAfter, timeZone),
            until: addedBefore === undefined ? undefined : endOfDay(addedBefore, timeZone),
          }
        : undefined,
      condition: and(
        ...conditions,
        next && isNext(next, today(timeZone)),
        opinion && isWithoutOpinionOf(caller),
        shown?.condition,
      ),
    },
    search: searchable(search) || undefined,
    sort: sorts[sort ?? 'newest'],
  }
}

/** Whether it shows all records of the kind, or all of the caller's. */
export const isUnfiltered = ({ filters, search }: RecordQuery): boolean =>
  (filters.foundBy ?? filters.tag ?? filters.rating ?? filters.added ?? filters.condition ?? search) === undefined

/** By the kind's lookup address in any spelling. An address without a normalised form matches nothing. */
export const hasAddress: RecordFilter = (address, { lookup }) => eq(records[lookup.column], lookup.keyOf(address) ?? '')
