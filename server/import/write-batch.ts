import { beginAct, withActor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import type { createThrottledNotifier } from './notifications.ts'
import { suppressNotifications } from './notifications.ts'
import { planRows } from './plan-rows.ts'
import type { Step } from './step.ts'
import { advance, type ImportRecord, type RowResult, saveResults } from './store.ts'
import { ChangedMeanwhile, type Planned, writeRows } from './write-rows.ts'

type Batch = {
  /** Rows that can be imported. */
  open: Omit<Planned, 'plan'>[]
  announce: ReturnType<typeof createThrottledNotifier>
  /** All outcomes of the batch, and the progress with them. */
  progressOf: (results: RowResult[]) => { all: RowResult[]; to: Parameters<typeof advance>[2]['to'] }
}

/** Judges the rows and writes them with their outcomes and the progress, in one transaction. */
export async function writeBatch(
  step: Step,
  { done }: Pick<ImportRecord, 'done'>,
  { open, announce, progressOf }: Batch,
): Promise<'more' | 'over'> {
  const { db, kind, actor, uploader, yieldTurn } = step
  const { id, duplicates, columns } = step.import
  const plan = async (db: Database, rows: Batch['open']) => {
    const plans = await planRows(db, { id, kind, importer: uploader, duplicates, columns }, rows)
    return rows.flatMap((one, index): Planned[] => {
      const plan = plans[index]
      return plan === undefined ? [] : [{ ...one, plan }]
    })
  }
  const planned = await plan(db, open)
  try {
    return await withActor(db, actor, async (tx) => {
      await suppressNotifications(tx)
      await beginAct(tx, actor, { detail: { import: id } })
      const { all, to } = progressOf(await writeRows(tx, step, planned, plan))
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
