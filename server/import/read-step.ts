import { isManager } from '#server/auth/policy.ts'
import { importRows } from '#server/db/schema.ts'
import { loadFile } from './file-store.ts'
import { readRows } from './files/read.ts'
import type { FileRow } from './files/row.ts'
import { previewRows } from './preview.ts'
import { createRepeats } from './repeats.ts'
import { rest, type Step } from './step.ts'
import { advance, countedWith, deleteSomeRows, type ImportRecord, updateImport } from './store.ts'
import { rowParser } from './values.ts'

/** Batch size for deleting the rows of an earlier reading. */
const DELETED_AT_ONCE = 1_000

/**
 * Reads the file, and determines the outcome of every row. Starts from the first row each time, because only
 * the whole file shows which rows repeat earlier ones.
 */
export async function readFile(step: Step): Promise<void> {
  const { db, pace, signal, end, kind, uploader } = step
  const { id, dialect, duplicates, columns } = step.import
  while (await deleteSomeRows(db, id, DELETED_AT_ONCE)) await rest(pace, 20)
  const parse = rowParser(kind, step.import, { isManager: isManager(uploader) })
  const repeats = createRepeats(kind)
  let counts: ImportRecord['counts'] = {}
  let done = 0

  async function save(batch: FileRow[]) {
    signal.throwIfAborted()
    const began = performance.now()
    const judging = { id, kind, importer: uploader, duplicates, columns }
    const results = await previewRows(db, judging, { parse, repeats }, batch)
    counts = countedWith(counts, results)
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
