import { sql } from 'drizzle-orm'
import { UNUSED_TAGS_MAX } from '#contract/tags.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, bulkActs, imports, recordTags, tags } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import { rights } from '#server/rights.ts'
import { notifyOfTags } from './notify.ts'

// There is room for few tags, which everyone shares. One fellow would fill it with tags that no record has.

/**
 * No record has the tag, merged and deleted ones included, and no act that can still be undone would bring it back. A merge keeps
 * the rows of its records.
 */
const isUnused = sql`(
  not exists (select from ${recordTags} where ${recordTags.tagId} = ${tags.id})
  and not exists (
    select from ${bulkActs} where ${bulkActs.tagId} = ${tags.id} and ${bulkActs.undoneAt} is null
      and ${bulkActs.doneAt} > now() - interval '30 days'
  )
  and not exists (
    select from ${imports} where ${imports.state} <> 'reverted' and ${imports.createdTags} @> to_jsonb(${tags.id}::text)
  )
)`

/** Throws the 400 for a fellow who has added too many tags that no record has. Two at the same time wait for each other. */
export async function refuseMoreUnused(tx: Database, caller: Caller): Promise<void> {
  if (rights.addManyTags.allows(caller)) return
  await tx.execute(sql`select from ${accounts} where ${accounts.id} = ${caller.id} for no key update`)
  const [row] = await rowsOf<{ count: number }>(
    tx,
    sql`select count(*)::int as count from ${tags} where ${tags.createdBy} = ${caller.id} and ${isUnused}`,
  )
  if ((row?.count ?? 0) < UNUSED_TAGS_MAX) return
  throw invalid({ name: `You have added ${UNUSED_TAGS_MAX} tags that no record has. Use or delete one first` })
}

/** Upkeep: unused tags of fellows go once they were seen unused for a day. Those of managers stay. */
export async function deleteUnusedTags(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update ${tags} set unused_since = case when ${isUnused} then now() end
      where (unused_since is null) = ${isUnused}`)
    const ofFellow = sql`exists (
      select from ${accounts} where ${accounts.id} = ${tags.createdBy} and ${accounts.role} <> 'manager'
    )`
    // Locked first, so that no record gets one between the check and the deletion.
    const old = await rowsOf<{ id: string }>(
      tx,
      sql`select ${tags.id} from ${tags} where unused_since < now() - interval '1 day' and ${ofFellow} order by id for update`,
    )
    if (old.length === 0) return
    const ids = sql.param(old.map(({ id }) => id))
    const deleted = await rowsOf<{ id: string; name: string }>(
      tx,
      sql`delete from ${tags} where ${tags.id} = any (${ids}::uuid[]) and ${isUnused} returning ${tags.id}, ${tags.name}`,
    )
    for (const { id, name } of deleted) {
      const detail = { unused: true }
      await recordAuditEntry(tx, { action: 'delete', kind: 'tag', objectId: id, before: { id, name }, detail })
    }
    if (deleted.length > 0) await notifyOfTags(tx)
  })
}
