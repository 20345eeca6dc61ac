import { beginAct, revertOfImport, withActor } from '#server/audit-log/actor.ts'
import { deleteFile } from '#server/import/store/file-store.ts'
import { advance, countedWith, getImport, listLastRows, saveResults } from '#server/import/store/store.ts'
import { createThrottledNotifier, suppressNotifications } from './notifications.ts'
import { inBatches, type Step } from './step.ts'

/** Reverts the rows, from the last one to the first. */
export async function revertImport(step: Step): Promise<void> {
  const { db, target, actor, pace, end, yieldToOthers } = step
  const { id } = step.import
  const announce = createThrottledNotifier(target)

  await inBatches(step, async () => {
    const { lastRow, done, counts } = await getImport(db, id)
    const batch = await listLastRows(db, id, { upTo: lastRow, limit: pace.rows })
    const first = batch.at(-1)
    if (first === undefined) {
      await deleteFile(db, id)
      await withActor(db, actor, async (tx) => {
        await target.endRevert?.(tx, step)
        await advance(tx, step.import, { from: done, to: { state: 'reverted', revertedAt: new Date() } })
        await announce(tx, 'deleted', { isLast: true })
        await end(tx)
      })
      return 'over'
    }
    const rows = batch.filter((row) => target.hasRun(row))
    return withActor(db, actor, async (tx) => {
      await suppressNotifications(tx)
      await beginAct(tx, actor, revertOfImport(id))
      const results = await target.revertRows(tx, step, rows)
      await saveResults(tx, id, results)
      const to = {
        done: done + rows.length,
        lastRow: first.row - 1,
        counts: countedWith(countedWith(counts, rows, -1), results),
      }
      await advance(tx, step.import, { from: done, to })
      await announce(tx, 'deleted')
      return (await yieldToOthers(tx)) ? 'over' : 'more'
    })
  })
}
