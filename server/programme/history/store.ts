import { inArray } from 'drizzle-orm'
import type { AuditRow } from '#server/audit-log/search.ts'
import type { Database } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'

/** The names of the records that entries are about, while they are here. */
export async function namesOf(db: Database, rows: Pick<AuditRow, 'objectId'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ objectId }) => objectId ?? []))]
  const found = await db
    .select({ id: records.id, name: records.name, kind: records.kind })
    .from(records)
    .where(inArray(records.id, ids))
  // Merged and deleted ones have no page.
  return new Map(found.flatMap(({ id, name, kind }) => (kind.includes('-') ? [] : [[id, name] as const])))
}
