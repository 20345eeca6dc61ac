import { sql } from 'drizzle-orm'
import { bigint, date, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { KindName } from '#contract/kinds.ts'
import type { PassingReason } from '#contract/stage.ts'
import type { Status } from '#contract/status.ts'
import { at, type Facts } from './columns.ts'

/** In the order of `position`. An archived one takes no more records. */
export const stages = pgTable('stages', {
  id: uuid('id').primaryKey().defaultRandom(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  limitDays: integer('limit_days'),
  archivedAt: at('archived_at'),
})

/** A removed one stays for the records that name it. */
export const passingReasons = pgTable('passing_reasons', {
  id: uuid('id').primaryKey().defaultRandom(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  /** The months that the form for passing proposes. */
  lookAgain: smallint('look_again').$type<PassingReason['lookAgain']>(),
  removedAt: at('removed_at'),
})

/** The stays of records in stages. Triggers write them. */
export const stageChanges = pgTable('stage_changes', {
  id: uuid('id').primaryKey().defaultRandom(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  stageId: uuid('stage_id').notNull(),
  enteredAt: at('entered_at').notNull(),
  leftAt: at('left_at'),
  /** Who moved it there. */
  accountId: uuid('account_id'),
  mergeId: uuid('merge_id'),
  /** The person who ended it. */
  leftBy: uuid('left_by'),
  /** The act on many records, or the import, that has begun it. */
  actId: uuid('act_id'),
  /** The status that the record had in this stage before. */
  statusBefore: text('status_before'),
  /** The stay that the act has replaced. */
  replaced: jsonb('replaced').$type<Facts>(),
})

/** The next steps that have left the calendar of a fellow. A trigger writes them. */
export const endedSteps = pgTable('ended_steps', {
  id: uuid('id').primaryKey().defaultRandom(),
  recordId: uuid('record_id').notNull(),
  /** Who was responsible. */
  accountId: uuid('account_id').notNull(),
  nextOn: date('next_on').notNull(),
  sequence: integer('sequence').notNull(),
  endedAt: at('ended_at').notNull().default(sql`clock_timestamp()`),
})

/** How many records that have a pipeline are in each stage and status. Triggers count. */
export const pipelineCounts = pgTable('pipeline_counts', {
  kind: text('kind').$type<KindName>().notNull(),
  stageId: uuid('stage_id'),
  status: text('status').$type<Status>().notNull(),
  count: bigint('count', { mode: 'number' }).notNull().default(0),
})
