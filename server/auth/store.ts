import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Role } from '#contract/auth.ts'
import { fold } from '#contract/fold.ts'
import type { Person } from '#contract/programme.ts'
import type { Actor, Origin } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, credentials, twoFactors } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import {
  accountDisabled,
  addressTaken,
  approvalPending,
  invalidCredentials,
  invitationRefused,
} from '#server/http/errors.ts'
import { deleteTokens } from './links/one-time-tokens.ts'
import { spendInvitation } from './sign-up/invitations.ts'
import { type Applicant, refuseSignUp } from './sign-up/sign-up.ts'

// Accounts and their credentials, as rows.

export const PASSWORD = 'credential'

/** An account, with the facts that its sign-in has to check. `passwordHash` is null for single sign-on only. */
export type KnownAccount = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  disabledAt: Date | null
  /** A disabled account may have left. */
  leftAt: Date | null
  devicesEndedAt: Date | null
  role: Role
  /** Since when it waits for approval; null once it is approved. */
  pendingSince: Date | null
  passwordHash: string | null
  hasTwoFactor: boolean
}

/** A disabled account that waited for approval waits again once it is enabled. */
export function stateOf({
  email,
  leftAt,
  disabledAt,
  pendingSince,
}: Pick<KnownAccount, 'email' | 'leftAt' | 'disabledAt' | 'pendingSince'>): Person['state'] {
  if (email === '') return 'erased'
  if (leftAt !== null) return 'left'
  if (disabledAt !== null) return 'disabled'
  return pendingSince !== null ? 'pending' : 'active'
}

/** By a part of the name or the address. */
export const isFound = (search: string): SQL =>
  sql`(strpos(${accounts.email}, ${search.toLowerCase()}) > 0
    or strpos(fold_again(without_case(${accounts.name})), ${fold(search)}) > 0)`

const knownAccounts = (db: Database) =>
  db
    .select({
      id: accounts.id,
      name: accounts.name,
      email: accounts.email,
      emailVerified: accounts.emailVerified,
      disabledAt: accounts.disabledAt,
      leftAt: accounts.leftAt,
      devicesEndedAt: accounts.devicesEndedAt,
      role: accounts.role,
      pendingSince: accounts.pendingSince,
      passwordHash: credentials.password,
      hasTwoFactor: sql<boolean>`${twoFactors.confirmedAt} is not null`,
    })
    .from(accounts)
    .leftJoin(credentials, and(eq(credentials.accountId, accounts.id), eq(credentials.provider, PASSWORD)))
    .leftJoin(twoFactors, eq(twoFactors.accountId, accounts.id))

export async function findAccount(db: Database, email: string): Promise<KnownAccount | undefined> {
  // Erased accounts have no address.
  if (email === '') return undefined
  const [account] = await knownAccounts(db).where(eq(accounts.email, email.toLowerCase()))
  return account
}

export async function getAccount(db: Database, id: string): Promise<KnownAccount | undefined> {
  const [account] = await knownAccounts(db).where(eq(accounts.id, id))
  return account
}

/**
 * Locks an account until the transaction ends, and returns its current state. A transaction that changes how the
 * account is entered locks it with `change` before anything else. A sign-in locks it with `sign-in`, which others may
 * share. So one of the two comes first, and the other sees its result.
 */
export async function lockAccount(tx: Database, id: string, to: 'enter' | 'change'): Promise<KnownAccount | undefined> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, id))
    .for(to === 'enter' ? 'share' : 'no key update')
  // A separate statement: one that waited for the row lock would see all other rows as they were before.
  return getAccount(tx, id)
}

/** Locks an account for a sign-in. Throws the refusal of a sign-in when the account no longer matches `before`. */
export async function lockUnchanged(tx: Database, before: KnownAccount): Promise<void> {
  const now = await lockAccount(tx, before.id, 'enter')
  if (now?.disabledAt) throw accountDisabled()
  if (now?.pendingSince) throw approvalPending()
  if (now?.passwordHash !== before.passwordHash || now?.hasTwoFactor !== before.hasTwoFactor) throw invalidCredentials()
}

export async function hasAccount(db: Database, email: string): Promise<boolean> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email.toLowerCase()))
  return rows.length > 0
}

type NewAccount = Applicant & { name: string; emailVerified: boolean }

/**
 * The only place that creates an account, for every way to sign up. Checks who may sign up and uses up the invitation.
 * 403 for an applicant who may not, 409 for an address that is taken; of many at the same time, the unique address lets
 * one through. Call it in a transaction, so that a refused sign-up does not use the invitation up.
 */
