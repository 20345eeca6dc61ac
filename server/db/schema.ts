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

// The tables as queries see them. The migrations make them; a test holds the two against each other.

/** What is known of a record's runs of enrichment; fields by their names on the wire, providers by their ids. */
export type EnrichmentState = {
  sources?: Record<string, { provider: string; at: string }>
  /** Since when a run is asked for or under way. */
  runningSince?: string
  /**
   * How the last run ended: the fields it found, what a person should know of it, the part of that which matters also to
   * who did not ask for it, and the hints it went by.
   */
  last?: { at: string; found: string[]; notice?: string; warning?: string; hints?: Record<string, string> }
  /** When a paid provider last answered a refresh of the record. */
  paid?: Record<string, string>
}

/** Values by the names of their fields. */
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
  image: text('image'),
  disabledAt: at('disabled_at'),
  role: text('role').$type<'fellow' | 'manager'>().notNull().default('fellow'),
  pendingSince: at('pending_since'),
  readmittedAt: at('readmitted_at'),
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
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: at('access_token_expires_at'),
  refreshTokenExpiresAt: at('refresh_token_expires_at'),
  scope: text('scope'),
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

export const tries = pgTable('tries', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  blockedUntil: at('blocked_until'),
  forgetAt: at('forget_at').notNull(),
})

export const founders = pgTable('founders', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  linkedIn: text('linked_in').notNull(),
  linkedInKey: text('linked_in_key'),
  notes: text('notes').notNull(),
  rating: smallint('rating').notNull(),
  creatorId: uuid('creator_id'),
  creatorText: text('creator_text'),
  additionalInfo: text('additional_info'),
  enrichment: jsonb('enrichment').$type<EnrichmentState>().notNull().default({}),
  lookedUpAt: at('looked_up_at').notNull().defaultNow(),
  searchText: text('search_text').notNull(),
  searchGrams: tsvector('search_grams').notNull().default(''),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  notesCount: integer('notes_count').notNull().default(0),
})

export const companies = pgTable('companies', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  website: text('website'),
  domainKey: text('domain_key'),
  description: text('description'),
  linkedIn: text('linked_in'),
  notes: text('notes').notNull(),
  rating: smallint('rating').notNull(),
  creatorId: uuid('creator_id'),
  creatorText: text('creator_text'),
  additionalInfo: text('additional_info'),
  enrichment: jsonb('enrichment').$type<EnrichmentState>().notNull().default({}),
  lookedUpAt: at('looked_up_at').notNull().defaultNow(),
  searchText: text('search_text').notNull(),
  searchGrams: tsvector('search_grams').notNull().default(''),
  version: integer('version').notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  notesCount: integer('notes_count').notNull().default(0),
})

export const pictures = pgTable(
  'pictures',
  {
    founderId: uuid('founder_id').notNull(),
    size: smallint('size').notNull(),
    bytes: bytea('bytes').notNull(),
    fetchedAt: at('fetched_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.founderId, table.size] })],
)

export const providerRests = pgTable('provider_rests', {
  provider: text('provider').primaryKey(),
  reason: text('reason').notNull(),
  until: at('until').notNull(),
})

export const notes = pgTable('notes', {
  id: uuid('id').primaryKey(),
  founderId: uuid('founder_id'),
  companyId: uuid('company_id'),
  authorId: uuid('author_id').notNull(),
  content: text('content').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const founderFellows = pgTable(
  'founder_fellows',
  {
    founderId: uuid('founder_id').notNull(),
    accountId: uuid('account_id').notNull(),
    createdAt: at('created_at').notNull(),
    isOwner: boolean('is_owner').notNull().default(false),
    notesCount: integer('notes_count').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.founderId, table.accountId] })],
)

export const companyFellows = pgTable(
  'company_fellows',
  {
    companyId: uuid('company_id').notNull(),
    accountId: uuid('account_id').notNull(),
    createdAt: at('created_at').notNull(),
    isOwner: boolean('is_owner').notNull().default(false),
    notesCount: integer('notes_count').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.accountId] })],
)

export const madeOnce = pgTable(
  'made_once',
  {
    accountId: uuid('account_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    madeId: uuid('made_id').notNull(),
    madeAt: at('made_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] })],
)

export const tallies = pgTable('tallies', {
  creatorId: uuid('creator_id'),
  creatorText: text('creator_text'),
  founders: bigint('founders', { mode: 'number' }).notNull().default(0),
  companies: bigint('companies', { mode: 'number' }).notNull().default(0),
  myFounders: bigint('my_founders', { mode: 'number' }).notNull().default(0),
  myCompanies: bigint('my_companies', { mode: 'number' }).notNull().default(0),
})

export const history = pgTable(
  'history',
  {
    id: uuid('id').notNull().default(sql`history_id(clock_timestamp())`),
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

/** What visitors who are not signed in were refused; deleted after a while. */
export const deniedRequests = pgTable(
  'denied_requests',
  {
    id: uuid('id').notNull().default(sql`history_id(clock_timestamp())`),
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
