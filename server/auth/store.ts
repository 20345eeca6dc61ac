import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '#server/db/database.ts'
import { accounts, credentials, twoFactors } from '#server/db/schema.ts'
import { accountDisabled, addressRefused, addressTaken, wrongPair } from '#server/errors.ts'
import type { From } from '#server/history/acting.ts'
import { recordOwnDeed } from '#server/history/record.ts'
import { mayJoin } from './join-rule.ts'
import { forgetTokens } from './one-time-tokens.ts'

// Accounts and the ways into them, as rows.

const PASSWORD = 'credential'

/** An account and what its sign-in has to know. `passwordHash` is null for who comes by single sign-on only. */
export type KnownAccount = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  disabledAt: Date | null
  passwordHash: string | null
  hasTwoFactor: boolean
}

const knownAccounts = (db: Database) =>
  db
    .select({
      id: accounts.id,
      name: accounts.name,
      email: accounts.email,
      emailVerified: accounts.emailVerified,
      disabledAt: accounts.disabledAt,
      passwordHash: credentials.password,
      hasTwoFactor: sql<boolean>`${twoFactors.confirmedAt} is not null`,
    })
    .from(accounts)
    .leftJoin(credentials, and(eq(credentials.accountId, accounts.id), eq(credentials.provider, PASSWORD)))
    .leftJoin(twoFactors, eq(twoFactors.accountId, accounts.id))

export async function findAccount(db: Database, email: string): Promise<KnownAccount | undefined> {
  const [account] = await knownAccounts(db).where(eq(accounts.email, email.toLowerCase()))
  return account
}

export async function getAccount(db: Database, id: string): Promise<KnownAccount | undefined> {
  const [account] = await knownAccounts(db).where(eq(accounts.id, id))
  return account
}

/**
 * Holds an account until the transaction ends, and answers it as it is then. Whoever changes how it is entered holds it to
 * `change` before anything else; whoever enters it holds it to `enter`, beside others. So one of the two comes first, and
 * the other sees what it did.
 */
export async function holdAccount(tx: Database, id: string, to: 'enter' | 'change'): Promise<KnownAccount | undefined> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, id))
    .for(to === 'enter' ? 'share' : 'no key update')
  // A statement of its own: one that had to wait for the row would see all others as they were before.
  return getAccount(tx, id)
}

/** Holds an account to enter it. Throws the refusal of a sign-in when it is not entered any more as it was `before`. */
export async function holdUnchanged(tx: Database, before: KnownAccount): Promise<void> {
  const now = await holdAccount(tx, before.id, 'enter')
  if (now?.disabledAt) throw accountDisabled()
  if (now?.passwordHash !== before.passwordHash || now?.hasTwoFactor !== before.hasTwoFactor) throw wrongPair()
}

export async function hasAccount(db: Database, email: string): Promise<boolean> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email.toLowerCase()))
  return rows.length > 0
}

type NewAccount = { email: string; name: string; emailVerified: boolean }

/**
 * The only place where an account is made, whichever way it came: the join rule stands here. 403 for an address that may
 * not join, 409 for one that is taken; of many at once the unique address lets one through.
 */
export async function createAccount(
  db: Database,
  teamDomain: string,
  wish: NewAccount,
  from: From,
): Promise<KnownAccount> {
  if (!mayJoin(wish.email, teamDomain)) throw addressRefused(teamDomain)
  const row = { id: uuidv7(), ...wish, email: wish.email.toLowerCase() }
  const made = await db.insert(accounts).values(row).onConflictDoNothing().returning({ id: accounts.id })
  if (made.length === 0) throw addressTaken()
  await recordOwnDeed(db, 'register', row, from)
  return { ...row, disabledAt: null, passwordHash: null, hasTwoFactor: false }
}

/** Gives an account a password, or another one. */
export async function setPassword(db: Database, accountId: string, hash: string): Promise<void> {
  await db
    .insert(credentials)
    .values({ id: uuidv7(), accountId, provider: PASSWORD, providerAccount: accountId, password: hash })
    .onConflictDoUpdate({
      target: [credentials.provider, credentials.providerAccount],
      set: { password: hash, updatedAt: sql`now()` },
    })
}

/** Nobody gets in by the password of before; a new one can be set. */
export async function dropPassword(db: Database, accountId: string): Promise<void> {
  await db.delete(credentials).where(and(eq(credentials.accountId, accountId), eq(credentials.provider, PASSWORD)))
}

/**
 * The address is proven: from here on records imported under it belong to the account, by a trigger. Links that would
 * prove it again end, since in another browser they replace the password.
 */
export async function markVerified(db: Database, accountId: string): Promise<void> {
  await forgetTokens(db, accountId, ['verify', 'sign_up'])
  await db
    .update(accounts)
    .set({ emailVerified: true, updatedAt: sql`now()` })
    .where(and(eq(accounts.id, accountId), eq(accounts.emailVerified, false)))
}

export async function disableAccount(db: Database, accountId: string): Promise<void> {
  await db
    .update(accounts)
    .set({ disabledAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(accounts.id, accountId), isNull(accounts.disabledAt)))
}

export async function enableAccount(db: Database, accountId: string): Promise<void> {
  await db.update(accounts).set({ disabledAt: null, updatedAt: sql`now()` }).where(eq(accounts.id, accountId))
}
