import { and, eq, inArray, sql } from 'drizzle-orm'
import { fellowsRead } from '#contract/audit-actions.ts'
import type { HistoryAction } from '#contract/history.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import {
  accessTokens,
  accounts,
  auditLog,
  type Facts,
  notes,
  passingReasons,
  records,
  stages,
} from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
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
  /** The name of the access token by which it was done. */
  token: string | null
  action: HistoryAction
  before: Facts | null
  after: Facts | null
  objectId: string | null
  detail: Facts | null
  note: string | null
  /** The other record of a link or a merge, and its name while it exists. */
  otherId: string | null
  otherName: string | null
  /** The names of stages, fellows and reasons for passing in a change of the pipeline, by id. */
  names: Record<string, string> | null
}

/** The values of a change, before and after. */
const bothOf = (name: string) =>
  sql.raw(`(("audit_log"."before" ->> '${name}')::uuid, ("audit_log"."after" ->> '${name}')::uuid)`)
const named = sql`array['stageId', 'responsibleId', 'passingReasonId']`
const names = sql<Record<string, string> | null>`case
  when ${auditLog.before} ?| ${named} or ${auditLog.after} ?| ${named} then (
    select json_object_agg(id, name) from (
      select id, name from ${stages} where id in ${bothOf('stageId')}
      union all select id, name from ${passingReasons} where id in ${bothOf('passingReasonId')}
      union all select id, coalesce(nullif(name, ''), email) from accounts fellows where id in ${bothOf('responsibleId')}
    ) named
  ) end`

const ofMerge = (side: string) =>
  sql`nullif(${auditLog.detail} ->> ${sql.raw(`'${side}'`)}, ${auditLog.objectId}::text)`
const otherId = sql<string | null>`coalesce(
  ${auditLog.detail} ->> 'linkedId', ${ofMerge('duplicateId')}, ${ofMerge('survivorId')}
)`

const ofRecord = prepared((db) =>
  db
    .select({
      id: auditLog.id,
      createdAt: auditLog.at,
      // For a deleted account, only the fact that it was an account remains.
      by: sql<string | null>`case when ${auditLog.accountId} is not null
        then ${shownName(accounts, sql`'A former fellow'`)} end`,
      token: accessTokens.name,
      action: sql<HistoryAction>`${auditLog.action}`,
      before: auditLog.before,
      after: auditLog.after,
      objectId: auditLog.objectId,
      detail: auditLog.detail,
      note: notes.content,
      otherId,
      otherName: records.name,
      names,
    })
    .from(auditLog)
    .leftJoin(accounts, eq(accounts.id, auditLog.accountId))
    .leftJoin(accessTokens, eq(accessTokens.id, auditLog.tokenId))
    .leftJoin(notes, sql`${notes.id} = (${auditLog.after} ->> 'id')::uuid`)
    .leftJoin(records, sql`${records.id} = (${otherId})::uuid and ${records.deletedAt} is null`)
    .where(
      and(
        eq(auditLog.objectId, sql.placeholder('id')),
        eq(auditLog.kind, sql.placeholder('kind')),
        eq(auditLog.result, 'done'),
        inArray(auditLog.action, fellowsRead),
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
