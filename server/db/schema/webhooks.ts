import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** An address that is rung when there is something new in the feed. `cursor`: the end of the feed at the last ring that arrived. */
export const webhooks = pgTable('webhooks', {
  id: uuid('id').primaryKey(),
  /** Encrypted, and so is the secret. */
  address: text('address').notNull(),
  maskedAddress: text('masked_address').notNull(),
  secret: text('secret').notNull(),
  cursor: text('cursor').notNull(),
  addedBy: uuid('added_by').notNull(),
  confirmedBy: uuid('confirmed_by').notNull(),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
  /** When it may be rung again, or while it is being rung, when it is tried again. */
  nextAt: at('next_at').notNull().default(sql`clock_timestamp()`),
  lastSentAt: at('last_sent_at'),
  failures: integer('failures').notNull().default(0),
  failingSince: at('failing_since'),
  lastStatus: integer('last_status'),
  offAt: at('off_at'),
})
