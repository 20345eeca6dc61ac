import { type SQL, sql } from 'drizzle-orm'
import { NO_TAG, TAGS_MAX } from '#contract/tags.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Account, Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records, recordTags, tags } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { authorize, rights } from '#server/rights.ts'
import { sqlState } from '#server/sql-state.ts'
import { tagKey } from './key.ts'
import { notifyOfTags } from './notify.ts'
import { refuseMoreUnused } from './unused.ts'

export type TagRow = { id: string; name: string; createdBy: string | null; isOnRecordsOfOthers: boolean }

export const NAME_TAKEN = 'There is already a tag with this name'
export const TOO_MANY_TAGS = `There are ${TAGS_MAX} tags already. Delete one first.`

/**
 * All tags by name, or the ones that match. Whether records of others have a tag is asked for tags of the caller only. In the
 * order of its index: for one record PostgreSQL would read the whole table.
 */
const selectTags = (caller: Pick<Account, 'id'>, where: SQL) => sql`
  select ${tags.id}, ${tags.name}, ${tags.createdBy} as "createdBy",
    case when ${tags.createdBy} = ${caller.id} then coalesce((
      select true from (
        select record_id from ${recordTags} where ${recordTags.tagId} = ${tags.id} order by kind, created_at desc offset 0
      ) tagged join ${records} on ${records.id} = tagged.record_id
      where owner_of(${records.creatorId}, ${records.creatorText}) is distinct from ${caller.id}::uuid
      limit 1
    ), false) else true end as "isOnRecordsOfOthers"
  from ${tags} where ${where} order by ${tags.key} collate "C"`

export const listTags = (db: Database, caller: Pick<Account, 'id'>): Promise<TagRow[]> =>
  rowsOf<TagRow>(db, selectTags(caller, sql`true`))

export async function getTag(db: Database, caller: Pick<Account, 'id'>, id: string): Promise<TagRow> {
  const [tag] = await rowsOf<TagRow>(db, selectTags(caller, sql`${tags.id} = ${id}`))
  if (tag === undefined) throw notFound(NO_TAG)
  return tag
}

export const createTag = (db: Database, caller: Caller, name: string, key: IdempotencyKey): Promise<TagRow> =>
  refusingTakenName(() =>
    withActor(db, caller, async (tx) => {
      const [{ count } = { count: 0 }] = await rowsOf<{ count: number }>(
        tx,
        sql`select count(*)::int as count from ${tags}`,
      )
      if (count >= TAGS_MAX) throw new AppError(409, TOO_MANY_TAGS)
      await refuseMoreUnused(tx, caller)
      const id = await claimId(tx, key)
      await tx.insert(tags).values({ id, name, key: tagKey(name), createdBy: caller.id })
      await recordAuditEntry(tx, { action: 'create', by: caller, kind: 'tag', objectId: id, after: { id, name } })
      return { id, name, createdBy: caller.id, isOnRecordsOfOthers: false }
    }),
  )

export const renameTag = (db: Database, caller: Caller, id: string, name: string): Promise<TagRow> =>
  refusingTakenName(() =>
    withActor(db, caller, async (tx) => {
      const tag = await lockToEdit(tx, caller, id)
      if (tag.name === name) return tag
      await tx.execute(sql`update ${tags} set name = ${name}, key = ${tagKey(name)} where id = ${id}`)
      const change = { before: { id, name: tag.name }, after: { id, name } }
      await recordAuditEntry(tx, { action: 'update', by: caller, kind: 'tag', objectId: id, ...change })
      await notifyOfTags(tx)
      return { ...tag, name }
    }),
  )

/** Takes the tag away from all records, and deletes it. */
export async function deleteTag(db: Database, caller: Caller, id: string): Promise<void> {
  let isDeleted: boolean
  do {
    isDeleted = await withActor(db, caller, (tx) => deleteUnlessAdded(tx, caller, id))
  } while (!isDeleted)
}

/**
 * Every change of tags locks records first, in the order of their ids, and tags then. False, without a change, when another
 * record got the tag before it was locked.
 */
async function deleteUnlessAdded(tx: Database, caller: Caller, id: string): Promise<boolean> {
  const locked = await rowsOf<{ id: string }>(
    tx,
    sql`select ${records.id} from ${records}
      where ${records.id} in (select ${recordTags.recordId} from ${recordTags} where ${recordTags.tagId} = ${id})
      order by ${records.id} for no key update`,
  )
  const { name } = await lockToEdit(tx, caller, id)
  const ids = sql.param(locked.map((record) => record.id))
  const others = await rowsOf(
    tx,
    sql`select from ${recordTags} where ${recordTags.tagId} = ${id} and ${recordTags.recordId} <> all (${ids}::uuid[]) limit 1`,
  )
  if (others.length > 0) return false
  // Before the tag, whose name is in the history of its records.
  await tx.execute(sql`delete from ${recordTags} where ${recordTags.tagId} = ${id}`)
  await tx.execute(sql`delete from ${tags} where ${tags.id} = ${id}`)
  await recordAuditEntry(tx, { action: 'delete', by: caller, kind: 'tag', objectId: id, before: { id, name } })
  await notifyOfTags(tx)
  return true
}

/** Locks the tag, so that no record gets it. Throws the 404 and the 403. */
async function lockToEdit(tx: Database, caller: Account, id: string): Promise<TagRow> {
  await tx.execute(sql`select from ${tags} where ${tags.id} = ${id} for update`)
  const tag = await getTag(tx, caller, id)
  authorize(caller, rights.changeTags, ownerOf(tag))
  return tag
}

const UNIQUE_VIOLATION = '23505'

async function refusingTakenName<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw new AppError(409, NAME_TAKEN)
    throw error
  }
}

// Anyone signed in may add tags, and give them to records or take them away.

/** Its creator may rename and delete a tag while only their own records have it. */
export const ownerOf = (tag: { createdBy: string | null; isOnRecordsOfOthers: boolean }): string | null =>
  tag.isOnRecordsOfOthers ? null : tag.createdBy