export async function createAccount(
  tx: Database,
  settings: Settings,
  applicant: NewAccount,
  from: Origin,
): Promise<KnownAccount> {
  const { name, emailVerified, invitation } = applicant
  const { mode } = await refuseSignUp(tx, settings, applicant)
  if (invitation && !(await spendInvitation(tx, invitation))) throw invitationRefused()
  const account = {
    id: uuidv7(),
    email: applicant.email.toLowerCase(),
    name,
    emailVerified,
    role: 'fellow' as const,
    pendingSince: mode === 'approval' && invitation === undefined ? new Date() : null,
  }
  const made = await tx.insert(accounts).values(account).onConflictDoNothing().returning({ id: accounts.id })
  if (made.length === 0) throw addressTaken()
  await recordAuditEntry(tx, {
    action: 'register',
    by: { id: account.id, email: account.email, ...from },
    kind: 'account',
    objectId: account.id,
    ...(invitation && { detail: { invitation: invitation.id } }),
  })
  const isNew = { disabledAt: null, leftAt: null, devicesEndedAt: null, passwordHash: null, hasTwoFactor: false }
  return { ...account, ...isNew }
}

/** Sets or replaces the password of an account. */
export async function setPassword(db: Database, accountId: string, hash: string): Promise<void> {
  await db
    .insert(credentials)
    .values({ id: uuidv7(), accountId, provider: PASSWORD, providerAccount: accountId, password: hash })
    .onConflictDoUpdate({
      target: [credentials.provider, credentials.providerAccount],
      set: { password: hash, updatedAt: sql`now()` },
    })
}

/** Deletes the password. A new one can be set later. */
export async function deletePassword(db: Database, accountId: string): Promise<void> {
  await db.delete(credentials).where(and(eq(credentials.accountId, accountId), eq(credentials.provider, PASSWORD)))
}

/**
 * Marks the address as verified. From now on a trigger gives the account the records that were imported under its
 * address. Deletes the links that would verify it again, because in another browser they replace the password.
 */
export async function markVerified(db: Database, accountId: string): Promise<void> {
  await deleteTokens(db, accountId, ['verify', 'sign_up'])
  await db
    .update(accounts)
    .set({ emailVerified: true, updatedAt: sql`now()` })
    .where(and(eq(accounts.id, accountId), eq(accounts.emailVerified, false)))
}

/** Gives an account another name, and records both names. The same name again changes nothing. */
export async function renameAccount(db: Database, by: Actor, name: string): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, by.id, 'change')
    if (account !== undefined) await setName(tx, account, name, by)
  })
}

/** The same for an account that the caller has locked. */
export async function setName(tx: Database, account: KnownAccount, name: string, by: Actor): Promise<void> {
  if (account.name === name) return
  await tx.update(accounts).set({ name, updatedAt: sql`now()` }).where(eq(accounts.id, account.id))
  const names = { before: { name: account.name }, after: { name } }
  await recordAuditEntry(tx, { action: 'account-name', by, kind: 'account', objectId: account.id, ...names })
}

/** Gives an account another address. Fails when another account has it. */
export async function setAddress(tx: Database, accountId: string, email: string): Promise<void> {
  await tx.update(accounts).set({ email, updatedAt: sql`now()` }).where(eq(accounts.id, accountId))
}

export async function disableAccount(db: Database, accountId: string): Promise<void> {
  await db
    .update(accounts)
    .set({ disabledAt: sql`now()`, readmittedAt: null, updatedAt: sql`now()` })
    .where(and(eq(accounts.id, accountId), isNull(accounts.disabledAt)))
}

/** Disables the account too. Its known browsers are strangers from now on. */
export async function markLeft(db: Database, accountId: string): Promise<void> {
  const now = sql`now()`
  await db
    .update(accounts)
    .set({
      disabledAt: sql`coalesce(${accounts.disabledAt}, now())`,
      ...{ leftAt: now, devicesEndedAt: now, readmittedAt: null, updatedAt: now },
    })
    .where(eq(accounts.id, accountId))
}

export async function approveAccount(db: Database, accountId: string): Promise<void> {
  await db.update(accounts).set({ pendingSince: null, updatedAt: sql`now()` }).where(eq(accounts.id, accountId))
}

/** True while an account that can sign in is a manager. */
export async function hasManager(db: Database): Promise<boolean> {
  return (await listManagers(db).limit(1)).length > 0
}

export async function setRole(db: Database, accountId: string, role: Role): Promise<void> {
  await db.update(accounts).set({ role, updatedAt: sql`now()` }).where(eq(accounts.id, accountId))
}

/** Of an account that is a manager who can sign in. */
export const isManaging = sql`${accounts.role} = 'manager' and ${accounts.disabledAt} is null`

/** The managers who can sign in. */
export const listManagers = (db: Database) => db.select({ id: accounts.id }).from(accounts).where(isManaging)

/** From now on, other spellings of a disabled account's address may sign up, until the account is disabled again. */
export async function readmitAddress(db: Database, accountId: string): Promise<void> {
  await db.update(accounts).set({ readmittedAt: sql`now()`, updatedAt: sql`now()` }).where(eq(accounts.id, accountId))
}

export async function enableAccount(db: Database, accountId: string): Promise<void> {
  await db
    .update(accounts)
    .set({ disabledAt: null, leftAt: null, updatedAt: sql`now()` })
    .where(eq(accounts.id, accountId))
}
