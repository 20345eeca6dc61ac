import { boolean, date, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { StoredRhythm } from '#contract/digest.ts'
import { at } from './columns.ts'

/** When a fellow gets mail of what is unread. `nextAt`: when it is due, or while one is being sent, when it is tried again. */
export const digests = pgTable('digests', {
  accountId: uuid('account_id').primaryKey(),
  rhythm: text('rhythm').$type<StoredRhythm>().notNull(),
  hasWeek: boolean('has_week').notNull().default(false),
  hour: smallint('hour').notNull(),
  timeZone: text('time_zone').notNull(),
  nextAt: at('next_at'),
  chosenAt: at('chosen_at').notNull().defaultNow(),
})

/** The mail of a fellow's day, taken before it is sent. */
export const digestMails = pgTable(
  'digest_mails',
  {
    accountId: uuid('account_id').notNull(),
    day: date('day').notNull(),
    takenAt: at('taken_at').notNull(),
    sentAt: at('sent_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day] })],
)

/** The records that mails named to a fellow, with the last time. */
export const digestRecords = pgTable(
  'digest_records',
  {
    recordId: uuid('record_id').notNull(),
    accountId: uuid('account_id').notNull(),
    namedAt: at('named_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.accountId] })],
)
