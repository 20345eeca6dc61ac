import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { NO_TAG, RECORD_TAGS_MAX, type RecordTag } from '#contract/tags.ts'
import { withActor } from '#server/audit-log/actor.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records, recordTags, tags } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { addByHand } from '#server/records/write/write.ts'

export const RECORD_IS_FULL = `A record has at most ${RECORD_TAGS_MAX} tags`

/** Gives a record these tags, and takes all others away. Undefined, without a change, when the record is gone. */
export const putTags = (
  db: Database,
  kind: Pick<RecordKind, 'name'>,
  id: string,
  ids: string[],
  caller: Caller,
): Promise<RecordTag[] | undefined> =>
  withActor(db, caller, async (tx) => {
    const locked = await lockRecords(tx, [id], { id: records.id }, 'no key update', isOfKind(records.kind, kind))
    if (locked.length === 0) return undefined
    await lockTags(tx, ids)
    const known = (await listTagsOf(tx, id)).map((tag) => tag.id)
    const added = ids.filter((tag) => !known.includes(tag))
    // A record that unites two may have more.
    if (added.length > 0 && ids.length > RECORD_TAGS_MAX) throw invalid({ tags: RECORD_IS_FULL })
    if (known.some((tag) => !ids.includes(tag))) {
      await tx.execute(sql`
        delete from ${recordTags}
        where ${recordTags.recordId} = ${id} and ${recordTags.tagId} <> all (${sql.param(ids)}::uuid[])`)
    }
    await addTags(
      tx,
      added.map((tagId) => ({ recordId: id, tagId })),
      caller,
    )
    return listTagsOf(tx, id)
  })

/** The tags of a record, by name. */
const listTagsOf = (db: Database, id: string): Promise<RecordTag[]> =>
  rowsOf<RecordTag>(
    db,
    sql`select ${tags.id}, ${tags.name} from ${recordTags} join ${tags} on ${tags.id} = ${recordTags.tagId}
      where ${recordTags.recordId} = ${id} and ${recordTags.isShown} order by ${tags.key} collate "C"`,
  )

/** Locks tags, so that none of them is deleted. Throws the 400 for an unknown one. */
export async function lockTags(tx: Database, ids: string[], field = 'tags'): Promise<void> {
  if (ids.length === 0) return
  const rows = await rowsOf(
    tx,
    sql`select from ${tags} where ${tags.id} = any (${sql.param(ids)}::uuid[]) for key share`,
  )
  if (rows.length < ids.length) throw invalid({ [field]: NO_TAG })
}

/** Gives a tag to records, as `insertTags` does. Returns the ids of the new rows, by record. */
export const addTags = async (...given: Parameters<typeof insertTags>): Promise<Map<string, string>> =>
  new Map((await insertTags(...given)).map(({ id, recordId }) => [recordId, id]))

/**
 * Gives tags to records that do not have them, by hand or by an import. The records and the tags are locked. Returns the new rows.
 */
export async function insertTags(
  tx: Database,
  pairs: { recordId: string; tagId: string }[],
  { id: accountId }: Pick<Caller, 'id'>,
  isImported = false,
): Promise<{ id: string; recordId: string }[]> {
  if (pairs.length === 0) return []
  const [ids, recordIds, tagIds] = [
    pairs.map(() => uuidv7()),
    pairs.map(({ recordId }) => recordId),
    pairs.map(({ tagId }) => tagId),
  ].map((values) => sql`${sql.param(values)}::uuid[]`)
  return addByHand<{ id: string; recordId: string }>(
    tx,
    sql`insert into ${recordTags} (id, record_id, kind, tag_id, created_at, added_by, is_imported)
      select given.id, ${records.id}, ${records.kind}, given.tag_id, ${records.createdAt}, ${accountId}, ${isImported}
      from unnest(${ids}, ${recordIds}, ${tagIds}) given (id, record_id, tag_id)
      join ${records} on ${records.id} = given.record_id
      returning id, record_id as "recordId", array[record_id] as ids, added_at as at, case when not is_imported then added_by end as by`,
  )
}
