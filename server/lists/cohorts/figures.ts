import { and, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { HIGH_RATING } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, notes, recordMembers, records, stageChanges } from '#server/db/schema.ts'
import { hasReached } from '#server/pipeline/filters.ts'
import { listStages, stagesFrom } from '#server/pipeline/stages.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { authorize, rights } from '#server/rights.ts'
import type { CohortKind } from './cohort.ts'
import { isPeriod, spanOf } from './periods.ts'

// What the figures count. docs/decisions/0042 has the definition of each one. Merged and deleted
// records have another kind, so no figure counts them.

type Kind = Pick<RecordKind, 'name'>

/** The account that has added a record, where it is known. Most have a creator, and a call costs more than all else. */
export const ownerId = sql`coalesce(${records.creatorId}, owner_of(${records.creatorId}, ${records.creatorText}))`

/** Whether a note on the record in the enclosing query is by someone other than its creator. */
export const isByAnother = sql`case when ${notes.authorId} is null and ${ownerId} is null
  then ${notes.authorText} is distinct from ${records.creatorText}
  else ${notes.authorId} is distinct from ${ownerId} end`

/** Of records that were advanced or passed, when their time in stages has ended. */
export const decided = (kind: Kind): SQL => sql`
  select decided.id as record_id, decided.status as step, max(stay.left_at) as at
  from ${records} decided join ${stageChanges} stay on stay.record_id = decided.id
  where ${isOfKind(sql`decided.kind`, kind)} and decided.status in ('passed', 'advanced')
  group by decided.id, decided.status`

/** When records were first moved into each stage. */
const entered = (kind: Kind): SQL => sql`
  select stay.record_id, stay.stage_id::text as step, min(stay.entered_at) as at
  from ${stageChanges} stay where ${isOfKind(sql`stay.kind`, kind)} group by stay.record_id, stay.stage_id`

/** Whatever happened to records, and when: each step once. */
export const events = (kind: Kind): SQL => sql`
  select added.id as record_id, 'added' as step, added.created_at as at
  from ${records} added where ${isOfKind(sql`added.kind`, kind)}
  union all (${entered(kind)}) union all (${decided(kind)})`

/** The records whose time in each stage has ended, with the seconds that they were there. */
export const endedStays = (kind: Kind): SQL => sql`
  select stay.record_id, stay.stage_id, sum(extract(epoch from stay.left_at - stay.entered_at)) as seconds
  from ${stageChanges} stay where ${isOfKind(sql`stay.kind`, kind)}
  group by stay.record_id, stay.stage_id having bool_and(stay.left_at is not null)`

export const isRatedHigh = sql`${records.firstRating} >= ${sql.raw(String(HIGH_RATING))}`

/** Literals, as in their indexes. */
const hasStatus = (status: 'advanced' | 'passed') => sql`${records.status} = ${sql.raw(`'${status}'`)}`

const period = z.union([z.literal('all'), z.string().refine(isPeriod)])
const stage = z.guid().lowercase()
const step = z.union([z.enum(['all', 'noted', 'advanced', 'passed']), stage])
const workedStep = z.union([z.enum(['all', 'added', 'advanced', 'passed']), stage])
const outcome = z.enum(['rated', 'advanced', 'passed'])

const between = (column: SQL | typeof records.createdAt, period: string): SQL => {
  const [from, until] = spanOf(period)
  return sql`${column} >= ${from.toISOString()}::timestamptz and ${column} < ${until.toISOString()}::timestamptz`
}

/** What a record has come to by now. */
async function hasCome(db: Database, step: string): Promise<SQL | undefined> {
  if (step === 'all') return undefined
  if (step === 'advanced' || step === 'passed') return hasStatus(step)
  if (step === 'noted') {
    return sql`exists (select from ${notes} where ${notes.recordId} = ${records.id} and ${isByAnother})`
  }
  return hasReached(stagesFrom(await listStages(db), step))
}

const all = sql`true`

