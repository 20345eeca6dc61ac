import { sql } from 'drizzle-orm'
import type { KindName } from '#contract/kinds.ts'
import type { Database } from '#server/db/database.ts'
import { notifyChange } from '#server/records/notify.ts'

/** Pages fetch their lists again at each notification. */
const ANNOUNCED_EVERY_MS = 1_000

/** The changes of this transaction notify no pages. */
export async function beQuiet(tx: Database): Promise<void> {
  await tx.execute(sql`select set_config('sourcebook.quiet', 'on', true)`)
}

/** Notifies pages of many changes as one, once a second and at the end. */
export function createAnnouncer({ name: kind }: { name: KindName }) {
  let announcedAt = Number.NEGATIVE_INFINITY
  return async (tx: Database, change: 'created' | 'updated' | 'deleted', { isLast = false } = {}): Promise<void> => {
    if (!isLast && performance.now() - announcedAt < ANNOUNCED_EVERY_MS) return
    announcedAt = performance.now()
    await notifyChange(tx, { kind, change })
  }
}
