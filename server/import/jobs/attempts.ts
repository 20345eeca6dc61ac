import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, gt, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { imports } from '#server/db/schema.ts'
import { notReadable } from '#server/import/read/files/unreadable-file.ts'
import { advance, type ImportRecord } from '#server/import/store/store.ts'

// How often a step of an import is tried. A file that has ended a process several times is not read again.

/** Attempts of reading that ended with a killed process, without a higher row than before. */
const ATTEMPTS_MAX = 3

/** A minute, which is longer than another server needs to take over. */
const WAITS_MAX = 60
const WAIT_MS = 1_000

/** Makes a step that a person has started the present one. What works on an earlier one stops. */
export async function beginStep(tx: Database, id: string): Promise<{ step: number; rows: number }> {
  const [begun] = await rowsOf<{ step: number; rows: number }>(
    tx,
    sql`update ${imports} set step = step + 1, worked_at = null where id = ${id}
      returning step, coalesce((inspection ->> 'rows')::int, 0) as rows`,
  )
  if (begun === undefined) throw new Error('The import has been deleted')
  return begun
}

/** Counts an attempt of reading a file. Throws `UnreadableFile` when there were too many. */
export async function countAttempt(db: Database, record: ImportRecord): Promise<void> {
  const isReading = record.state === 'reading'
  if (isReading && record.attempts >= ATTEMPTS_MAX) throw notReadable()
  await advance(db, record, { from: record.done, to: isReading ? { attempts: record.attempts + 1 } : {} })
}

/** An attempt that was interrupted otherwise does not count. A database that is away is waited for, except at a stop. */
export async function uncountAttempt(db: Database, { id, step, state }: ImportRecord, stopping: AbortSignal) {
  if (state !== 'reading') return
  for (let tries = 0; tries < WAITS_MAX; tries += 1) {
    try {
      return void (await db
        .update(imports)
        .set({ attempts: sql`${imports.attempts} - 1` })
        .where(and(eq(imports.id, id), eq(imports.step, step), gt(imports.attempts, 0))))
    } catch {
      if (stopping.aborted) return
      await pause(WAIT_MS, undefined, { ref: false })
    }
  }
}

/** Ends a step with a sentence, unless it is no longer the present one. */
export async function failStep(tx: Database, { id, step }: ImportRecord, error: string): Promise<void> {
  await tx
    .update(imports)
    .set({ state: 'failed', error })
    .where(and(eq(imports.id, id), eq(imports.step, step)))
}
