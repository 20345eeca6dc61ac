import type { Actor } from '#server/audit-log/actor.ts'
import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { ImportRecord } from './store.ts'

// An import goes through steps: its file is read, it runs, it may be reverted. Each is a job that works in batches. A batch,
// what it says of its rows and the progress commit together, so that a step that is interrupted goes on with the next batch.

/** How much is done at once. Smaller batches let other requests in between. */
export type Pace = {
  rows: number
  /** The share of the time in which the step rests, so that others get their turn in an embedded database. */
  rest: number
}

/** PostgreSQL serves others beside an import; the embedded database serves one statement at a time. */
export const paceOf = ({ isShared }: { isShared: boolean }): Pace =>
  isShared ? { rows: 100, rest: 0.2 } : { rows: 25, rest: 0.3 }

export type Step = {
  db: Database
  import: ImportRecord
  kind: EnrichedKind
  /** Who has pressed the button, with their present rights. */
  actor: Account & Actor
  pace: Pace
  signal: AbortSignal
  /** Ends the job within a transaction. */
  end: (tx: Database) => Promise<void>
  /** True when the step has worked for so long that others should get their turn: it has been queued again. */
  yieldTurn: (tx: Database) => Promise<boolean>
}

/** Works batch by batch, resting in between, until `batch` says that there is nothing left. */
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

/** Waits in proportion to the time that a batch took. */
export const rest = ({ rest }: Pace, tookMs: number): Promise<void> =>
  new Promise((resolve) => (rest === 0 ? setImmediate(resolve) : setTimeout(resolve, (tookMs * rest) / (1 - rest))))
