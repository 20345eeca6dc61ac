import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { records, stageChanges, stages } from '#server/db/schema.ts'
import { isOfKind, type RecordFilter, type RecordKind } from './kind.ts'

/** Today in UTC. */
export const today = sql`(now() at time zone 'UTC')::date`

const isNext = { due: sql`${records.nextOn} = ${today}`, late: sql`${records.nextOn} < ${today}` }

/** Longer in its stage than the limit of the stage. The limits are values, with which the planner estimates how many are. */
export async function isOverdue(db: Database): Promise<SQL> {
  const limits = await db
    .select({ id: stages.id, days: sql<number>`${stages.limitDays}` })
    .from(stages)
    .where(isNotNull(stages.limitDays))
  if (limits.length === 0) return sql`false`
  const isOlder = (days: number) => lt(records.stageSince, sql`now() - make_interval(days => ${days}::int)`)
  const shortest = Math.min(...limits.map(({ days }) => days))
  return and(isOlder(shortest), or(...limits.map(({ id, days }) => and(eq(records.stageId, id), isOlder(days))))) as SQL
}

/** The ids of the records that are in a stage or were in it. One that was passed on its way in has no stay there. */
export const reachedIds = (stage: string, kind: Pick<RecordKind, 'name'>): SQL => sql`
  select ${stageChanges.recordId} from ${stageChanges}
  where ${stageChanges.stageId} = ${stage} and ${isOfKind(stageChanges.kind, kind)}
  union all
  select there.id from ${records} there where there.stage_id = ${stage} and ${isOfKind(sql`there.kind`, kind)}`

/** The filters by the pipeline, which all kinds share. Statuses are literals, as in their index. */
export const pipelineFilters: Readonly<Record<string, RecordFilter>> = {
  stage: (id) => (id === 'none' ? isNull(records.stageId) : eq(records.stageId, id)),
  status: (status) => sql`${records.status} = ${sql.raw(`'${status}'`)}`,
  next: (when) => isNext[when as keyof typeof isNext],
  reached: (id, kind) => sql`${records.id} in (${reachedIds(id, kind)})`,
}
