import { eq } from 'drizzle-orm'
import type { Actor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Database } from '#server/db/database.ts'
import { imports } from '#server/db/schema.ts'
import { AppError } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { deleteFileOfWithheld } from '#server/import/store/blocked-people.ts'
import { deleteFile } from '#server/import/store/file-store.ts'
import { deleteSomeRows, type ImportRecord, lockImport, updateImport } from '#server/import/store/store.ts'
import { rest } from './step.ts'

// Cancelling and deleting imports. A person does it in the product, the operator by a command.

/** Without an actor, the operator. */
type By = Actor | undefined

/** Cancels an import that is read or runs. Its step ends before its next batch. */
export async function cancelImport(db: Database, id: string, by: By, key?: IdempotencyKey): Promise<void> {
  await db.transaction(async (tx) => {
    await claimId(tx, key, id)
    const record = await lockImport(tx, id)
    if (record === undefined) return
    const { state, fileName, done } = record
    if (state === 'reading') await updateImport(tx, id, { state: 'failed', error: 'Cancelled', step: record.step + 1 })
    else if (state === 'running') {
      // Rows that are added after a run leave an import that has run.
      const end = { state: record.stateAfterAdding ?? 'cancelled', stateAfterAdding: null }
      await updateImport(tx, id, { ...end, step: record.step + 1 })
      await deleteFileOfWithheld(tx, id)
    } else throw new AppError(409, 'Only an import that is being read or runs can be cancelled')
    const detail = { name: fileName, state, rows: done }
    await recordAuditEntry(tx, { action: 'cancel-import', by, kind: 'import', objectId: id, detail })
  })
}

/** Hides an import for good. `deleteRest` then deletes what it holds. */
export async function hideImport(
  db: Database,
  id: string,
  by: By,
  alsoDo: (tx: Database) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    const record = await lockImport(tx, id)
    if (record === undefined) return
    refuseWhileChanging(record)
    await updateImport(tx, id, { deletedAt: new Date(), step: record.step + 1 })
    const detail = { name: record.fileName, state: record.state }
    await recordAuditEntry(tx, { action: 'delete-import', by, kind: 'import', objectId: id, detail })
    await alsoDo(tx)
  })
}

function refuseWhileChanging({ state }: ImportRecord) {
  if (state === 'running') throw new AppError(409, 'This import is still running. Cancel it first.')
  if (state === 'reverting') throw new AppError(409, 'This import is being reverted. Try again when it has ended.')
}

const ROWS_AT_ONCE = 1_000
const PAUSE = { rows: ROWS_AT_ONCE, rest: 0.3 }

/** Deletes the file and the rows of a hidden import, in batches, and at last the import itself. */
export async function deleteRest(db: Database, id: string, signal?: AbortSignal): Promise<void> {
  const [hidden] = await db.select({ at: imports.deletedAt }).from(imports).where(eq(imports.id, id))
  if (!hidden?.at) return
  await deleteFile(db, id)
  for (let began = performance.now(); await deleteSomeRows(db, id, ROWS_AT_ONCE); began = performance.now()) {
    signal?.throwIfAborted()
    await rest(PAUSE, performance.now() - began)
  }
  await db.delete(imports).where(eq(imports.id, id))
}
