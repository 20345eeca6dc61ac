import { sql } from 'drizzle-orm'
import { boolean, date, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { Status } from '#contract/status.ts'
import { at } from './columns.ts'

/** Acts on many records, and what they set. */
export const bulkActs = pgTable('bulk_acts', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  setsTag: boolean('sets_tag').notNull(),
  /** Null once the tag is deleted. */
  tagId: uuid('tag_id'),
  setsStage: boolean('sets_stage').notNull(),
  stageId: uuid('stage_id'),
  setsResponsible: boolean('sets_responsible').notNull(),
  responsibleId: uuid('responsible_id'),
  passes: boolean('passes').notNull().default(false),
  passingReasonId: uuid('passing_reason_id'),
  lookAgainOn: date('look_again_on', { mode: 'string' }),
  doneAt: at('done_at').notNull().default(sql`clock_timestamp()`),
  undoneAt: at('undone_at'),
})

/** Their records, and what these had before. A skipped one has the reason as `error`. */
export const bulkRows = pgTable(
  'bulk_rows',
  {
    bulkId: uuid('bulk_id').notNull(),
    place: smallint('place').notNull(),
    recordId: uuid('record_id').notNull(),
    error: text('error'),
    recordTagId: uuid('record_tag_id'),
    isStageChanged: boolean('is_stage_changed').notNull().default(false),
    stageBefore: uuid('stage_before'),
    status: text('status').$type<Status>(),
    isResponsibleChanged: boolean('is_responsible_changed').notNull().default(false),
    responsibleBefore: uuid('responsible_before'),
    isPassed: boolean('is_passed').notNull().default(false),
    /** The remark on the reason. */
    passingText: text('passing_text'),
    nextStepBefore: text('next_step_before'),
    nextOnBefore: date('next_on_before', { mode: 'string' }),
    /** The time of the act as the last activity of the record, and the last activity before it. */
    activeAt: at('active_at'),
    activeBefore: at('active_before'),
    activeBeforeBy: uuid('active_before_by'),
  },
  (table) => [primaryKey({ columns: [table.bulkId, table.place] })],
)
