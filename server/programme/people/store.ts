import { and, eq, type SQL, sql } from 'drizzle-orm'
import { holds } from '#server/auth/sign-up/invitations.ts'
import { getAccount, isFound, type KnownAccount, lockAccount } from '#server/auth/store.ts'
import { countedTokens } from '#server/auth/tokens/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, invitations } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { notFound } from '#server/http/errors.ts'
import { newest } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'

export type PersonRow = Pick<
  KnownAccount,
  'name' | 'email' | 'emailVerified' | 'role' | 'disabledAt' | 'leftAt' | 'pendingSince'
> & {
  /** The public id. */
  id: string
  hasTwoFactor: boolean
  wasManager: boolean
  waysIn: string[]
  sessions: number
  tokens: number
  createdAt: Date
  lastSeenAt: Date | null
}

export const NO_PERSON = 'There is no such person'

/** All accounts, newest first, by a part of the name or the address. */
export async function listPeople(db: Database, search: string, page: PageRequest): Promise<PersonRow[]> {
  const rows = await rowsOf<PersonRow>(
    db,
    sql`
      select public_id as id, name, email, email_verified as "emailVerified", role, disabled_at as "disabledAt",
        left_at as "leftAt",
        pending_since as "pendingSince", created_at as "createdAt",
        exists (select from two_factors where account_id = accounts.id and confirmed_at is not null) as "hasTwoFactor",
        ${wasDemoted(sql`accounts.id`)} as "wasManager",
        coalesce((
          select json_agg(case provider when 'credential' then 'password' else provider end order by provider)
          from credentials where account_id = accounts.id
        ), '[]') as "waysIn",
        coalesce(open.count, 0) as sessions, ${countedTokens} as tokens, open.used as "lastSeenAt"
      from accounts left join lateral (
        select count(*)::int as count, max(updated_at) as used
        from sessions where account_id = accounts.id and expires_at > now()
      ) open on true
      where ${and(isFound(search), isAfter(newest, byPublicId, page.after))}
      order by accounts.created_at desc, public_id desc limit ${page.limit + 1}`,
  )
  // A raw statement returns times as text.
  return rows.map((row) => ({
    ...row,
    disabledAt: timeOf(row.disabledAt),
    leftAt: timeOf(row.leftAt),
    pendingSince: timeOf(row.pendingSince),
    createdAt: new Date(row.createdAt),
    lastSeenAt: timeOf(row.lastSeenAt),
  }))
}

/** The number of accounts that wait for approval, at most `most`. */
export async function countPending(db: Database, most: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from (
      select from accounts
      where pending_since is not null and disabled_at is null and left_at is null and email <> '' limit ${most}
    ) waiting`,
  )
  return row?.count ?? 0
}

/** The ledger has every demotion. */
const wasDemoted = (id: SQL) => sql`exists (
  select from ledger where kind = 'account' and facts ->> 'account' = (${id})::text and facts ->> 'state' = 'demoted'
)`

/** Whether an account was a manager's before. */
export async function wasManager(db: Database, { id }: Pick<KnownAccount, 'id'>): Promise<boolean> {
  const [row] = await rowsOf<{ is: boolean }>(db, sql`select ${wasDemoted(sql`${id}`)} as is`)
  return row?.is ?? false
}

const timeOf = (value: Date | string | null) => (value === null ? null : new Date(value))

/** The public id is in cursors. */
const byPublicId = { createdAt: accounts.createdAt, id: accounts.publicId }

/** The account of a public id. Throws the 404. */
export async function getPerson(db: Database, publicId: string): Promise<KnownAccount> {
  const [row] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.publicId, publicId))
  const account = row && (await getAccount(db, row.id))
  if (account === undefined) throw notFound(NO_PERSON)
  return account
}

/** The same, locked until the transaction ends. */
export async function lockPerson(tx: Database, publicId: string): Promise<KnownAccount> {
  const { id } = await getPerson(tx, publicId)
  const account = await lockAccount(tx, id, 'change')
  if (account === undefined) throw notFound(NO_PERSON)
  return account
}

/** The invitations that are still valid, newest first. */
export const listInvitations = (db: Database, page: PageRequest) =>
  db
    .select({
      id: invitations.id,
      email: invitations.email,
      by: sql<string | null>`${shownName()}`,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .leftJoin(accounts, eq(accounts.id, invitations.createdBy))
    .where(and(holds, isAfter(newest, invitations, page.after)))
    .orderBy(...orderOf(newest, invitations))
    .limit(page.limit + 1)
