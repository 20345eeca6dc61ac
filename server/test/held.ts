import { setTimeout as pause } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'

/**
 * Starts the work while a transaction holds a lock, and lets it go once `waiting` statements wait for a lock. So the
 * work meets at the same statement every time. `meanwhile` runs in that transaction, before it ends.
 */
export async function whileHeld<Result>(
  db: Database,
  lock: SQL,
  work: () => Promise<Result>,
  { waiting = 1, meanwhile }: { waiting?: number; meanwhile?: (tx: Database) => Promise<unknown> } = {},
): Promise<Result> {
  return db
    .transaction(async (tx) => {
      await tx.execute(lock)
      const result = work()
      await waitFor(tx, waiting)
      await meanwhile?.(tx)
      // The transaction ends before the work does.
      return { result }
    })
    .then(({ result }) => result)
}

/** At most two seconds: without the protection under test, less waits. */
async function waitFor(tx: Database, waiting: number) {
  for (let tries = 0; tries < 100; tries += 1) {
    const rows = await rowsOf(
      tx,
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= waiting) return
    await pause(20)
  }
}
