import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { DuplicateReason } from '#contract/duplicates.ts'
import type { Finder } from '#contract/finder.ts'
import type { Dialect, ImportDuplicates, ImportOutcome, ImportState, Mapping } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'

// The tables as queries see them. The migrations create them, and a test compares the two.

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

/** Values by field name. */
export type Facts = Record<string, unknown>

const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (bytes) => Buffer.from(bytes),
})

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})

export const accounts = pgTable('accounts', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  disabledAt: at('disabled_at'),
  role: text('role').$type<'fellow' | 'manager'>().notNull().default('fellow'),
  pendingSince: at('pending_since'),
  readmittedAt: at('readmitted_at'),
  publicId: uuid('public_id').notNull().defaultRandom(),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  token: text('token').notNull().unique(),
  expiresAt: at('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const credentials = pgTable('credentials', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  provider: text('provider').notNull(),
  providerAccount: text('provider_account').notNull(),
  password: text('password'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
})

export const oneTimeTokens = pgTable('one_time_tokens', {
  hash: text('hash').primaryKey(),
  purpose: text('purpose').notNull(),
  accountId: uuid('account_id').notNull(),
  expiresAt: at('expires_at').notNull(),
})

export const invitations = pgTable('invitations', {
  id: uuid('id').primaryKey(),
  hash: text('hash').notNull().unique(),
  email: text('email'),
  expiresAt: at('expires_at').notNull(),
})

export const twoFactors = pgTable('two_factors', {
  accountId: uuid('account_id').primaryKey(),
  secret: text('secret').notNull(),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  confirmedAt: at('confirmed_at'),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  { accountId: uuid('account_id').notNull(), hash: text('hash').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.hash] })],
)

export const attempts = pgTable('attempts', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  blockedUntil: at('blocked_until'),
  forgetAt: at('forget_at').notNull(),
})

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: uuid('account_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    madeId: uuid('made_id').notNull(),
    madeAt: at('made_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] })],
)

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
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  notesCount: integer('notes_count').notNull().default(0),
  mergedInto: uuid('merged_into'),
  isImported: boolean('is_imported').notNull().default(false),
})

export const notes = pgTable('notes', {
  id: uuid('id').primaryKey(),
  recordId: uuid('record_id').notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  authorId: uuid('author_id'),
  /** The author's name on an imported note, which belongs to no account. */
  authorText: text('author_text'),
  content: text('content').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
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
})

export const merges = pgTable('merges', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<KindName>().notNull(),
  survivorId: uuid('survivor_id').notNull(),
  duplicateId: uuid('duplicate_id').notNull(),
  accountId: uuid('account_id').notNull(),
  before: jsonb('before').$type<Facts>().notNull(),
  after: jsonb('after').$type<Facts>().notNull(),
  noteIds: uuid('note_ids').array().notNull(),
  swapsFinder: boolean('swaps_finder').notNull(),
  mergedAt: at('merged_at').notNull().default(sql`clock_timestamp()`),
  undoneAt: at('undone_at'),
})

export const counters = pgTable('counters', {
  creatorId: uuid('creator_id'),
  creatorText: text('creator_text'),
  kind: text('kind').$type<KindName>().notNull(),
  added: bigint('added', { mode: 'number' }).notNull().default(0),
  mine: bigint('mine', { mode: 'number' }).notNull().default(0),
})

export const imports = pgTable('imports', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  fileName: text('file_name').notNull(),
  state: text('state').$type<ImportState>().notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  dialect: jsonb('dialect').$type<Dialect>().notNull(),
  columns: jsonb('columns').$type<string[]>().notNull(),
  mapping: jsonb('mapping').$type<Mapping>().notNull(),
  duplicates: text('duplicates').$type<ImportDuplicates>().notNull().default('skip'),
  counts: jsonb('counts').$type<Partial<Record<ImportOutcome, number>>>().notNull().default({}),
  done: integer('done').notNull().default(0),
  total: integer('total').notNull().default(0),
  lastRow: integer('last_row').notNull().default(-1),
  error: text('error'),
  startedAt: at('started_at'),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const importFiles = pgTable(
  'import_files',
  {
    importId: uuid('import_id').notNull(),
    piece: integer('piece').notNull(),
    bytes: bytea('bytes').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.piece] })],
)

export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id').notNull(),
    row: integer('row').notNull(),
    cells: jsonb('cells').$type<string[]>().notNull(),
    outcome: text('outcome').$type<ImportOutcome>().notNull(),
    recordId: uuid('record_id'),
    error: text('error'),
    columnName: text('column_name'),
    repeats: integer('repeats'),
    before: jsonb('before').$type<Facts>(),
    after: jsonb('after').$type<Facts>(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
)

export const importLookUps = pgTable('import_look_ups', {
  importId: uuid('import_id').primaryKey(),
  askedAt: at('asked_at').notNull().defaultNow(),
  queuedAt: at('queued_at'),
})

export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').notNull().default(sql`audit_id(clock_timestamp())`),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    accountId: uuid('account_id'),
    accountEmail: text('account_email'),
    ip: text('ip'),
    requestId: text('request_id'),
    action: text('action').notNull(),
    kind: text('kind'),
    objectId: uuid('object_id'),
    result: text('result').$type<'done' | 'refused'>().notNull().default('done'),
    before: jsonb('before').$type<Facts>(),
    after: jsonb('after').$type<Facts>(),
    detail: jsonb('detail').$type<Facts>(),
  },
  (table) => [primaryKey({ columns: [table.at, table.id] })],
)

/** Denied requests of visitors who are not signed in, deleted after a while. */
export const deniedRequests = pgTable(
  'denied_requests',
  {
    id: uuid('id').notNull().default(sql`audit_id(clock_timestamp())`),
    at: at('at').notNull().default(sql`clock_timestamp()`),
    accountEmail: text('account_email'),
    ip: text('ip'),
    requestId: text('request_id'),
    action: text('action').notNull(),
    kind: text('kind'),
    objectId: uuid('object_id'),
    detail: jsonb('detail').$type<Facts>(),
  },
  (table) => [primaryKey({ columns: [table.at, table.id] })],
)
