import { eq, sql } from 'drizzle-orm'
import type { Stay } from '#contract/board.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, records, stageChanges, stages } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { newest } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'

const placed = { createdAt: stageChanges.enteredAt, id: stageChanges.id }

/** A page of the stays of a record and of those that were merged into it, newest first, with one extra row. */
export const listStays = (db: Database, id: string, { limit, after }: PageRequest) =>
  db
    .select({
      ...placed,
      recordId: stageChanges.recordId,
      recordName: records.name,
      stage: { id: stages.id, name: stages.name },
      leftAt: stageChanges.leftAt,
      by: sql<string | null>`${shownName()}`,
    })
    .from(stageChanges)
    .innerJoin(stages, eq(stages.id, stageChanges.stageId))
    .innerJoin(records, eq(records.id, stageChanges.recordId))
    .leftJoin(accounts, eq(accounts.id, stageChanges.accountId))
    .where(
      sql`${stageChanges.recordId} = any (array(select tree.id from merged_tree(${id}) tree))
        and ${isAfter(newest, placed, after) ?? sql`true`}`,
    )
    .orderBy(...orderOf(newest, placed))
    .limit(limit + 1)
/** Takes the stays that an act has begun out of these records. `restartClocks` follows the change of their stages. */
export const forgetStays = (tx: Database, actId: string, ids: string[]) =>
  tx.execute(sql`select forget_stays(${actId}, ${sql.param(ids)}::uuid[])`)

/** Computes again what is derived from the stays of these records. */
export const restartClocks = (tx: Database, ids: string[]) =>
  tx.execute(sql`select restart_clocks(${sql.param(ids)}::uuid[])`)

type StayRow = Awaited<ReturnType<typeof listStays>>[number]

export const presentStay = (id: string, { stage, createdAt, leftAt, by, recordId, recordName }: StayRow): Stay => ({
  stage,
  enteredAt: createdAt.toISOString(),
  leftAt: leftAt?.toISOString() ?? null,
  by,
  ...(recordId !== id && { of: { id: recordId, name: recordName } }),
})
