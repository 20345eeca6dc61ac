import { sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { DuplicateReason } from '#contract/duplicates.ts'
import type { Finder } from '#contract/finder.ts'
import type { KindName } from '#contract/kinds.ts'
import type { Status } from '#contract/status.ts'
import { at, bytea, type Facts, tsvector } from './columns.ts'

/** The state of a record's enrichment. Fields have their names on the wire, providers their ids. */
export type EnrichmentState = {
  sources?: Record<string, { provider: string; at: string }>
  /** Since when a run is queued or running. */
  runningSince?: string
  /**
   * The result of the last run: the fields it found, the notice for people, the part of the notice that also concerns a
   * person who did not ask for the run, and its hints.
   */
  last?: { at: string; found: string[]; notice?: string; warning?: string; hints?: Record<string, string> }
  /** When a paid provider last answered a refresh of the record. */
  paid?: Record<string, string>
}

/** The time of the newest note of a record without notes, so that it is the last one in that order. */
export const NO_NOTE = new Date(0)

export const records = pgTable('records', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<KindName>().notNull(),
  name: text('name').notNull(),
  linkedIn: text('linked_in'),
  website: text('website'),
  description: text('description'),
  notes: text('notes').notNull(),
  rating: smallint('rating').notNull(),
  creatorId: uuid('creator_id'),
  creatorText: text('creator_text'),
  additionalInfo: jsonb('additional_info').$type<unknown>(),
  enrichment: jsonb('enrichment').$type<EnrichmentState>().notNull().default({}),
  enrichedAt: at('enriched_at').notNull().defaultNow(),
  linkedInKey: text('linked_in_key'),
  domainKey: text('domain_key'),
  searchText: text('search_text').notNull(),
  searchGrams: tsvector('search_grams').notNull().default(''),
  secondaryText: text('mention_text').notNull().default(''),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  notesCount: integer('notes_count').notNull().default(0),
  /** When its newest note was added; `NO_NOTE` without one. */
  lastNoteAt: at('last_note_at').notNull().default(NO_NOTE),
  /** When a person last did something about it by hand that still stands, and who; `NO_NOTE` for nothing. Triggers fill both. */
  lastActivityAt: at('last_activity_at').notNull().default(NO_NOTE),
  lastActivityBy: uuid('last_activity_by'),
  mergedInto: uuid('merged_into'),
  /** Who deleted it, and when. Triggers fill both when its kind changes. */
  deletedAt: at('deleted_at'),
  deletedBy: uuid('deleted_by'),
  isImported: boolean('is_imported').notNull().default(false),
  isRated: boolean('is_rated').notNull().default(true),
  /** The rating with which a person has added it by hand. Null for imported ones. */
  firstRating: smallint('first_rating'),
  /** Whether it unites records of several first finders, by merges. */
  isUnited: boolean('is_united').notNull().default(false),
  /** Who edited the notes last, and when. Null while they are as added. */
  notesEditedBy: uuid('notes_edited_by'),
  notesEditedAt: at('notes_edited_at'),
  /** When a manager has informed this person of what is held on them, and which one. */
  informedAt: at('informed_at'),
  informedBy: uuid('informed_by'),
  hasOpinions: boolean('has_opinions').notNull().default(false),
  /** Null until it is started. */
  stageId: uuid('stage_id'),
  status: text('status').$type<Status>().notNull().default('active'),
  responsibleId: uuid('responsible_id'),
  nextStep: text('next_step'),
  nextOn: date('next_on', { mode: 'string' }),
  passingReasonId: uuid('passing_reason_id'),
  passingText: text('passing_text'),
  lookAgainOn: date('look_again_on', { mode: 'string' }),
  /** Counts the changes of the columns above. A record with 0 has no pipeline. */
  pipelineVersion: integer('pipeline_version').notNull().default(0),
  /** Since when it has been in its stage, as if without a break. Null while the clock stands. Triggers fill both. */
  stageSince: at('stage_since'),
  /** The milliseconds that it was in its stage, while the clock stands. */
  stageSpent: bigint('stage_spent', { mode: 'number' }),
  /** The stages that it is in or was in. Triggers fill it. */
  reached: uuid('reached').array().notNull().default([]),
})

export const notes = pgTable('notes', {
  id: uuid('id').primaryKey(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  authorId: uuid('author_id'),
  /** The author's name on an imported note, which belongs to no account. */
  authorText: text('author_text'),
  content: text('content').notNull(),
  searchText: text('search_text').notNull().default(''),
  createdAt: at('created_at').notNull().defaultNow(),
  /** The import that has added it, and the row of its file. Null for a note that a person has written here. */
  importId: uuid('import_id'),
  importRow: integer('import_row'),
  /** Whether it names fellows. */
  hasMentions: boolean('has_mentions').notNull().default(false),
})

export const pictures = pgTable(
  'pictures',
  {
    recordId: uuid('record_id').notNull(),
    kind: text('kind').$type<KindName>().notNull(),
    size: smallint('size').notNull(),
    bytes: bytea('bytes').notNull(),
    fetchedAt: at('fetched_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.size] })],
)

export const providerCooldowns = pgTable('provider_cooldowns', {
  provider: text('provider').primaryKey(),
  reason: text('reason').notNull(),
  until: at('until').notNull(),
})

export const recordMembers = pgTable(
  'record_members',
  {
    recordId: uuid('record_id').notNull(),
    kind: text('kind').$type<KindName>().notNull(),
    accountId: uuid('account_id').notNull(),
    createdAt: at('created_at').notNull(),
    isOwner: boolean('is_owner').notNull().default(false),
    notesCount: integer('notes_count').notNull().default(0),
    isFinder: boolean('is_finder').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.accountId] })],
)

