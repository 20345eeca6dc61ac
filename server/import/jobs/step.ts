import type { Database } from '#server/db/database.ts'
import type { FileReader } from '#server/import/read/process/file-reader.ts'
import type { ImportTarget, WriteContext } from '#server/import/target.ts'
import type { TemporaryFiles } from './temporary-files.ts'

// An import has up to three steps: its file is read, it runs, it is reverted. Each step is a job that works in batches.
// A batch, the outcomes of its rows and the progress commit together, so an interrupted step continues with the next
// batch.

/** Batch size, and the share of time in which the step rests, so that it leaves time for other requests. */
export type Pace = { rows: number; rest: number }

export const PACE: Pace = { rows: 100, rest: 0.2 }

export type Step = WriteContext & {
  db: Database
  target: ImportTarget
  pace: Pace
  signal: AbortSignal
  /** Ends the job within a transaction. */
  end: (tx: Database) => Promise<void>
  /** Does a batch in the turn of this account. Rows of several files are planned in parallel. */
  runFairly: <Result>(work: () => Promise<Result>) => Promise<Result>
  reader: FileReader
  temporary: TemporaryFiles
  /** True when the step has used its time and has been queued again, behind other jobs. */
  yieldToOthers: (tx: Database) => Promise<boolean>
}

/** Runs batches, with pauses in between, until `batch` returns `over`. */
export async function inBatches(
  { pace, signal }: Pick<Step, 'pace' | 'signal'>,
  batch: () => Promise<'more' | 'over'>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const began = performance.now()
    if ((await batch()) === 'over') return
    await rest(pace, performance.now() - began)
  }
}

/** Waits in proportion to the duration of a batch. */
export const rest = ({ rest }: Pace, tookMs: number): Promise<void> =>
  new Promise((resolve) => (rest === 0 ? setImmediate(resolve) : setTimeout(resolve, (tookMs * rest) / (1 - rest))))
