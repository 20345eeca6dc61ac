import { type AnyColumn, and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { NextStep, NextStepCounts, NextStepsQuery } from '#contract/board.ts'
import { kinds } from '#contract/kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, records, stages } from '#server/db/schema.ts'
import type { Sort } from '#server/records/cursor.ts'
import { today } from '#server/records/days.ts'
import { isOfAny } from '#server/records/kind.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import { isNext } from './filters.ts'

/** The soonest first. */
export const soonest = {
  name: 'soonest',
  direction: 'asc',
  columns: { nextOn: 'day', id: 'id' },
} as const satisfies Sort

const placed: Record<keyof typeof soonest.columns, AnyColumn> = { nextOn: records.nextOn, id: records.id }
const isVisible = isOfAny(records.kind)

/** The next steps with a date of the records for which a fellow is responsible. Without a page, all of them. */
export const listNextSteps = (
  db: Database,
  { id }: Pick<Account, 'id'>,
  { until, next, timeZone = 'UTC', page }: Partial<NextStepsQuery> & { page?: PageRequest<typeof soonest> },
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
        next && isNext(next, today(timeZone)),
        isAfter(soonest, placed, page?.after),
      ),
    )
    .orderBy(...orderOf(soonest, placed))
  return page === undefined ? found : found.limit(page.limit + 1)
}
export type NextStepRow = Awaited<ReturnType<typeof listNextSteps>>[number]

const stepsUntil = prepared((db) =>
  db
    .select({
      responsible: accounts.publicId,
      kind: records.kind,
      isLate: sql<boolean>`${isNext('late', sql.placeholder('today'))}`.as('is_late'),
      count: sql<number>`count(*)::int`,
    })
    .from(records)
    .innerJoin(accounts, eq(accounts.id, records.responsibleId))
    .where(
      and(
        eq(records.responsibleId, sql.placeholder('id')),
        sql`${records.nextOn} <= ${sql.placeholder('today')}::date`,
        isVisible,
      ),
    )
    .groupBy(accounts.publicId, records.kind, sql`is_late`)
    .prepare('next_steps'),
)

/** How many next steps of a fellow are late, and due today, as lists show them. Undefined without any. */
export async function countNextSteps(
  db: Database,
  { id }: Pick<Account, 'id'>,
  timeZone = 'UTC',
): Promise<NextStepCounts | undefined> {
  const rows = await stepsUntil(db).execute({ id, today: today(timeZone) })
  const counts = (isLate: boolean) =>
    Object.fromEntries(
      kinds.map(({ name, path }) => [path, rows.find((row) => row.kind === name && row.isLate === isLate)?.count ?? 0]),
    ) as NextStepCounts['late']
  return rows[0] && { responsible: rows[0].responsible, late: counts(true), due: counts(false) }
}

export const presentNextStep = ({ id, name, stageId, stageName, ...row }: NextStepRow): NextStep => ({
  ...row,
  record: { id, name },
  stage: stageId === null ? null : { id: stageId, name: stageName ?? '' },
})
