import { type SQL, sql } from 'drizzle-orm'
import { actionsThat } from '#contract/audit-actions.ts'
import { FEED_DAYS } from '#contract/feed.ts'
import { type KindName, kindNames } from '#contract/kinds.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { auditLog, records } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import { type FeedState, FIRST_ID, type Position } from './cursor.ts'

/** A row of the audit log on a record or one of its notes. */
export type FeedRow = {
  transaction: string
  id: string
  at: string
  action: string
  kind: KindName
  record: string
  note: string | null
  stage: boolean
  status: boolean
  /** Whether the record is in the database, maybe deleted or merged. */
  isThere: boolean
  /** Of a record that is not: whether a later row says that it was erased. */
  isErasedLater: boolean
  /** With a day more, for those who read from the beginning. */
  isTooOld: boolean
}

/** Of what a failover may count again, the first eight digits of a file of the log of PostgreSQL name the timeline. */
export async function getFeedState(db: Database): Promise<FeedState> {
  const [state] = await rowsOf<FeedState>(
    db,
    sql`select value::jsonb ->> 'epoch' as epoch, value::jsonb ->> 'begunAt' as "begunAt",
        left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
        pg_snapshot_xmin(pg_current_snapshot())::text as horizon
      from settings where key = 'feed'`,
  )
  if (state === undefined) throw new Error('The feed has not begun: the database was not opened by a start')
  return state
}

/**
 * Before the first entry of these days, or behind the last one if it is older. Never a number of a transaction that may be lost in a
 * crash, and then come again.
 */
export async function findStart(db: Database, state: FeedState): Promise<Position> {
  const { horizon, begunAt } = state
  const [first] = await rowsOf<Position>(
    db,
    sql`select least(transaction_id, ${horizon}::xid8)::text as transaction, ${FIRST_ID} as id from ${auditLog}
      where ${isOfFeed} and at >= greatest(now() - make_interval(days => ${FEED_DAYS}), ${begunAt}::timestamptz)
      order by at, audit_log.id limit 1`,
  )
  return first ?? findEnd(db, state)
}

/** Behind the last entry. */
export async function findEnd(db: Database, { horizon }: FeedState): Promise<Position> {
  const [last] = await rowsOf<Position>(
    db,
    sql`select transaction_id::text as transaction, id from ${auditLog}
      where ${isOfFeed} and transaction_id < ${horizon}::xid8 order by transaction_id desc, id desc limit 1`,
  )
  return last ?? { transaction: '0', id: FIRST_ID }
}

const inList = (names: readonly string[]): SQL => sql.raw(names.map((name) => `'${name}'`).join(', '))

/** As the index of the feed says. Literals, so that the planner sees that it fits. */
const isOfFeed = sql`${auditLog.transactionId} > '0' and ${auditLog.kind} in (${inList(kindNames)}) and ${auditLog.result} = 'done'
  and (${auditLog.before} is not null or ${auditLog.after} is not null
    or ${auditLog.action} not in ('update', 'enrich', 'update-pipeline'))`

const erasures = inList(actionsThat((entry) => 'feed' in entry && entry.feed === 'erased'))

/**
 * The next rows after a position, of transactions that have ended, also of actions that are no entries: so a call reads no more than
 * its limit. With `offset 0` it looks for each record by its key, and at the rows of one that is gone; without it the planner may
 * read all records, or all erasures.
 */
export async function listFeedRows(
  db: Database,
  { horizon }: FeedState,
  { transaction, id, given = 0 }: Position,
  limit: number,
): Promise<FeedRow[]> {
  return rowsOf<FeedRow>(
    db,
    sql`with page as materialized (
        select * from ${auditLog}
        where ${isOfFeed} and transaction_id < ${horizon}::xid8
          and (transaction_id, id) ${sql.raw(given > 0 ? '>=' : '>')} (${transaction}::xid8, ${id}::uuid)
        order by transaction_id, id limit ${limit}
      )
      select transaction_id::text as transaction, id, ${isoTime(sql`page.at`)} as at, action, kind, object_id as record,
        coalesce(after, before) ->> 'id' as note,
        coalesce(before ? 'stageId', false) or coalesce(after ? 'stageId', false) as stage,
        coalesce(before ? 'status', false) or coalesce(after ? 'status', false) as status,
        found.there as "isThere",
        not found.there and exists (
          select from (select action, id from ${auditLog} where object_id = page.object_id and result = 'done' offset 0) later
          where later.action in (${erasures}) and (page.action not in (${erasures}) or later.id > page.id)
        ) as "isErasedLater",
        at < now() - make_interval(days => ${FEED_DAYS + 1}) as "isTooOld"
      from page cross join lateral (
        select exists (select from ${records} where ${records.id} = page.object_id offset 0) as there
      ) found
      order by transaction_id, page.id`,
  )
}
