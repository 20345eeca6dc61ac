import { sql } from 'drizzle-orm'
import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { KindName } from '#contract/kinds.ts'
import { at } from './columns.ts'

/** Tags, which everyone shares. `key` is the name without case and accents. */
export const tags = pgTable('tags', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  key: text('key').notNull(),
  createdBy: uuid('created_by'),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
  /** Since when no record has it, as far as the upkeep has seen. */
  unusedSince: at('unused_since'),
})

/** The tags of records. A merge may bring several rows of one tag together, of which one is shown. */
export const recordTags = pgTable('record_tags', {
  id: uuid('id').primaryKey(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  tagId: uuid('tag_id').notNull(),
  /** When the record was added, for the order of lists. */
  createdAt: at('created_at').notNull(),
  isShown: boolean('is_shown').notNull().default(true),
  addedBy: uuid('added_by'),
  addedAt: at('added_at').notNull().default(sql`clock_timestamp()`),
  isImported: boolean('is_imported').notNull().default(false),
})
