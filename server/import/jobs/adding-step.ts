import { and, asc, eq, inArray } from 'drizzle-orm'
import { importRows } from '#server/db/schema.ts'
import { advance, countedWith, getImport } from '#server/import/store/store.ts'
import { deleteFileOfWithheld } from '#server/import/store/withheld.ts'
import { isRefusal } from '#server/import/target.ts'
import { createThrottledNotifier } from './notifications.ts'
import { inBatches, type Step } from './step.ts'
import { writeBatch } from './write-batch.ts'

/** Creates the rows that were added after the run. Each has another outcome afterwards, so the next batch is the rest. */
export async function runAdding(step: Step): Promise<void> {
  const { db, target, uploader, pace, end } = step
  const { id } = step.import
  const announce = createThrottledNotifier(target)

  await inBatches(step, async () => {
    const { lastRow, done, counts, stateAfterAdding } = await getImport(db, id)
    const rows = await db
      .select()
      .from(importRows)
      .where(and(eq(importRows.importId, id), inArray(importRows.outcome, ['maybe', 'duplicate']), importRows.isAdded))
      .orderBy(asc(importRows.row))
      .limit(pace.rows)
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
    const parse = await target.createParser(db, step.import, uploader)
    const open = rows.flatMap((row) => {
      const parsed = parse(row.cells)
      return isRefusal(parsed) ? [] : [{ row, parsed, isAdded: true }]
    })
    return writeBatch(
      step,
      { done },
      {
        rows,
        open,
        announce,
        progressOf: (results) => {
          const written = new Set(results.map(({ row }) => row))
          const refused = rows.filter(({ row }) => !written.has(row))
          const all = [...results, ...refused.map(({ row, faults }) => ({ row, faults, outcome: 'refused' as const }))]
          const to = {
            done: done + rows.length,
            counts: countedWith(countedWith(counts, rows, -1), all),
            lastRow: Math.max(lastRow, rows.at(-1)?.row ?? lastRow),
          }
          return { all, to }
        },
      },
    )
  })
}
