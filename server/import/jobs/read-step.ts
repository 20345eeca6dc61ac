import { importRows } from '#server/db/schema.ts'
import type { FileRow } from '#server/import/read/files/row.ts'
import { loadFile } from '#server/import/store/file-store.ts'
import { advance, countedWith, deleteSomeRows, type ImportRecord } from '#server/import/store/store.ts'
import { previewRows } from './preview.ts'
import { rest, type Step } from './step.ts'

/** Batch size for deleting the rows of an earlier reading. */
const DELETED_AT_ONCE = 1_000

/**
 * Reads the file, and determines the outcome of every row. Starts from the first row each time, because only
 * the whole file shows which rows repeat earlier ones.
 */
export async function readFile(step: Step): Promise<void> {
  const { db, pace, signal, end, target, actor, uploader } = step
  const { id, dialect } = step.import
  while (await deleteSomeRows(db, id, DELETED_AT_ONCE)) await rest(pace, 20)
  const parse = await target.createParser(db, step.import, uploader)
  const earlier = target.createSeenRows(parse)
  let counts: ImportRecord['counts'] = {}
  let done = 0

  async function save(batch: FileRow[]) {
    signal.throwIfAborted()
    const began = performance.now()
    const context = { import: step.import, importer: uploader }
    const results = await previewRows(db, target, context, { file: step.import, parse, earlier }, batch)
    counts = countedWith(counts, results)
    const last = results.at(-1)?.row ?? -1
    await db.transaction(async (tx) => {
      const to = { counts, done: done + results.length }
      await advance(tx, step.import, { from: done, to: { ...to, ...furthest(step, last) } })
      await tx.insert(importRows).values(results)
    })
    done += results.length
    await rest(pace, performance.now() - began)
  }

  await advance(db, step.import, { from: step.import.done, to: { counts, done, total: 0, lastRow: -1, error: null } })
  await step.temporary.with(async (path) => {
    await loadFile(db, id, path)
    const file = { path, bytes: step.import.bytes, owner: actor.id }
    for await (const rows of step.reader.rows(file, dialect)) {
      for (let at = 0; at < rows.length; at += pace.rows) {
        await step.runFairly(() => save(rows.slice(at, at + pace.rows)))
      }
    }
  })
  await db.transaction(async (tx) => {
    const unmatched = parse.unmatched?.() ?? {}
    const { values: _values, ...others } = step.import.doubts
    const hasUnknown = step.import.choices === null && Object.keys(unmatched).length > 0
    const doubts = { ...others, ...(hasUnknown && { values: true }) }
    await advance(tx, step.import, { from: done, to: { state: 'ready', total: done, unmatched, doubts } })
    await end(tx)
  })
}

/** The attempts of reading a file begin again beyond the furthest row that an earlier one has reached. */
const furthest = ({ import: { furthestRow } }: Step, row: number) =>
  row > furthestRow ? { furthestRow: row, attempts: 0 } : {}
