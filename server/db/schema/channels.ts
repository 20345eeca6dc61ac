import { sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ChannelKind } from '#contract/channel-addresses.ts'
import { at } from './columns.ts'

/** A chat that gets what is sent by itself. `nextAt`: when a message is due, or while one is being sent, when it is tried again. */
export const channels = pgTable('channels', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  kind: text('kind').$type<ChannelKind>().notNull(),
  /** Encrypted. */
  address: text('address').notNull(),
  maskedAddress: text('masked_address').notNull(),
  addedBy: uuid('added_by').notNull(),
  confirmedBy: uuid('confirmed_by').notNull(),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
  nextAt: at('next_at').notNull(),
  lastSentAt: at('last_sent_at'),
  lastFailedAt: at('last_failed_at'),
  lastStatus: integer('last_status'),
})

/** The searches of a channel. What was before `seenUntil` is in no message. */
export const channelSearches = pgTable(
  'channel_searches',
  {
    channelId: uuid('channel_id').notNull(),
    searchId: uuid('search_id').notNull(),
    chosenAt: at('chosen_at').notNull().default(sql`clock_timestamp()`),
    seenUntil: at('seen_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelId, table.searchId] })],
)
