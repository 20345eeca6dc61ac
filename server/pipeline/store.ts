import { and, eq } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { accounts, passingReasons, records, stages } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { absenceOf } from '#server/records/store.ts'
import { pipelineOf } from './values.ts'

/** The pipeline of a record, as `presentPipeline` takes it. */
export type PipelineRow = Awaited<ReturnType<typeof getPipeline>>

/** Throws the refusal for a record that is gone or merged away. */
export async function getPipeline(db: Database, kind: RecordKind, id: string) {
  const [row] = await db
    .select({
      ...pipelineOf(records),
      id: records.id,
      name: records.name,
      pipelineVersion: records.pipelineVersion,
      stageSince: records.stageSince,
      stageSpent: records.stageSpent,
      stageName: stages.name,
      reasonName: passingReasons.name,
      responsible: { id: accounts.publicId, name: shownName() },
    })
    .from(records)
    .leftJoin(stages, eq(stages.id, records.stageId))
    .leftJoin(passingReasons, eq(passingReasons.id, records.passingReasonId))
    .leftJoin(accounts, eq(accounts.id, records.responsibleId))
    .where(and(eq(records.id, id), isOfKind(records.kind, kind)))
  if (row === undefined) throw await absenceOf(db, kind, id)
  return row
}
