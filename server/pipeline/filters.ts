import { and, eq, isNotNull, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { accountOf } from '#server/account/active-accounts.ts'
import type { Database } from '#server/db/database.ts'
import { records, stages } from '#server/db/schema.ts'
import { today } from '#server/records/days.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { listStages, stagesFrom } from './stages.ts'

/** Whether the next step is due today, or late, for a viewer whose day this is. */
export const isNext = (when: 'due' | 'late', today: string | Placeholder): SQL =>
  when === 'due' ? sql`${records.nextOn} = ${today}::date` : sql`${records.nextOn} < ${today}::date`

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

/**
 * In one of these stages, or once in it. One that was passed on its way in has no stay there. As in the index. The stages
 * are values, with which the planner estimates how many records have reached them.
 */
export const hasReached = (stages: readonly string[]): SQL =>
  sql`(${records.reached} && array[${sql.join(
    stages.map((stage) => sql`${stage}::uuid`),
    sql`, `,
  )}] and ${records.reached} <> '{}')`

export const pipelineFilters = {
  stage: (id) => (id === 'none' ? isNull(records.stageId) : eq(records.stageId, id)),
  // As in its indexes.
  status: (status) => sql`${records.status} = ${sql.raw(`'${status}'`)}`,
  responsible: async (fellow, { db }) =>
    fellow === 'none' ? isNull(records.responsibleId) : eq(records.responsibleId, await accountOf(db, fellow)),
  next: (when, { timeZone }) => isNext(when, today(timeZone)),
  reached: async (stage, { db }) => hasReached(stagesFrom(await listStages(db), stage)),
} satisfies RecordFeature['filters']
