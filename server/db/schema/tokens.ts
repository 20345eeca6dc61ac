import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** Of a token that has ended, no hash is left. */
export const accessTokens = pgTable('access_tokens', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  name: text('name').notNull(),
  hash: text('hash').unique(),
  lastFour: text('last_four').notNull(),
  canExport: boolean('can_export').notNull(),
  canWrite: boolean('can_write').notNull(),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
  expiresAt: at('expires_at').notNull(),
  /** To the minute. */
  lastUsedAt: at('last_used_at'),
  lastNetwork: text('last_network'),
  endedAt: at('ended_at'),
})

/** The records that tokens without the right to export have read for an account. */
export const tokenReads = pgTable(
  'token_reads',
  {
    accountId: uuid('account_id').notNull(),
    hour: timestamp('hour', { withTimezone: true, precision: 0 }).notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.hour] })],
)
