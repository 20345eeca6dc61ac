import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** The fellows whom a note names. `start` and `length` count code points of its content. */
export const mentions = pgTable(
  'mentions',
  {
    noteId: uuid('note_id').notNull(),
    start: smallint('start').notNull(),
    length: smallint('length').notNull(),
    /** Where the note was written. */
    recordId: uuid('record_id').notNull(),
    accountId: uuid('account_id').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.noteId, table.start] })],
)

/** Whom a fellow has asked for an opinion, each time. */
export const opinionAsks = pgTable('opinion_asks', {
  id: uuid('id').primaryKey().defaultRandom(),
  recordId: uuid('record_id').notNull(),
  accountId: uuid('account_id').notNull(),
  askedBy: uuid('asked_by').notNull(),
  askedAt: at('asked_at').notNull().default(sql`clock_timestamp()`),
})

/** How many people a fellow has named or asked, each time. */
export const namings = pgTable('namings', {
  accountId: uuid('account_id').notNull(),
  namedAt: at('named_at').notNull().defaultNow(),
  count: smallint('count').notNull(),
})

/** What a fellow has chosen beside what follows from the record. */
export const follows = pgTable(
  'follows',
  {
    recordId: uuid('record_id').notNull(),
    accountId: uuid('account_id').notNull(),
    isMuted: boolean('is_muted').notNull(),
    chosenAt: at('chosen_at').notNull().default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.recordId] })],
)

/** Until when a fellow has seen a line, and until when it is done. */
export const inboxSeen = pgTable(
  'inbox_seen',
  {
    accountId: uuid('account_id').notNull(),
    kind: text('kind').notNull(),
    /** The record, or the act, of a line before any merge. */
    subject: uuid('subject').notNull(),
    seenUntil: at('seen_until'),
    doneUntil: at('done_until'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind, table.subject] })],
)

/** Who has passed a record last. A trigger writes it. */
export const passings = pgTable('passings', {
  recordId: uuid('record_id').primaryKey(),
  passedBy: uuid('passed_by').notNull(),
  passedAt: at('passed_at').notNull().default(sql`clock_timestamp()`),
})
