import { and, eq, notInArray, sql } from 'drizzle-orm'
import { OPINION_ACTS } from '#server/audit-log/opinion-acts.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, auditLog, type Facts, notes, records } from '#server/db/schema.ts'
import { newest } from '#server/records/cursor.ts'
import { isAfterPlaceholder, orderOf, type PageRequest, positionValues } from '#server/records/paging.ts'

export const placed = { createdAt: auditLog.at, id: auditLog.id }

/**
 * An audit entry of a record, as the presenter needs it. `note` is the content of an added note while the note exists.
 */
export type RecordHistoryRow = {
  id: string
  createdAt: Date
  by: string | null
  action: string
  before: Facts | null
  after: Facts | null
  detail: Facts | null
  note: string | null
  /** The other record of a link or a merge, and its name while it exists. */
  otherId: string | null
  otherName: string | null
}

const ofMerge = (side: string) =>
  sql`nullif(${auditLog.detail} ->> ${sql.raw(`'${side}'`)}, ${auditLog.objectId}::text)`
const otherId = sql<string | null>`case when ${auditLog.action} like '%-link' then ${auditLog.detail} ->> 'linkedId'
  when ${auditLog.action} in ('merge', 'undo-merge') then coalesce(${ofMerge('duplicateId')}, ${ofMerge('survivorId')}) end`

const ofRecord = prepared((db) =>
  db
    .select({
      id: auditLog.id,
      createdAt: auditLog.at,
      // For a deleted account, only the fact that it was an account remains.
      by: sql<string | null>`case when ${auditLog.accountId} is not null
        then coalesce(nullif(${accounts.name}, ''), ${accounts.email}, 'A former fellow') end`,
      action: auditLog.action,
      before: auditLog.before,
      after: auditLog.after,
      detail: auditLog.detail,
      note: notes.content,
      otherId,
      otherName: records.name,
    })
    .from(auditLog)
    .leftJoin(accounts, eq(accounts.id, auditLog.accountId))
    .leftJoin(notes, and(eq(auditLog.action, 'add-note'), sql`${notes.id} = (${auditLog.after} ->> 'id')::uuid`))
    .leftJoin(records, sql`${records.id} = (${otherId})::uuid and ${records.deletedAt} is null`)
    .where(
      and(
        eq(auditLog.objectId, sql.placeholder('id')),
        eq(auditLog.kind, sql.placeholder('kind')),
        eq(auditLog.result, 'done'),
        // Who has given an opinion is not for everyone.
        notInArray(auditLog.action, Object.values(OPINION_ACTS)),
        isAfterPlaceholder(placed),
      ),
    )
    .orderBy(...orderOf(newest, placed))
    .limit(sql.placeholder('rows'))
    .prepare('history_of_record'),
)

/** A page of a record's history, newest first, with one extra row when there is a next page. */
export const listRecordHistory = (
  db: Database,
  record: { kind: string; id: string },
  { limit, after }: PageRequest,
): Promise<RecordHistoryRow[]> => ofRecord(db).execute({ ...record, rows: limit + 1, ...positionValues(after) })