/** Only for managers. */
export const ofProgramme = <Params extends unknown[]>(kind: CohortKind<Params>): CohortKind<Params> => ({
  ...kind,
  isShared: true,
  filter: (context, ...params) => {
    authorize(context.caller, rights.programme)
    return kind.filter(context, ...params)
  },
})

/** Of the records added in a period, or of all. */
export const addedCohort = ofProgramme<[period: string, step: string]>({
  name: 'figure-added',
  params: z.tuple([period, step]),
  filter: async ({ db }, period, step) => ({
    condition: and(period === 'all' ? all : between(records.createdAt, period), await hasCome(db, step)) ?? all,
  }),
})

/** Of what happened in a period. */
export const workedCohort = ofProgramme<[period: string, step: string]>({
  name: 'figure-worked',
  params: z.tuple([z.string().refine(isPeriod), workedStep]),
  filter: ({ kind }, period, step) => ({
    condition: sql`${records.id} in (
      select event.record_id from (${events(kind)}) event
      where ${between(sql`event.at`, period)} ${step === 'all' ? sql`` : sql`and event.step = ${step}`}
    )`,
  }),
})

export const stayedCohort = ofProgramme<[stage: string]>({
  name: 'figure-stayed',
  params: z.tuple([stage]),
  filter: ({ kind }, stage) => ({
    condition: sql`${records.id} in (
      select ended.record_id from (${endedStays(kind)}) ended where ended.stage_id = ${stage}
    )`,
  }),
})

const hasOutcome = (outcome: 'rated' | 'advanced' | 'passed') =>
  outcome === 'rated' ? isRatedHigh : sql`${isRatedHigh} and ${hasStatus(outcome)}`

/** Of a fellow by the public id, of the programme, or of records without a known creator. */
export const calibrationCohort = ofProgramme<[fellow: string, outcome: z.infer<typeof outcome>]>({
  name: 'figure-rated',
  params: z.tuple([z.union([z.enum(['all', 'none']), stage]), outcome]),
  filter: (_context, fellow, outcome) => ({ condition: and(hasOutcome(outcome), isOf(fellow)) ?? all }),
})

function isOf(fellow: string): SQL | undefined {
  if (fellow === 'all') return undefined
  if (fellow === 'none') return sql`${ownerId} is null`
  return sql`${ownerId} = (select ${accounts.id} from ${accounts} where ${accounts.publicId} = ${fellow})`
}

/** Whether a fellow has found the record in the enclosing query, first or also. */
const isFoundBy = (account: string) => sql`exists (
  select from ${recordMembers} where ${recordMembers.recordId} = ${records.id}
    and ${recordMembers.accountId} = ${account} and (${recordMembers.isOwner} or ${recordMembers.isFinder})
)`

/** Of the records that the caller has found. */
export const myCohort: CohortKind<[step: string]> = {
  name: 'figure-mine',
  params: z.tuple([step]),
  filter: async ({ db, caller }, step) => ({
    isMine: true,
    condition: and(isFoundBy(caller.id), await hasCome(db, step)) ?? all,
  }),
}

export const myPassedCohort: CohortKind<[reason: string]> = {
  name: 'figure-my-passed',
  params: z.tuple([z.union([z.literal('none'), stage])]),
  filter: ({ caller }, reason) => ({
    isMine: true,
    condition: sql`${isFoundBy(caller.id)} and ${hasStatus('passed')}
      and ${records.passingReasonId} is not distinct from ${reason === 'none' ? null : reason}::uuid`,
  }),
}

export const myCalibrationCohort: CohortKind<[outcome: z.infer<typeof outcome>]> = {
  name: 'figure-my-rated',
  params: z.tuple([outcome]),
  filter: ({ caller }, outcome) => ({
    isMine: true,
    condition: sql`${hasOutcome(outcome)} and ${ownerId} = ${caller.id}`,
  }),
}

export const figureCohorts = [
  ...[addedCohort, workedCohort, stayedCohort, calibrationCohort, myCohort, myPassedCohort, myCalibrationCohort],
]
