import { sql } from 'drizzle-orm'
import { isAdvance } from '#contract/status.ts'
import { beginAct, revertOfImport } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { imports, recordTags, tags } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { listGone } from '#server/import/rows/pipeline-known.ts'
import type { ImportRowRecord } from '#server/import/store/store.ts'
import type { WriteContext } from '#server/import/target.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { mayAdvance } from '#server/pipeline/policy.ts'
import { forgetStays, restartClocks } from '#server/pipeline/stays.ts'
import { type AllPipelineValues, pipelineOf, restoredPipeline } from '#server/pipeline/values.ts'
import { changeEachPipeline } from '#server/records/write/write.ts'
import { notifyOfTags } from '#server/tags/notify.ts'
import type { PipelineUndo } from './write-pipeline.ts'

export const pipelineUndoOf = ({ before, after }: Pick<ImportRowRecord, 'before' | 'after'>): PipelineUndo => ({
  before: (before ?? {}) as PipelineUndo['before'],
  after: (after ?? {}) as PipelineUndo['after'],
})

/** The tags that rows have given to their records. */
export const tagRowsOf = (rows: ImportRowRecord[]): string[] =>
  rows.flatMap((row) => pipelineUndoOf(row).after.tagRows ?? [])

type Restored = { row: ImportRowRecord; record: RecordRow }

/**
 * Takes back what rows have changed in the pipelines and the tags of records, which are locked. The rows are in the order of
 * their revert. Returns the rows of which something was changed since, and stays.
 */
export async function revertPipelines(
  tx: Database,
  kind: EnrichedKind,
  step: WriteContext,
  allowed: Account,
  updated: Restored[],
): Promise<Set<number>> {
  const kept = new Set<number>()
  const now = new Map<string, AllPipelineValues>()
  const undone = updated.map(({ row, record }) => ({ row, record, undo: pipelineUndoOf(row) }))
  const changed = undone.filter(({ undo }) => undo.before.pipeline !== undefined)
  if (changed.length > 0) {
    const gone = await listGone(
      tx,
      changed.flatMap(({ undo }) => undo.before.pipeline ?? []),
    )
    const canAdvance = await mayAdvance(tx, allowed)
    for (const { row, record, undo } of changed) {
      const from = now.get(record.id) ?? pipelineOf(record)
      const { values, kept: names } = restoredPipeline(
        from,
        { ...from, ...undo.before.pipeline },
        { ...from, ...undo.after.pipeline },
      )
      const isGone = [values.stageId, values.responsibleId].some((id) => id !== null && gone.has(id))
      if (isGone || (isAdvance(from.status, values.status) && !canAdvance)) kept.add(row.row)
      else {
        now.set(record.id, values)
        if (names.length > 0) kept.add(row.row)
      }
    }
    const act = revertOfImport(step.import.id)
    const left = changed.flatMap(({ record: { id }, undo }) => {
      const values = now.get(id)
      return values && values.stageId !== undo.after.pipeline?.stageId ? id : []
    })
    await forgetStays(tx, step.import.id, left)
    await beginAct(tx, step.actor, { ...act, action: 'update-pipeline' })
    await changeEachPipeline(
      tx,
      kind,
      [...now].map(([id, values]) => ({ id, values })),
    )
    await restartClocks(tx, left)
    await beginAct(tx, step.actor, act)
  }
  await deleteTagRows(
    tx,
    tagRowsOf(updated.map(({ row }) => row)),
    updated.map(({ record }) => record.id),
  )
  return kept
}

/** Takes tags away from these records. A record that a merge has given the tag too keeps it. */
export async function deleteTagRows(tx: Database, ids: string[], recordIds: string[]): Promise<void> {
  if (ids.length === 0) return
  const among = (values: string[]) => sql`any (${sql.param(values)}::uuid[])`
  await tx.execute(sql`
    delete from ${recordTags} where ${recordTags.id} = ${among(ids)} and ${recordTags.recordId} = ${among(recordIds)}`)
  await tx.execute(sql`
    select arrange_tags(hidden.id) from (
      select distinct ${recordTags.recordId} as id from ${recordTags}
      where ${recordTags.recordId} = ${among(recordIds)} and not ${recordTags.isShown}
    ) hidden`)
}

/** Deletes the tags that an import has created and that no record has. */
export async function deleteCreatedTags(tx: Database, { import: { id }, actor }: WriteContext): Promise<void> {
  const created = sql`(select jsonb_array_elements_text(${imports.createdTags})::uuid from ${imports} where ${imports.id} = ${id})`
  // Locked first, so that no record gets one between the check and the deletion.
  const locked = await rowsOf(
    tx,
    sql`select from ${tags} where ${tags.id} in ${created} order by ${tags.id} for update`,
  )
  if (locked.length === 0) return
  const deleted = await rowsOf<{ id: string; name: string }>(
    tx,
    sql`delete from ${tags} where ${tags.id} in ${created}
      and not exists (select from ${recordTags} where ${recordTags.tagId} = ${tags.id})
      returning ${tags.id}, ${tags.name}`,
  )
  for (const { id: objectId, name } of deleted) {
    const detail = { revertedImport: id }
    await recordAuditEntry(tx, {
      ...{ action: 'delete', by: actor, kind: 'tag', objectId, before: { id: objectId, name }, detail },
    })
  }
  if (deleted.length > 0) await notifyOfTags(tx)
}
