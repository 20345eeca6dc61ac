import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, auditLog, type Facts, notes } from '#server/db/schema.ts'
import { afterPlaceholder, type PageRequest, positionValues } from '#server/records/paging.ts'

export const placed = { createdAt: auditLog.at, id: auditLog.id }
const newestFirst = [desc(auditLog.at), desc(auditLog.id)]

/** What happened to a record, as a presenter needs it. `note` is what a note that was added says while it is there. */
export type RecordHistoryRow = {
  id: string
  createdAt: Date
  by: string | null
  action: string
  before: Facts | null
  after: Facts | null
  detail: Facts | null
  note: string | null
}

const ofRecord = prepared((db) =>
  db
    .select({
      id: auditLog.id,
      createdAt: auditLog.at,
      // As elsewhere; of an account that is gone, only that it was one.
      by: sql<string | null>`case when ${auditLog.accountId} is not null
        then coalesce(nullif(${accounts.name}, ''), ${accounts.email}, 'A former fellow') end`,
      action: auditLog.action,
      before: auditLog.before,
      after: auditLog.after,
      detail: auditLog.detail,
      note: notes.content,
    })
    .from(auditLog)
    .leftJoin(accounts, eq(accounts.id, auditLog.accountId))
    .leftJoin(notes, and(eq(auditLog.action, 'add-note'), sql`${notes.id} = (${auditLog.after} ->> 'id')::uuid`))
    .where(
      and(
        eq(auditLog.objectId, sql.placeholder('id')),
        eq(auditLog.kind, sql.placeholder('kind')),
        eq(auditLog.result, 'done'),
        afterPlaceholder(placed),
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder('rows'))
    .prepare('history_of_record'),
)

/** A page of what happened to a record, newest first, with one more than asked for when there is a next page. */
export const listRecordHistory = (
  db: Database,
  record: { kind: string; id: string },
  { limit, after }: PageRequest,
): Promise<RecordHistoryRow[]> => ofRecord(db).execute({ ...record, rows: limit + 1, ...positionValues(after) })
