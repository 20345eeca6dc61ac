import { type AnyColumn, and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { NextStep } from '#contract/board.ts'
import { kinds } from '#contract/kinds.ts'
import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { records, stages } from '#server/db/schema.ts'
import type { Sort } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'

/** The soonest first. */
export const soonest = {
  name: 'soonest',
  direction: 'asc',
  columns: { nextOn: 'day', id: 'id' },
} as const satisfies Sort

const placed: Record<keyof typeof soonest.columns, AnyColumn> = { nextOn: records.nextOn, id: records.id }
const isVisible = sql`${records.kind} in (${sql.raw(kinds.map(({ name }) => `'${name}'`).join(', '))})`

/** The next steps with a date of the records for which a fellow is responsible. Without a page, all of them. */
export const listNextSteps = (
  db: Database,
  { id }: Pick<Account, 'id'>,
  { until, page }: { until?: string | undefined; page?: PageRequest<typeof soonest> },
) => {
  const found = db
    .select({
      id: records.id,
      kind: records.kind,
      name: records.name,
      nextStep: records.nextStep,
      nextOn: sql<string>`${records.nextOn}`,
      stageId: records.stageId,
      stageName: stages.name,
      status: records.status,
      version: records.pipelineVersion,
    })
    .from(records)
    .leftJoin(stages, eq(stages.id, records.stageId))
    .where(
      and(
        eq(records.responsibleId, id),
        isNotNull(records.nextOn),
        isVisible,
        until === undefined ? undefined : lte(records.nextOn, until),
        isAfter(soonest, placed, page?.after),
      ),
    )
    .orderBy(...orderOf(soonest, placed))
  return page === undefined ? found : found.limit(page.limit + 1)
}
export type NextStepRow = Awaited<ReturnType<typeof listNextSteps>>[number]

export const presentNextStep = ({ id, name, stageId, stageName, ...row }: NextStepRow): NextStep => ({
  ...row,
  record: { id, name },
  stage: stageId === null ? null : { id: stageId, name: stageName ?? '' },
})
