import type { ImportOutcome } from '#contract/import.ts'
import { isManager } from '#server/auth/policy.ts'
import { importRows } from '#server/db/schema.ts'
import { loadFile } from './file-store.ts'
import { readRows } from './files/read.ts'
import type { FileRow } from './files/row.ts'
import { judge } from './judge.ts'
import { createRepeats } from './repeats.ts'
import { rest, type Step } from './step.ts'
import { advance, countedWith, deleteSomeRows, type ImportRecord, updateImport } from './store.ts'
import { faultOf, isRefusal, rowParser } from './values.ts'

/** Batch size for deleting the rows of an earlier reading. */
const DELETED_AT_ONCE = 1_000

type NewRow = typeof importRows.$inferInsert

/**
 * Reads the file, and determines the outcome of every row. Starts from the first row each time, because only
 * the whole file shows which rows repeat earlier ones.
 */
export async function readFile(step: Step): Promise<void> {
  const { db, pace, signal, end, kind, actor } = step
  const { id, dialect, duplicates } = step.import
  while (await deleteSomeRows(db, id, DELETED_AT_ONCE)) await rest(pace, 20)
  const parse = rowParser(kind, step.import, { isManager: isManager(actor) })
  const repeats = createRepeats(kind)
  let counts: ImportRecord['counts'] = {}
  let done = 0

  async function save(batch: FileRow[]) {
    signal.throwIfAborted()
    const began = performance.now()
    const rows = batch.map((fileRow) => {
      const parsed = fileRow.error !== undefined ? { error: fileRow.error } : parse(fileRow.values)
      return { fileRow, parsed, earlier: isRefusal(parsed) ? undefined : repeats(fileRow.row, parsed) }
    })
    const toJudge = rows.flatMap(({ parsed, earlier }) => (isRefusal(parsed) || earlier !== undefined ? [] : parsed))
    const verdicts = await judge(db, { id, kind, importer: actor, duplicates }, toJudge)
    const results = rows.map(({ fileRow, parsed, earlier }): NewRow => {
      const row = { importId: id, row: fileRow.row, cells: fileRow.values }
      if (isRefusal(parsed)) return { ...row, outcome: 'refused', faults: [faultOf(parsed)] }
      if (earlier !== undefined) {
        return {
          ...row,
          outcome: 'duplicate',
          repeats: earlier,
          faults: [{ sentence: `This row repeats row ${earlier}` }],
        }
      }
      const verdict = verdicts.shift()
      if (verdict === undefined || verdict.outcome === 'created') return { ...row, outcome: 'created' }
      const faults = 'error' in verdict && verdict.error !== undefined ? [{ sentence: verdict.error }] : []
      return { ...row, outcome: verdict.outcome, recordId: verdict.record.id, faults }
    })
    counts = countedWith(
      counts,
      results.map(({ outcome }): ImportOutcome => outcome),
    )
    await db.transaction(async (tx) => {
      await advance(tx, id, { from: done, to: { counts, done: done + results.length } })
      await tx.insert(importRows).values(results)
    })
    done += results.length
    await rest(pace, performance.now() - began)
  }

  await updateImport(db, id, { counts, done, total: 0, lastRow: -1, error: null })
  let batch: FileRow[] = []
  for await (const row of readRows(await loadFile(db, id), dialect)) {
    batch.push(row)
    if (batch.length < pace.rows) continue
    await save(batch)
    batch = []
  }
  if (batch.length > 0) await save(batch)
  await db.transaction(async (tx) => {
    await updateImport(tx, id, { state: 'ready', total: done })
    await end(tx)
  })
}
