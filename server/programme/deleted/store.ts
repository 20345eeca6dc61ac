import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { DELETED_DAYS } from '#contract/deleted.ts'
import type { KindName } from '#contract/kinds.ts'
import { type Actor, withActor } from '#server/audit-log/actor.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { kinds } from '#server/kinds.ts'
import { newest } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import { restoreRecord } from '#server/records/write/write.ts'
import { eraseRecords, treesOf } from '../privacy/erase.ts'

/** `createdAt` is when it was deleted, for the order of the list. */
export type DeletedRow = {
  id: string
  kind: KindName
  name: string
  createdAt: Date
  by: { id: string; name: string }
}

const deletion = { createdAt: records.deletedAt, id: records.id }
const isRestorable = sql`${records.deletedAt} > now() - make_interval(days => ${DELETED_DAYS})`
/** What was merged into a deleted record comes back with it. */
const isOwn = and(isNotNull(records.deletedAt), isNull(records.mergedInto))

/** A page of the records that people deleted, newest first, with one extra row when there is a next page. */
export const listDeleted = (db: Database, { limit, after }: PageRequest): Promise<DeletedRow[]> =>
  db
    .select({
      id: records.id,
      kind: sql<KindName>`substr(${records.kind}, length('deleted-') + 1)`,
      name: records.name,
      createdAt: sql<Date>`${records.deletedAt}`.mapWith(records.deletedAt),
      by: sql<DeletedRow['by']>`json_build_object(
        'id', ${accounts.publicId}, 'name', ${shownName()}
      )`,
    })
    .from(records)
    .innerJoin(accounts, eq(accounts.id, records.deletedBy))
    .where(and(isNotNull(records.deletedBy), isOwn, isRestorable, isAfter(newest, deletion, after)))
    .orderBy(...orderOf(newest, deletion))
    .limit(limit + 1)

/** Brings a record back with everything of it. Undefined when there is no deleted record with this id. */
export function restoreDeleted(
  db: Database,
  actor: Actor | undefined,
  id: string,
): Promise<{ id: string; kind: KindName } | undefined> {
  return withActor(db, actor, (tx) => restoreRecord(tx, kinds, id, and(isOwn, isRestorable)))
}

const PURGED_AT_ONCE = 100

/** Erases records whose time is over, with everything merged into them, and their values in the audit log. */
export async function purgeDeleted(db: Database): Promise<void> {
  let purged = PURGED_AT_ONCE
  while (purged === PURGED_AT_ONCE) {
    purged = await db.transaction(async (tx) => {
      const rows = await rowsOf<{ id: string }>(
        tx,
        sql`select id from ${records} where ${isOwn} and ${records.deletedAt} <= now() - make_interval(days => ${DELETED_DAYS})
          order by id limit ${PURGED_AT_ONCE} for update skip locked`,
      )
      await eraseRecords(
        tx,
        await treesOf(
          tx,
          rows.map(({ id }) => id),
        ),
      )
      return rows.length
    })
  }
}
