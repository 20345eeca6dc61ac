import { eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { records, stageChanges, stages } from '#server/db/schema.ts'
import { isOfKind, type RecordFilter } from './kind.ts'

/** Today in UTC. */
export const today = sql`(now() at time zone 'UTC')::date`

const isNext = { due: sql`${records.nextOn} = ${today}`, late: sql`${records.nextOn} < ${today}` }

const clockRuns = sql`${records.stageSince} is not null`

/** Longer in its stage than the stage's limit. Of a stage without a limit there is none. */
const isOverdue: SQL = sql`${clockRuns} and ${lt(
  records.stageSince,
  sql`(select now() - make_interval(days => ${stages.limitDays}) from ${stages} where ${stages.id} = ${records.stageId})`,
)}`

/** The filters by the pipeline, which all kinds share. Statuses are literals, as in their index. */
export const pipelineFilters: Readonly<Record<string, RecordFilter>> = {
  stage: (id) => (id === 'none' ? isNull(records.stageId) : eq(records.stageId, id)),
  status: (status) => sql`${records.status} = ${sql.raw(`'${status}'`)}`,
  next: (when) => isNext[when as keyof typeof isNext],
  reached: (id, kind) => sql`${records.id} in (
    select ${stageChanges.recordId} from ${stageChanges}
    where ${stageChanges.stageId} = ${id} and ${isOfKind(stageChanges.kind, kind)}
  )`,
  quality: () => isOverdue,
}
