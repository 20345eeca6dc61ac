import { and, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/pg-core'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { Database } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'

/**
 * Locks the rows of these records for which the condition holds, and returns these columns of them, in the order of the
 * ids: so two acts on the same records never wait for each other. `update` also holds back rows that refer to them.
 */
export async function lockRecords<Columns extends SelectedFields>(
  tx: Database,
  ids: string[],
  columns: Columns,
  strength: 'update' | 'no key update',
  condition?: SQL,
): Promise<SelectResultFields<Columns>[]> {
  const given: SelectedFields = columns
  const rows = await tx
    .select(given)
    .from(records)
    .where(and(sql`${records.id} = any (${sql.param(ids)}::uuid[])`, condition))
    .orderBy(records.id)
    .for(strength)
  return rows as SelectResultFields<Columns>[]
}

/** Locks rows of which nothing is needed. */
export async function lockRows(tx: Database, ids: string[], condition?: SQL): Promise<void> {
  await lockRecords(tx, ids, { id: records.id }, 'update', condition)
}
