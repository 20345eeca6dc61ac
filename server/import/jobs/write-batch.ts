import { beginAct, importAct, withActor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { listWithheld, withholdRows } from '#server/import/store/blocked-people.ts'
import { areErased } from '#server/import/store/erased.ts'
import {
  advance,
  type ImportRecord,
  type ImportRowRecord,
  type RowResult,
  saveResults,
} from '#server/import/store/store.ts'
import {
  type AnyParsed,
  ChangedMeanwhile,
  isRefusal,
  type OpenRow,
  type RowParser,
  type RowPlan,
} from '#server/import/target.ts'
import { type createThrottledNotifier, suppressNotifications } from './notifications.ts'
import type { Step } from './step.ts'

type Batch = {
  /** All rows of the batch. */
  rows: ImportRowRecord[]
  /** Those that are to be imported. */
  waiting: ImportRowRecord[]
  parse: RowParser<AnyParsed>
  announce: ReturnType<typeof createThrottledNotifier>
  /** The progress with the new outcomes of the batch. */
  progressOf: (results: RowResult[]) => Parameters<typeof advance>[2]['to']
}

/** The rows that can be imported, and those that cannot any more, with the reasons. */
function parseRows(parse: RowParser<AnyParsed>, rows: ImportRowRecord[]) {
  const open: OpenRow<AnyParsed>[] = []
  const refused: RowResult[] = []
  for (const row of rows) {
    const parsed = parse(row.cells)
    if (isRefusal(parsed)) {
      const marked = row.marks.map((sentence) => ({ sentence }))
      refused.push({ row: row.row, outcome: 'refused', faults: [...marked, ...parsed.faults] })
    } else open.push({ row, parsed, isAdded: row.isAdded })
  }
  return { open, refused }
}

/**
 * Plans the rows and writes them with their outcomes and the progress, in one transaction. Rows that repeat others come
 * after these, because they change their records.
 */
export async function writeBatch(
  step: Step,
  { done }: Pick<ImportRecord, 'done'>,
  { rows, waiting, parse, announce, progressOf }: Batch,
): Promise<'more' | 'over'> {
  const { db, target, actor, uploader, yieldToOthers } = step
  const { id } = step.import
  const { open, refused } = parseRows(parse, waiting)
  const plan = async (on: Database, rows: OpenRow<AnyParsed>[]) => {
    const plans = await target.planRows(on, { import: step.import, importer: uploader }, rows)
    return rows.map((one, index) => ({ ...one, plan: plans[index] as RowPlan }))
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
      written.push(...refused.filter(({ row }) => !numbers.has(row)), ...(await withholdRows(tx, id, numbers)))
      const repeats = open.filter((one) => isRepeat(one) && !numbers.has(one.row.row))
      if (repeats.length > 0) {
        await saveResults(tx, id, written)
        written.push(...(await target.writeRows(tx, step, await plan(tx, repeats))))
      }
      await saveResults(tx, id, written)
      await advance(tx, step.import, { from: done, to: progressOf(written) })
      await announce(tx, 'created')
      return (await yieldToOthers(tx)) ? 'over' : 'more'
    })
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return 'more'
    throw error
  }
}
