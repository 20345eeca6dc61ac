import { eq, inArray, sql } from 'drizzle-orm'
import { beginAct, withActor } from '#server/audit-log/actor.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { notes, recordMembers, records } from '#server/db/schema.ts'
import { deletePictureOf, saveChange } from '#server/records/corrections.ts'
import { isOfKind } from '#server/records/kind.ts'
import { changeableFields, rightsOf } from '#server/records/policy.ts'
import type { RecordRow } from '#server/records/row.ts'
import { getRecords } from '#server/records/store.ts'
import { deleteRecords } from '#server/records/write.ts'
import { deleteFile } from './file-store.ts'
import { createThrottledNotifier, suppressNotifications } from './notifications.ts'
import { inBatches, type Step } from './step.ts'
import {
  advance,
  countedWith,
  getImport,
  type ImportRowRecord,
  listLastRows,
  type RowResult,
  saveResults,
} from './store.ts'
import { revertOf } from './undo-row.ts'

const EDITED = 'Edited since the import'

/** Reverts the rows, from the last one to the first. Skips records that were edited since. */
export async function revertImport(step: Step): Promise<void> {
  const { db, kind, actor, pace, end, yieldTurn } = step
  const { id } = step.import
  const announce = createThrottledNotifier(kind)

  await inBatches(step, async () => {
    const { lastRow, done, counts } = await getImport(db, id)
    const batch = await listLastRows(db, id, { upTo: lastRow, limit: pace.rows })
    const first = batch.at(-1)
    if (first === undefined) {
      await deleteFile(db, id)
      await db.transaction(async (tx) => {
        await advance(tx, step.import, { from: done, to: { state: 'reverted', revertedAt: new Date() } })
        await announce(tx, 'deleted', { isLast: true })
        await end(tx)
      })
      return 'over'
    }
    const rows = batch.filter(hasRun)
    return withActor(db, actor, async (tx) => {
      await suppressNotifications(tx)
      await beginAct(tx, actor, { detail: { revertedImport: id } })
      const results = await revertRows(tx, step, rows)
      await saveResults(tx, id, results)
      const to = {
        done: done + rows.length,
        lastRow: first.row - 1,
        counts: countedWith(countedWith(counts, rows, -1), results),
      }
      await advance(tx, step.import, { from: done, to })
      await announce(tx, 'deleted')
      return (await yieldTurn(tx)) ? 'over' : 'more'
    })
  })
}

/** A row that a cancelled import has not reached still has the outcome of its preview. */
const hasRun = ({ outcome, recordId, after }: ImportRowRecord) =>
  (outcome === 'created' && recordId !== null) || (outcome === 'updated' && after !== null)

/** The rights of the uploader count, or those of a manager who reverts. */
const allowedOf = ({ actor, uploader }: Step): Account => (isManager(actor) ? actor : uploader)

async function revertRows(tx: Database, step: Step, rows: ImportRowRecord[]): Promise<RowResult[]> {
  const { kind } = step
  const allowed = allowedOf(step)
  const ids = [...new Set(rows.flatMap(({ recordId }) => recordId ?? []))]
  // Locked in the order of ids, so that no record changes between the check and its deletion.
  await tx.execute(sql`
    select from ${records} where ${inArray(records.id, ids)} and ${isOfKind(records.kind, kind)} order by id for update`)
  const present = new Map((await getRecords(tx, kind, allowed, ids)).map((record) => [record.id, record]))
  const touched = await touchedSince(tx, ids)
  const results: RowResult[] = []
  const deleted: string[] = []
  for (const row of rows) {
    const record = present.get(row.recordId ?? '')
    if (record === undefined) results.push(await revertGone(tx, row))
    else if (row.outcome === 'updated') results.push(await restore(tx, step, row, { record, present }))
    else if (touched.has(record.id) || record.version > 1) results.push(kept(row, EDITED))
    else if (!rightsOf(allowed, record).delete) results.push(kept(row, 'You may not delete this record'))
    else {
      deleted.push(record.id)
      results.push({ row: row.row, outcome: 'reverted' })
    }
  }
  if (deleted.length > 0) await deleteRecords(tx, kind, deleted)
  return results
}

const kept = ({ row, recordId, before, after }: ImportRowRecord, sentence: string): RowResult => ({
  ...{ row, recordId, before, after, faults: [{ sentence }] },
  outcome: 'kept',
})

/** A missing record was deleted, or merged into another one, which keeps its values. */
async function revertGone(tx: Database, row: ImportRowRecord): Promise<RowResult> {
  const merged = await tx.$count(records, eq(records.id, row.recordId ?? ''))
  return merged > 0 ? kept(row, 'Merged into another record since the import') : { row: row.row, outcome: 'reverted' }
}

/** The records with a note of an account, a further finder, or another record merged into them. */
async function touchedSince(tx: Database, ids: string[]): Promise<Set<string>> {
  const rows = await rowsOf<{ id: string }>(
    tx,
    sql`select ${notes.recordId} as id from ${notes} where ${inArray(notes.recordId, ids)} and ${notes.authorId} is not null
      union select ${recordMembers.recordId} from ${recordMembers}
        where ${inArray(recordMembers.recordId, ids)} and not ${recordMembers.isOwner}
      union select ${records.mergedInto} from ${records} where ${inArray(records.mergedInto, ids)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Restores the values that the record still has from the import. A later row of the batch meets the restored record. */
async function restore(
  tx: Database,
  step: Step,
  row: ImportRowRecord,
  { record, present }: { record: RecordRow; present: Map<string, RecordRow> },
): Promise<RowResult> {
  const { kind } = step
  const changeable = changeableFields(allowedOf(step), kind, record)
  const since = step.import.startedAt
  const { change, notesEdit, isChanged, isComplete } = revertOf(kind, record, row, { changeable, since })
  if (isChanged) {
    const restored = await saveChange(tx, kind, record, change, notesEdit)
    await deletePictureOf(tx, kind, record.id, change)
    present.set(record.id, { ...record, ...restored })
  }
  return isComplete ? { row: row.row, outcome: 'reverted', recordId: record.id } : kept(row, EDITED)
}
