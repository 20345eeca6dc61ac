import { type SQL, sql } from 'drizzle-orm'
import type { OpenDatabase } from '#server/db/database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { openBareDatabase } from '#server/test/test-database.ts'

// The data that each released schema can hold, as SQL of its time. Each world adds to the previous one. Fixed ids make
// every row identifiable after any upgrade.

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [ADA, BEN, FOUNDER, IMPORTED, COMPANY, NOTE] = [1, 2, 11, 12, 21, 31].map(id)
const HOSTILE = `O'Hara "\\" 😀 100% a_c\nsecond line`

/** By the number of the migration that allows it. */
const RELEASED: Record<number, SQL[]> = {
  1: [
    sql`insert into settings (key, value) values ('auth-secret', 'made once, and long enough to sign cookies')`,
    sql`insert into accounts (id, name, email, email_verified) values
      (${ADA}, ${HOSTILE}, 'ada@mit.edu', true), (${BEN}, 'Ben', 'ben@mit.edu', false)`,
    sql`insert into credentials (id, account_id, provider, provider_account, password)
      values (${id(41)}, ${ADA}, 'credential', ${ADA}, '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA')`,
    sql`insert into sessions (id, account_id, token, expires_at)
      values (${id(51)}, ${ADA}, 'a hash', '2030-01-01 00:00:00.123+00')`,
    sql`insert into founders (id, name, linked_in, notes, rating, creator_id, additional_info, search_text, created_at)
      values (${FOUNDER}, ${HOSTILE}, 'https://www.linkedin.com/in/x', ${HOSTILE}, 10, ${ADA}, '{"bio":"b"}',
        ${HOSTILE.toLowerCase()}, '2024-02-29 12:00:00.001+00')`,
    sql`insert into founders (id, name, linked_in, notes, rating, creator_text, search_text, version,
        additional_info)
      values (${IMPORTED}, 'Imported', 'x', 'n', 1, 'ADA@mit.edu', 'imported', 7, 'No JSON at all')`,
    sql`insert into tries (key, count, forget_at) values ('password:ada@mit.edu', 3, '2030-01-01 00:00:00+00')`,
  ],
  2: [
    sql`insert into companies (id, name, website, notes, rating, creator_id, search_text)
      values (${COMPANY}, ${HOSTILE}, 'https://x.example', 'n', 5, ${BEN}, 'x')`,
  ],
  3: [
    sql`insert into notes (id, founder_id, author_id, content) values (${NOTE}, ${FOUNDER}, ${BEN}, ${HOSTILE})`,
    sql`insert into notes (id, company_id, author_id, content) values (${id(32)}, ${COMPANY}, ${ADA}, 'On a company')`,
  ],
  5: [
    sql`update founders set linked_in_key = 'x', enrichment = '{"last":{"at":"2024-01-01","found":["bio"]}}'
      where id = ${FOUNDER}`,
    sql`insert into pictures (founder_id, size, bytes, fetched_at) values (${FOUNDER}, 56, '\\x00ff'::bytea, now())`,
    sql`insert into provider_rests (provider, reason, until) values ('apollo', 'credits', now())`,
  ],
  6: [sql`update accounts set email_verified = true where id = ${BEN}`],
  7: [
    sql`update accounts set disabled_at = '2024-05-05 00:00:00+00' where id = ${BEN}`,
    sql`insert into one_time_tokens (hash, purpose, account_id, expires_at)
      values ('hash', 'reset', ${ADA}, '2030-01-01 00:00:00+00')`,
    sql`insert into two_factors (account_id, secret, last_step, confirmed_at) values (${ADA}, 'sealed', 123, now())`,
    sql`insert into recovery_codes (account_id, hash) values (${ADA}, 'one'), (${ADA}, 'other')`,
  ],
  8: [
    sql`update founders set rating = 9, version = version + 1 where id = ${FOUNDER}`,
    sql`insert into history (account_id, account_email, ip, request_id, action, kind, result, detail)
      values (${ADA}, 'ada@mit.edu', '10.0.0.1', 'r', 'login', 'account', 'refused', '{"why":"password"}')`,
  ],
  9: [sql`insert into made_once (account_id, key, fingerprint, made_id) values (${ADA}, 'key', 'print', ${FOUNDER})`],
  10: [sql`update companies set description = ${HOSTILE}, version = version + 1 where id = ${COMPANY}`],
  13: [
    sql`insert into denied_requests (account_email, ip, action, detail)
      values ('stranger@mit.edu', '192.0.2.1', 'login', '{"status":401}')`,
  ],
  14: [
    sql`insert into accounts (id, name, email, role, pending_since, disabled_at, readmitted_at)
      values (${id(3)}, 'Eve', 'e.ve+x@mit.edu', 'manager', now(), now(), now())`,
    sql`insert into invitations (id, hash, email, expires_at) values (${id(61)}, 'a hash', 'guest@mit.edu', now())`,
  ],
}