export const finders = pgTable('finders', {
  recordId: uuid('record_id').notNull(),
  accountId: uuid('account_id'),
  fellowText: text('fellow_text'),
  foundAt: at('found_at').notNull().defaultNow(),
  via: text('via').$type<Finder['via']>().notNull(),
})

/** Pairs that may be one record; `a` is the smaller id. A dismissed pair keeps the reasons that were known. */
export const duplicatePairs = pgTable(
  'duplicate_pairs',
  {
    a: uuid('a').notNull(),
    b: uuid('b').notNull(),
    kind: text('kind').$type<KindName>().notNull(),
    reasons: text('reasons').array().$type<DuplicateReason[]>().notNull(),
    score: smallint('score').notNull(),
    dismissed: text('dismissed').array().$type<DuplicateReason[]>(),
  },
  (table) => [primaryKey({ columns: [table.a, table.b] })],
)

export const duplicateChecks = pgTable('duplicate_checks', {
  recordId: uuid('record_id').primaryKey(),
  changeId: uuid('change_id').notNull().defaultRandom(),
  priority: smallint('priority').notNull().default(1),
})

/** Who marked two records as not the same, and when; `a` is the smaller id. */
export const dismissals = pgTable('dismissals', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<KindName>().notNull(),
  a: uuid('a').notNull(),
  b: uuid('b').notNull(),
  accountId: uuid('account_id').notNull(),
  dismissedAt: at('dismissed_at').notNull().default(sql`clock_timestamp()`),
  undoneAt: at('undone_at'),
})

export const merges = pgTable('merges', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<KindName>().notNull(),
  survivorId: uuid('survivor_id').notNull(),
  duplicateId: uuid('duplicate_id').notNull(),
  accountId: uuid('account_id').notNull(),
  before: jsonb('before').$type<Facts>().notNull(),
  after: jsonb('after').$type<Facts>().notNull(),
  /** The ids of the moved rows, by table. */
  moved: jsonb('moved').$type<Record<string, string[]>>().notNull(),
  swapsFinder: boolean('swaps_finder').notNull(),
  mergedAt: at('merged_at').notNull().default(sql`clock_timestamp()`),
  undoneAt: at('undone_at'),
})

/** The founders of companies. A merge may bring several links of one pair together. */
export const links = pgTable('links', {
  id: uuid('id').primaryKey(),
  founderId: uuid('founder_id').notNull(),
  founderKind: text('founder_kind').notNull().default('founder'),
  companyId: uuid('company_id').notNull(),
  companyKind: text('company_kind').notNull().default('company'),
  role: text('role').notNull().default(''),
  createdBy: uuid('created_by'),
  createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
})

/** Second opinions. A merge may bring several of one fellow together; the newest counts. */
export const opinions = pgTable('opinions', {
  id: uuid('id').primaryKey(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  accountId: uuid('account_id').notNull(),
  rating: smallint('rating').notNull(),
  comment: text('comment').notNull().default(''),
  isAfterReading: boolean('is_after_reading').notNull(),
  givenAt: at('given_at').notNull().default(sql`clock_timestamp()`),
  changedAt: at('changed_at'),
})

/** Who could read the opinions of others on a record, or on one that it was merged into. */
export const opinionReadings = pgTable(
  'opinion_readings',
  {
    recordId: uuid('record_id').notNull(),
    accountId: uuid('account_id').notNull(),
    readAt: at('read_at').notNull().default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.accountId] })],
)

/** The records whose opinions a manager has revealed to everyone. */
export const opinionReveals = pgTable('opinion_reveals', {
  recordId: uuid('record_id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  revealedAt: at('revealed_at').notNull().default(sql`clock_timestamp()`),
})

/** Who has made whom responsible for a record last. A trigger writes it. */
export const assignments = pgTable(
  'assignments',
  {
    recordId: uuid('record_id').notNull(),
    accountId: uuid('account_id').notNull(),
    assignedBy: uuid('assigned_by'),
    assignedAt: at('assigned_at').notNull().default(sql`clock_timestamp()`),
    /** The act on many records, the hand-over or the import that it is part of. */
    actId: uuid('act_id'),
    isImported: boolean('is_imported').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.accountId] })],
)

export const counters = pgTable('counters', {
  creatorId: uuid('creator_id'),
  creatorText: text('creator_text'),
  kind: text('kind').$type<KindName>().notNull(),
  added: bigint('added', { mode: 'number' }).notNull().default(0),
  mine: bigint('mine', { mode: 'number' }).notNull().default(0),
})

/** Addresses of `do_not_keep` that a manager keeps on a record nevertheless. */
export const overrules = pgTable(
  'overrules',
  {
    recordId: uuid('record_id').notNull(),
    kind: text('kind').$type<KindName>().notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.recordId, table.hash] })],
)
