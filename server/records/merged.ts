import { sql } from 'drizzle-orm'
import type { OpenMerge } from '#contract/merge.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, merges, records } from '#server/db/schema.ts'
import { isoTime, shownName } from '#server/db/sql.ts'

/** The merges that a record consists of and that are not undone, in the order of undoing. */
export const listOpenMerges = (db: Database, id: string): Promise<OpenMerge[]> =>
  rowsOf<OpenMerge>(
    db,
    sql`select ${merges.id}, json_build_object('id', other.id, 'name', other.name) as other,
        json_build_object('id', ${accounts.publicId}, 'name', ${shownName()}) as by,
        ${isoTime(merges.mergedAt)} as at
      from merged_tree(${id}) tree
      join ${merges} on ${merges.survivorId} = tree.id and ${merges.undoneAt} is null
      join ${records} other on other.id = ${merges.duplicateId}
      join ${accounts} on ${accounts.id} = ${merges.accountId}
      order by ${merges.mergedAt} desc, ${merges.id} desc`,
  )

/** The record that has the data of this one, which may have been merged into another one. */
export async function rootOf(db: Database, id: string): Promise<string> {
  const [row] = await rowsOf<{ id: string }>(db, sql`select merged_root(${id}) as id`)
  return row?.id ?? id
}
