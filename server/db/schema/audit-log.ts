import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at, type Facts, xid8 } from './columns.ts'

export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').notNull().default(sql`audit_id(clock_timestamp())`),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    accountId: uuid('account_id'),
    accountEmail: text('account_email'),
    ip: text('ip'),
    requestId: text('request_id'),
    action: text('action').notNull(),
    kind: text('kind'),
    objectId: uuid('object_id'),
    result: text('result').$type<'done' | 'refused'>().notNull().default('done'),
    before: jsonb('before').$type<Facts>(),
    after: jsonb('after').$type<Facts>(),
    detail: jsonb('detail').$type<Facts>(),
    /** The records beyond My Records that an export gave out. */
    exportedCount: integer('exported_count'),
    /** Whether it is a change of a record by hand, which counts as its last activity. */
    isActivity: boolean('is_activity').notNull().default(false),
    /** The transaction that wrote it. 0 if it was written before a restore, a move or the feed. */
    transactionId: xid8('transaction_id').notNull().default(sql`pg_current_xact_id()`),
    /** The access token by which it was done. */
    tokenId: uuid('token_id'),
  },
  (table) => [primaryKey({ columns: [table.at, table.id] })],
)

/** Denied requests of visitors who are not signed in, deleted after a while. */
export const deniedRequests = pgTable(
  'denied_requests',
  {
    id: uuid('id').notNull().default(sql`audit_id(clock_timestamp())`),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    accountEmail: text('account_email'),
    ip: text('ip'),
    requestId: text('request_id'),
    action: text('action').notNull(),
    kind: text('kind'),
    objectId: uuid('object_id'),
    detail: jsonb('detail').$type<Facts>(),
  },
  (table) => [primaryKey({ columns: [table.at, table.id] })],
)
