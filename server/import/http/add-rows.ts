import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { ImportAdd, ImportOutcome, ImportState } from '#contract/import.ts'
import { onlyActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { importRows } from '#server/db/schema.ts'
import { AppError, invalid } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import type { ImportJobs } from '#server/import/jobs/jobs.ts'
import {
  countedWith,
  type ImportRecord,
  type ImportRowRecord,
  lockImport,
  updateImport,
} from '#server/import/store/store.ts'
import { authorizeImport } from './policy.ts'

// Rows that a person adds anyway: those that may be the same as a record, and duplicates that have more than it.

const STATES: readonly ImportState[] = ['ready', 'done', 'cancelled']

/** Whether a row can be added although a record is or may be the same. */
export const canAdd = (
  { state }: { state: ImportState },
  { outcome, hasMore }: { outcome: ImportOutcome; hasMore: boolean },
): boolean => (outcome === 'maybe' || (outcome === 'duplicate' && hasMore)) && STATES.includes(state)

/** Adds rows: before the import runs they are created with it, afterwards by a job of their own. */
export async function addRows(
  { db, jobs }: { db: Database; jobs: ImportJobs },
  caller: Caller,
  id: string,
  { rows }: ImportAdd,
  key: IdempotencyKey,
): Promise<void> {
  await jobs.open()
  const isQueued = await db.transaction(async (tx) => {
    await claimId(tx, key, id)
    const record = await lockImport(tx, id)
    if (record === undefined) return false
    authorizeImport(caller, record)
    if (!STATES.includes(record.state))
      throw new AppError(409, 'Rows can be added before this import runs, or after it')
    const by = onlyActor(caller)
    const added = await markAdded(tx, record, rows)
    const count = added.length
    await recordAuditEntry(tx, {
      ...{ action: 'add-rows', by, kind: 'import', objectId: id },
      detail: { name: record.fileName, rows: count },
    })
    const { state, counts } = record
    if (state === 'ready') {
      const previewed = added.map(({ hasMore }) => ({
        hasMore,
        outcome: hasMore ? ('duplicate' as const) : ('maybe' as const),
      }))
      await updateImport(tx, id, { counts: countedWith(countedWith(counts, previewed, -1), added) })
    }
    if (count === 0 || (state !== 'done' && state !== 'cancelled')) return false
    await updateImport(tx, id, { state: 'running', stateAfterAdding: state, done: 0, total: count })
    await jobs.queue(tx, 'running', { import: id, by })
    return true
  })
  if (isQueued) await jobs.wake('running')
}

/** Marks the rows. Throws the 400 when one of them cannot be added. */
async function markAdded(
  tx: Database,
  { id, state }: ImportRecord,
  rows: ImportAdd['rows'],
): Promise<Pick<ImportRowRecord, 'row' | 'outcome' | 'faults' | 'hasMore'>[]> {
  const isMaybe = eq(importRows.outcome, 'maybe')
  const hasMore = and(eq(importRows.outcome, 'duplicate'), importRows.hasMore)
  const isAsked = rows === 'all' ? isMaybe : and(inArray(importRows.row, rows), or(isMaybe, hasMore))
  const marked = await tx
    .update(importRows)
    .set({
      isAdded: true,
      ...(state === 'ready' && {
        ...{ outcome: 'created' as const, recordId: null },
        faults: sql`jsonb_path_query_array(${importRows.faults}, '$[*] ? (!exists(@.ofMatch))')`,
      }),
    })
    .where(and(eq(importRows.importId, id), isAsked))
    .returning({
      row: importRows.row,
      outcome: importRows.outcome,
      faults: importRows.faults,
      hasMore: importRows.hasMore,
    })
  const done = new Set(marked.map(({ row }) => row))
  const other = rows === 'all' ? undefined : rows.find((row) => !done.has(row))
  if (other !== undefined) throw invalid({ rows: `Row ${other} cannot be added` })
  return marked
}
