import { eq, type SQL, sql } from 'drizzle-orm'
import { TOO_FEW } from '#contract/limits.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, notes, recordMembers, records } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { endedStays, events, isByAnother, isRatedHigh, ownerId } from '#server/lists/cohorts/figures.ts'
import { type PeriodLength, periodOf, spanOf } from '#server/lists/cohorts/periods.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'

// A few statements over whole tables, each a set. docs/decisions/0042 has the definition of each figure.

type Kind = Pick<RecordKind, 'name'>

/** The newest periods that are shown. */
const SHOWN = { quarter: 8, month: 12 }

/** Whether a time is in a period that is shown: the current one, and those before it. */
function isShown(at: SQL | typeof records.createdAt, length: PeriodLength): SQL {
  const now = new Date()
  const months = (SHOWN[length] - 1) * (length === 'quarter' ? 3 : 1)
  const [from] = spanOf(periodOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)), length))
  const [, until] = spanOf(periodOf(now, length))
  return sql`${at} >= ${from.toISOString()}::timestamptz and ${at} < ${until.toISOString()}::timestamptz`
}

/** The period of a time, as text; null for one that is not shown. */
const periodIn = (at: SQL | typeof records.createdAt, length: PeriodLength): SQL => sql`case when ${isShown(at, length)}
  then to_char(${at} at time zone 'UTC', ${sql.raw(length === 'quarter' ? `'YYYY-"Q"Q'` : `'YYYY-MM'`)}) end`

/** A number in seconds, as days; null for too few records. */
const medianDays = (seconds: SQL, count: SQL) => sql<number | null>`case when ${count} >= ${sql.raw(String(TOO_FEW))}
  then percentile_cont(0.5) within group (order by ${seconds}) / 86400 end::float8`

const outcomes = {
  advanced: sql`count(*) filter (where status = 'advanced')::int`,
  passed: sql`count(*) filter (where status = 'passed')::int`,
}

export type AddedRow = {
  /** Null for all records. */
  period: string | null
  added: number
  advanced: number
  passed: number
  noted: number
  daysToNote: number | null
}

/** What became of the records that were added in each period, and of all. */
export const listAdded = (db: Database, kind: Kind, length: PeriodLength): Promise<AddedRow[]> =>
  rowsOf(
    db,
    sql`with first_notes as (
        select ${records.createdAt} as created_at, ${records.status} as status,
          min(${notes.createdAt}) filter (where ${isByAnother}) as noted_at
        from ${records} left join ${notes} on ${notes.recordId} = ${records.id} and ${isOfKind(notes.kind, kind)}
        where ${isOfKind(records.kind, kind)} group by ${records.id}
      ), placed as (
        select ${periodIn(sql`created_at`, length)} as period, status,
          case when noted_at is not null then greatest(0, extract(epoch from noted_at - created_at)) end as seconds
        from first_notes
      )
      select period, count(*)::int as added, ${outcomes.advanced} as advanced, ${outcomes.passed} as passed,
        count(seconds)::int as noted, ${medianDays(sql`seconds`, sql`count(seconds)`)} as "daysToNote"
      from placed group by grouping sets ((period), ()) having grouping(period) = 1 or period is not null
      order by period desc nulls first`,
  )

type ReachedRow = { period: string | null; reached: string[]; count: number }

/** The stages that they have been in: how many have been in exactly these. */
export const countReached = (db: Database, kind: Kind, length: PeriodLength): Promise<ReachedRow[]> =>
  rowsOf(
    db,
    sql`with placed as (
        select ${periodIn(records.createdAt, length)} as period, ${records.reached}::text[] as reached
        from ${records} where ${isOfKind(records.kind, kind)} and ${records.reached} <> '{}'
      )
      select period, reached, count(*)::int as count from placed
      group by grouping sets ((period, reached), (reached)) having grouping(period) = 1 or period is not null`,
  )

type WorkedRow = { period: string; step: string | null; count: number }

/** What happened in each period. Without a step: to how many records anything did. */
export const countWorked = (db: Database, kind: Kind, length: PeriodLength): Promise<WorkedRow[]> =>
  rowsOf(
    db,
    sql`with placed as materialized (
        select event.record_id, event.step, ${periodIn(sql`event.at`, length)} as period from (${events(kind)}) event
        where ${isShown(sql`event.at`, length)}
      )
      select period, step, count(*)::int as count from placed group by period, step
      union all
      select period, null, count(*)::int from (select distinct period, record_id from placed) once
      group by period`,
  )

type StayRow = { stage: string; count: number; days: number | null }

export const listTimesInStage = (db: Database, kind: Kind): Promise<StayRow[]> =>
  rowsOf(
    db,
    sql`select stage_id as stage, count(*)::int as count, ${medianDays(sql`seconds`, sql`count(*)`)} as days
      from (${endedStays(kind)}) ended group by stage_id`,
  )

type RatedRow = { fellow: string | null; name: string | null; rated: number; advanced: number; passed: number }

/** Of the records that were rated 8 to 10 when they were added, by creator. Those without a known one are one entry. */
export const listRated = (db: Database, kind: Kind): Promise<RatedRow[]> =>
  rowsOf(
    db,
    sql`with rated as (
        select ${ownerId} as owner, ${records.status} as status from ${records}
        where ${isOfKind(records.kind, kind)} and ${isRatedHigh}
      )
      select ${accounts.publicId} as fellow, ${shownName()} as name,
        count(*)::int as rated, ${outcomes.advanced} as advanced, ${outcomes.passed} as passed
      from rated left join ${accounts} on ${accounts.id} = rated.owner
      group by ${accounts.id} order by rated desc, name nulls last, fellow`,
  )

type MineRow = { step: string; count: number }

/** The records that a fellow has found, first or also: how many, what became of them, and of what they rated high. */
export const countMine = (db: Database, kind: Kind, account: string): Promise<MineRow[]> =>
  rowsOf(
    db,
    sql`with mine as materialized (
        select ${records.id} as id, ${records.status} as status, ${records.reached} as reached,
          ${records.passingReasonId} as reason_id,
          ${isRatedHigh} and ${ownerId} is not distinct from ${account}::uuid as is_rated_high
        from ${recordMembers} join ${records} on ${records.id} = ${recordMembers.recordId}
        where ${eq(recordMembers.accountId, account)} and ${isOfKind(recordMembers.kind, kind)}
          and (${recordMembers.isOwner} or ${recordMembers.isFinder}) and ${isOfKind(records.kind, kind)}
      )
      select 'found' as step, count(*)::int as count from mine
      union all select status, count(*)::int from mine where status in ('advanced', 'passed') group by status
      union all select 'reason:' || coalesce(reason_id::text, 'none'), count(*)::int from mine where status = 'passed' group by reason_id
      union all select 'rated', count(*)::int from mine where is_rated_high
      union all select 'rated:' || status, count(*)::int from mine where is_rated_high group by status
      union all select 'reached:' || array_to_string(reached, ','), count(*)::int from mine
      where reached <> '{}' group by reached`,
  )
