import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import type { ImportTarget } from '#server/import/target.ts'
import { notifyChange } from '#server/records/notify.ts'

/** The interval of notifications: pages refetch their lists at each one. */
const ANNOUNCED_EVERY_MS = 1_000

/** Switches off notifications for the changes of this transaction. */
export async function suppressNotifications(tx: Database): Promise<void> {
  await tx.execute(sql`select set_config('sourcebook.quiet', 'on', true)`)
}

/** Sends one notification for many changes, once a second and at the end. */
export function createThrottledNotifier({ events }: Pick<ImportTarget, 'events'>) {
  let announcedAt = Number.NEGATIVE_INFINITY
  return async (tx: Database, change: 'created' | 'deleted', { isLast = false } = {}): Promise<void> => {
    if (!isLast && performance.now() - announcedAt < ANNOUNCED_EVERY_MS) return
    announcedAt = performance.now()
    for (const event of events(change)) await notifyChange(tx, event)
  }
}
