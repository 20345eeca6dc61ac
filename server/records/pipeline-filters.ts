import { eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { records, stageChanges, stages } from '#server/db/schema.ts'
import { isOfKind, type RecordFilter, type RecordKind } from './kind.ts'

/** Today in UTC. */
export const today = sql`(now() at time zone 'UTC')::date`

const isNext = { due: sql`${records.nextOn} = ${today}`, late: sql`${records.nextOn} < ${today}` }

const clockRuns = sql`${records.stageSince} is not null`

/** Longer in its stage than the stage's limit. Of a stage without a limit there is none. */
export const isOverdue: SQL = sql`${clockRuns} and ${lt(
  records.stageSince,
  sql`(select now() - make_interval(days => ${stages.limitDays}) from ${stages} where ${stages.id} = ${records.stageId})`,
)}`

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
