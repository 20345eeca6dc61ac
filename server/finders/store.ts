import { sql } from 'drizzle-orm'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { finders, recordMembers, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'
import { lockRows } from '#server/records/write/lock.ts'
import { addByHand } from '#server/records/write/write.ts'

/** Adds the caller to a record's finders. False when the caller was one already. */
export async function addFinder(
  db: Database,
  kind: Pick<RecordKind, 'name'>,
  id: string,
  caller: Caller,
): Promise<boolean> {
  return withActor(db, caller, async (tx) => {
    // Locked, so that the record is not merged away at the same time.
    const added = await addByHand(
      tx,
      sql`insert into ${finders} (record_id, account_id, via)
        select ${records.id}, ${caller.id}, 'self' from ${records}
        where ${records.id} = ${id} and ${isOfKind(records.kind, kind)} and not exists (
          select from merged_tree(${id}) tree join ${records} found on found.id = tree.id
          where owner_of(found.creator_id, found.creator_text) = ${caller.id}
            or exists (select from finders known where known.record_id = tree.id and known.account_id = ${caller.id})
        )
        for key share
        on conflict do nothing returning array[record_id] as ids, found_at as at, account_id as by`,
    )
    if (added.length === 0) return false
    await tx.execute(sql`
      insert into ${recordMembers} as member (record_id, kind, account_id, created_at, is_finder)
      select ${records.id}, ${records.kind}, ${caller.id}, ${records.createdAt}, true from ${records} where ${records.id} = ${id}
      on conflict (record_id, account_id) do update set is_finder = true`)
    await recordAuditEntry(tx, { action: 'add-finder', by: caller, kind: kind.name, objectId: id })
    await notifyChange(tx, { kind: kind.name, change: 'updated', id })
    return true
  })
}

/** Takes back that the caller has met the person too. Does nothing for who found the record in another way. */
export async function deleteFinder(
  db: Database,
  kind: Pick<RecordKind, 'name'>,
  id: string,
  caller: Caller,
): Promise<void> {
  await withActor(db, caller, async (tx) => {
    const deleted = await rowsOf(
      tx,
      sql`delete from ${finders} where record_id in (select id from merged_tree(${id}))
        and account_id = ${caller.id} and via = 'self' returning record_id`,
    )
    if (deleted.length === 0) return
    await lockRows(tx, [id])
    await tx.execute(sql`select rebuild_record(${id})`)
    await recordAuditEntry(tx, { action: 'delete-finder', by: caller, kind: kind.name, objectId: id })
    await notifyChange(tx, { kind: kind.name, change: 'updated', id })
  })
}
