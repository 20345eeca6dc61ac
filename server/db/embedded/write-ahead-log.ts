import type { Work } from './messages.ts'
import { type Statements, statementsBy } from './statements.ts'

const checkpointAfterBytes = 16 * 1024 * 1024

const bytesSinceCheckpoint =
  'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()'

/** The position in the log where recovery would begin. It changes with every checkpoint. */
export async function newestCheckpoint({ query }: Statements): Promise<string | undefined> {
  const { rows } = await query<{ at: string }>('select redo_lsn::text as at from pg_control_checkpoint()')
  return rows[0]?.at
}

type Post = <T>(work: Work, how: { timed: boolean }) => Promise<T>

/**
 * Makes checkpoints when they are due. A PostgreSQL server has a process for that; PGlite has none. Without them the
 * log grows until the next close, and with it the duration of crash recovery. Returns a function that stops it.
 */
export function keepLogShort(post: Post, log: { warn: (message: string) => void }, everyMs = 60_000): () => void {
  const { query, exec } = statementsBy((work) => post(work, { timed: false }), { alone: true })

  async function checkpointIfDue() {
    const { rows } = await query<{ bytes: number }>(bytesSinceCheckpoint)
    if (rows.some(({ bytes }) => bytes > checkpointAfterBytes)) await exec('CHECKPOINT')
  }

  const timer = setInterval(() => {
    checkpointIfDue().catch((error: Error) => log.warn(`No checkpoint was made: ${error.message}`))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
