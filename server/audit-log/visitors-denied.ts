import { lt, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { deniedRequests } from '#server/db/schema.ts'
import type { DeniedEntry } from './entries.ts'

/** Long enough to investigate an attack, and no longer, because the rows contain addresses of strangers. */
const KEPT_DAYS = 90

/** Records a denied request of a visitor who is not signed in. */
export async function recordVisitorDenied(
  db: Database,
  { by, action, kind, objectId, detail }: DeniedEntry,
): Promise<void> {
  await db.insert(deniedRequests).values({
    accountEmail: by?.email,
    ip: by?.ip,
    requestId: by?.requestId,
    action,
    kind,
    objectId,
    detail,
  })
}

export async function deleteOldDeniedRequests(db: Database): Promise<void> {
  await db.delete(deniedRequests).where(lt(deniedRequests.at, sql`now() - make_interval(days => ${KEPT_DAYS})`))
}
