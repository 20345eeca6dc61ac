import {
  advance,
  countedWith,
  getImport,
  type ImportRowRecord,
  listRows,
  type RowResult,
} from '#server/import/store/store.ts'
import { deleteFileOfWithheld } from '#server/import/store/withheld.ts'
import { isRefusal } from '#server/import/target.ts'
import { runAdding } from './adding-step.ts'
import { createThrottledNotifier } from './notifications.ts'
import { inBatches, type Step } from './step.ts'
import { writeBatch } from './write-batch.ts'

/** A row that says no more than the one that it repeats. */
const isDone = ({ repeats, outcome, hasMore, isAdded }: ImportRowRecord) =>
  repeats !== null && outcome === 'duplicate' && !hasMore && !isAdded

/** Imports the rows. Judges each batch again, because records may have changed since the file was read. */
export async function runImport(step: Step): Promise<void> {
  if (step.import.stateAfterAdding !== null) return runAdding(step)
  const { db, target, uploader, pace, end } = step
  const { id } = step.import
  const announce = createThrottledNotifier(target)

  await inBatches(step, async () => {
    const { lastRow, done, counts } = await getImport(db, id)
    const rows = (await listRows(db, id, {}, { limit: pace.rows, after: { row: lastRow } })).slice(0, pace.rows)
    // For each batch: stages, fellows and tags may have changed.
    const parse = await target.createParser(db, step.import, uploader)
    if (rows.length === 0) {
      await db.transaction(async (tx) => {
        await advance(tx, step.import, { from: done, to: { state: 'done' } })
        await deleteFileOfWithheld(tx, id)
        await announce(tx, 'created', { isLast: true })
        await end(tx)
      })
      return 'over'
    }
    const refused: RowResult[] = []
    const open = rows.flatMap((row) => {
      if (row.outcome === 'refused' || isDone(row)) return []
      const parsed = parse(row.cells)
      if (!isRefusal(parsed)) return [{ row, parsed, isAdded: row.isAdded }]
      refused.push({ row: row.row, outcome: 'refused', faults: parsed.faults })
      return []
    })
    return writeBatch(
      step,
      { done },
      {
        rows,
        open,
        announce,
        progressOf: (results) => {
          const resultOf = new Map([...refused, ...results].map((result) => [result.row, result]))
          const all = rows.map((row) => resultOf.get(row.row) ?? row)
          const to = {
            done: done + rows.length,
            counts: countedWith(counts, all),
            lastRow: rows.at(-1)?.row ?? lastRow,
          }
          return { all: results, to }
        },
      },
    )
  })
}