/** A database of the release with this newest migration, with all data that it can hold. */
export async function openReleased(newest: number): Promise<OpenDatabase> {
  const database = await openBareDatabase()
  await releaseInto(database, newest)
  return database
}

export async function releaseInto({ db }: OpenDatabase, newest: number): Promise<void> {
  const migrations = await readMigrations()
  const withData = Object.keys(RELEASED).map(Number)
  for (const step of new Set([...withData.filter((number) => number < newest), newest])) {
    await migrate(
      db,
      migrations.filter(({ number }) => number <= step),
    )
    for (const statement of RELEASED[step] ?? []) await db.execute(statement)
  }
}

type Row = Record<string, unknown>

/** Tables before the baseline, and the tables that hold their rows today. */
const TODAY: Record<string, { table: string; asToday?: (row: Row) => Row }> = {
  founders: { table: 'records', asToday: (row) => recordToday('founder', row) },
  companies: { table: 'records', asToday: (row) => recordToday('company', row) },
  notes: {
    table: 'notes',
    asToday: ({ founder_id, company_id, ...row }) => ({
      ...row,
      record_id: founder_id ?? company_id,
      kind: founder_id ? 'founder' : 'company',
    }),
  },
  pictures: {
    table: 'pictures',
    asToday: ({ founder_id, ...row }) => ({ ...row, record_id: founder_id, kind: 'founder' }),
  },
  founder_fellows: {
    table: 'record_members',
    asToday: ({ founder_id, ...row }) => ({ ...row, record_id: founder_id, kind: 'founder' }),
  },
  company_fellows: {
    table: 'record_members',
    asToday: ({ company_id, ...row }) => ({ ...row, record_id: company_id, kind: 'company' }),
  },
  // Was never filled, and no longer exists.
  accounts: { table: 'accounts', asToday: ({ image, ...row }) => row },
  credentials: {
    table: 'credentials',
    asToday: ({
      access_token,
      refresh_token,
      id_token,
      access_token_expires_at,
      refresh_token_expires_at,
      scope,
      ...row
    }) => row,
  },
  tries: { table: 'attempts' },
  made_once: { table: 'idempotency_keys' },
  provider_rests: { table: 'provider_cooldowns' },
  history: { table: 'audit_log' },
}

const recordToday = (kind: string, { looked_up_at, search_grams, additional_info, ...row }: Row): Row => ({
  ...row,
  kind,
  ...(looked_up_at !== undefined && { enriched_at: looked_up_at }),
  additional_info: typeof additional_info === 'string' ? jsonOrText(additional_info) : null,
})

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The current table and row for a row of a table before the baseline. */
export function today(table: string, row: Row): { table: string; row: Row } {
  const { table: name, asToday = (same: Row) => same } = TODAY[table] ?? { table }
  return { table: name, row: asToday(row) }
}
