import { sql } from 'drizzle-orm'
import { boolean, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { KindName } from '#contract/kinds.ts'
import { at } from './columns.ts'

/** Lists of one kind under a name. `query` has the values of the list's parameters by their names. */
export const savedSearches = pgTable('saved_searches', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  name: text('name').notNull(),
  about: text('about').notNull().default(''),
  query: jsonb('query').$type<Readonly<Record<string, string>>>().notNull(),
  isShared: boolean('is_shared').notNull(),
  isPinned: boolean('is_pinned').notNull(),
  /** When a fellow who is no manager last changed the name or the query. */
  fellowChangedAt: at('fellow_changed_at'),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
})

/** Until when an account has seen what is new and changed in a search that it watches. */
export const searchWatches = pgTable(
  'search_watches',
  {
    accountId: uuid('account_id').notNull(),
    searchId: uuid('search_id').notNull(),
    seenUntil: at('seen_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.searchId] })],
)
