import { beginAct, withActor } from '#server/audit-log/actor.ts'
import { type createThrottledNotifier, suppressNotifications } from './notifications.ts'
import type { Step } from './step.ts'
import { advance, type ImportRecord, type RowResult, saveResults } from './store.ts'
import { type AnyParsed, type AnyPlan, ChangedMeanwhile, type OpenRow } from './target.ts'

type Batch = {
  /** Rows that can be imported. */
  open: OpenRow<AnyParsed>[]
  announce: ReturnType<typeof createThrottledNotifier>
  /** All outcomes of the batch, and the progress with them. */
  progressOf: (results: RowResult[]) => { all: RowResult[]; to: Parameters<typeof advance>[2]['to'] }
}

/** Plans the rows and writes them with their outcomes and the progress, in one transaction. */
export async function writeBatch(
  step: Step,
  { done }: Pick<ImportRecord, 'done'>,
  { open, announce, progressOf }: Batch,
): Promise<'more' | 'over'> {
  const { db, target, actor, uploader, yieldTurn } = step
  const { id } = step.import
  const plans = await target.planRows(db, { import: step.import, importer: uploader }, open)
  const planned = open.map((one, index) => ({ ...one, plan: plans[index] as AnyPlan }))
  try {
    return await withActor(db, actor, async (tx) => {
      await suppressNotifications(tx)
      await beginAct(tx, actor, { detail: { import: id } })
      const { all, to } = progressOf(await target.writeRows(tx, step, planned))
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
