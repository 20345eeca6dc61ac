import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, type Facts } from './columns.ts'

export const ledger = pgTable('ledger', {
  id: uuid('id').primaryKey().defaultRandom(),
  at: at('at').notNull().defaultNow(),
  kind: text('kind').notNull(),
  facts: jsonb('facts').$type<Facts>().notNull(),
})

/** Addresses that are not kept, as keyed hashes. */
export const doNotKeep = pgTable('do_not_keep', {
  hash: text('hash').primaryKey(),
  erasureId: uuid('erasure_id').notNull(),
})
