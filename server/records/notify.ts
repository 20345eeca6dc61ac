import { sql } from 'drizzle-orm'
import type { LiveEvent } from '#contract/live.ts'
import type { Database } from '#server/db/database.ts'

/** Notifies every process of a change that no trigger sees, once the transaction commits. */
export async function notifyChange(tx: Database, event: LiveEvent): Promise<void> {
  await tx.execute(sql`select pg_notify('records', ${JSON.stringify(event)})`)
}
