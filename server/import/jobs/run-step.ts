import type { Database } from '#server/db/database.ts'
import { deleteFileOfWithheld } from '#server/import/store/blocked-people.ts'
import {
  advance,
  countedWith,
  getImport,
  type ImportRecord,
  type ImportRowRecord,
  listAddedRows,
  listRows,
} from '#server/import/store/store.ts'
import { createThrottledNotifier } from './notifications.ts'
import { inBatches, type Step } from './step.ts'
import { writeBatch } from './write-batch.ts'

/** A row that says no more than the one that it repeats. */
const isDone = ({ repeats, outcome, hasMore, isAdded }: ImportRowRecord) =>
  repeats !== null && outcome === 'duplicate' && !hasMore && !isAdded

/**
 * Imports the rows, or creates those that were added after the run. Judges each batch again, because records may have
 * changed since the file was read.
 */
export async function runImport(step: Step): Promise<void> {
  const { db, target, uploader, pace, end } = step
  const announce = createThrottledNotifier(target)

  await inBatches(step, async () => {
    const record = await getImport(db, step.import.id)
    const { id, lastRow, done, counts, stateAfterAdding } = record
    const rows = await listNext(db, record, pace.rows)
    if (rows.length === 0) {
      await db.transaction(async (tx) => {
        await advance(tx, step.import, {
          from: done,
          to: { state: stateAfterAdding ?? 'done', stateAfterAdding: null },
        })
        await deleteFileOfWithheld(tx, id)
        await announce(tx, 'created', { isLast: true })
        await end(tx)
      })
      return 'over'
    }
    // Rows that are added are counted already, with what they were before.
    const before = stateAfterAdding === null ? counts : countedWith(counts, rows, -1)
    return writeBatch(step, record, {
      rows,
      waiting: rows.filter((row) => row.outcome !== 'refused' && !isDone(row)),
      // For each batch: stages, fellows and tags may have changed.
      parse: await target.createParser(db, step.import, uploader),
      announce,
      progressOf: (results) => {
        const resultOf = new Map(results.map((result) => [result.row, result]))
        return {
          done: done + rows.length,
          counts: countedWith(
            before,
            rows.map((row) => resultOf.get(row.row) ?? row),
          ),
          lastRow: Math.max(lastRow, rows.at(-1)?.row ?? lastRow),
        }
      },
    })
  })
}

/** The rows of the next batch. */
const listNext = async (
  db: Database,
  { id, lastRow, stateAfterAdding }: ImportRecord,
  limit: number,
): Promise<ImportRowRecord[]> =>
  stateAfterAdding === null
    ? (await listRows(db, id, {}, { limit, after: { row: lastRow } })).slice(0, limit)
    : listAddedRows(db, id, limit)
