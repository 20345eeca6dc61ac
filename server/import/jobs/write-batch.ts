import { beginAct, importAct, withActor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { areErased } from '#server/import/store/erased.ts'
import {
  advance,
  type ImportRecord,
  type ImportRowRecord,
  type RowResult,
  saveResults,
} from '#server/import/store/store.ts'
import { listWithheld, withholdRows } from '#server/import/store/withheld.ts'
import { type AnyParsed, type AnyPlan, ChangedMeanwhile, type OpenRow } from '#server/import/target.ts'
import { type createThrottledNotifier, suppressNotifications } from './notifications.ts'
import type { Step } from './step.ts'

type Batch = {
  /** All rows of the batch. */
  rows: ImportRowRecord[]
  /** Rows that can be imported. */
  open: OpenRow<AnyParsed>[]
  announce: ReturnType<typeof createThrottledNotifier>
  /** All outcomes of the batch, and the progress with them. */
  progressOf: (results: RowResult[]) => { all: RowResult[]; to: Parameters<typeof advance>[2]['to'] }
}

/**
 * Plans the rows and writes them with their outcomes and the progress, in one transaction. Rows that repeat others come
 * after these, because they change their records.
 */
export async function writeBatch(
  step: Step,
  { done }: Pick<ImportRecord, 'done'>,
  { rows, open, announce, progressOf }: Batch,
): Promise<'more' | 'over'> {
  const { db, target, actor, uploader, yieldTurn } = step
  const { id } = step.import
  const plan = async (on: Database, rows: OpenRow<AnyParsed>[]) => {
    const plans = await target.planRows(on, { import: step.import, importer: uploader }, rows)
    return rows.map((one, index) => ({ ...one, plan: plans[index] as AnyPlan }))
  }
  const isRepeat = ({ row: { repeats }, isAdded }: OpenRow<AnyParsed>) => repeats !== null && !isAdded
  const planned = await plan(
    db,
    open.filter((one) => !isRepeat(one)),
  )
  try {
    return await withActor(db, actor, async (tx) => {
      await suppressNotifications(tx)
      await beginAct(tx, actor, importAct(id))
      // Checked again, because people may have been erased since the file was read.
      if (await areErased(tx, id, rows)) throw new ChangedMeanwhile()
      const numbers = await listWithheld(tx, target, step.import, rows)
      const kept = planned.filter(({ row }) => !numbers.has(row.row))
      const written = await target.writeRows(tx, step, kept)
      const repeats = open.filter((one) => isRepeat(one) && !numbers.has(one.row.row))
      if (repeats.length > 0) {
        await saveResults(tx, id, written)
        written.push(...(await target.writeRows(tx, step, await plan(tx, repeats))))
      }
      const { all, to } = progressOf([...written, ...(await withholdRows(tx, id, numbers))])
      await saveResults(tx, id, all)
      await advance(tx, step.import, { from: done, to })
      await announce(tx, 'created')
      return (await yieldTurn(tx)) ? 'over' : 'more'
    })
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return 'more'
    throw error
  }
}
