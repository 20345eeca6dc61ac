import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Role } from '#contract/auth.ts'
import { at } from './columns.ts'

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})

export const accounts = pgTable('accounts', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  emailVerified: boolean('email_verified').notNull().default(false),
  disabledAt: at('disabled_at'),
  role: text('role').$type<Role>().notNull().default('fellow'),
  pendingSince: at('pending_since'),
  readmittedAt: at('readmitted_at'),
  leftAt: at('left_at'),
  /** Browsers that were known before are strangers. */
  devicesEndedAt: at('devices_ended_at'),
  /** Until then the owner has read what others changed. */
  noticesSeenAt: at('notices_seen_at').notNull().defaultNow(),
  publicId: uuid('public_id').notNull().defaultRandom(),
  /** Of an erased account, whose address is empty. */
  formerNumber: integer('former_number'),
  /** The keyed hash of the plain form of the address that an erased account had. */
  plainHash: text('plain_hash'),
  createdAt: at('created_at').notNull().defaultNow(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  /** Since when *Since you were last here* counts, as long as nothing was seen. */
  countsSince: at('counts_since').notNull().defaultNow(),
  /** What was before counts as seen in the inbox. */
  inboxSince: at('inbox_since').notNull().defaultNow(),
})

/** Until when an account has seen what a number of *Since you were last here* counts. */
export const sinceSeen = pgTable(
  'since_seen',
  {
    accountId: uuid('account_id').notNull(),
    key: text('key').notNull(),
    kind: text('kind').notNull(),
    seenUntil: at('seen_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key, table.kind] })],
)

export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  token: text('token').notNull().unique(),
  /** Public. A renewed session keeps it. */
  signIn: uuid('sign_in').notNull().defaultRandom(),
  expiresAt: at('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  confirmedAt: at('confirmed_at'),
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
  email: text('email'),
})

export const invitations = pgTable('invitations', {
  id: uuid('id').primaryKey(),
  hash: text('hash').notNull().unique(),
  email: text('email'),
  expiresAt: at('expires_at').notNull(),
  createdBy: uuid('created_by'),
  createdAt: at('created_at').notNull().defaultNow(),
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
