import { beginAct, withActor } from '#server/audit-log/actor.ts'
import { isManager } from '#server/auth/policy.ts'
import { runAdding } from './adding-step.ts'
import { judge } from './judge.ts'
import { beQuiet, createAnnouncer } from './quiet.ts'
import { inBatches, type Step } from './step.ts'
import { advance, countedWith, getImport, listRows, saveResults } from './store.ts'
import { isRefusal, rowParser } from './values.ts'
import { ChangedMeanwhile, type Judged, writeRows } from './write-rows.ts'

/** Imports the rows. Judges each batch again, because records may have changed since the file was read. */
export async function runImport(step: Step): Promise<void> {
  if (step.import.stateAfterAdding !== null) return runAdding(step)
  const { db, kind, actor, uploader, pace, end, yieldTurn } = step
  const { id, duplicates, columns } = step.import
  const parse = rowParser(kind, step.import, { isManager: isManager(uploader) })
  const announce = createAnnouncer(kind)

  await inBatches(step, async () => {
    const { lastRow, done, counts } = await getImport(db, id)
    const rows = (await listRows(db, id, { limit: pace.rows, after: lastRow })).slice(0, pace.rows)
    if (rows.length === 0) {
      await db.transaction(async (tx) => {
        await advance(tx, step.import, { from: done, to: { state: 'done' } })
        await announce(tx, 'created', { isLast: true })
        await end(tx)
      })
      return 'over'
    }
    const open = rows.flatMap((row) => {
      const parsed = row.outcome === 'refused' || row.repeats !== null ? undefined : parse(row.cells)
      return parsed === undefined || isRefusal(parsed) ? [] : [{ row, parsed, isAdded: row.isAdded }]
    })
    const verdicts = await judge(db, { id, kind, importer: uploader, duplicates, columns }, open)
    const judged = open.flatMap((one, index): Judged[] => {
      const verdict = verdicts[index]
      return verdict === undefined ? [] : [{ ...one, verdict }]
    })
    try {
      return await withActor(db, actor, async (tx) => {
        await beQuiet(tx)
        await beginAct(tx, actor, { detail: { import: id } })
        const results = await writeRows(tx, step, judged)
        const resultOf = new Map(results.map((result) => [result.row, result]))
        await saveResults(tx, id, results)
        const to = {
          done: done + rows.length,
          counts: countedWith(
            counts,
            rows.map((row) => resultOf.get(row.row) ?? row),
          ),
          lastRow: rows.at(-1)?.row ?? lastRow,
        }
        await advance(tx, step.import, { from: done, to })
        await announce(tx, 'created')
        return (await yieldTurn(tx)) ? 'over' : 'more'
      })
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return 'more'
      throw error
    }
  })
}
