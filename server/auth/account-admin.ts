import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#server/audit-log/actor.ts'
import { type AuditEntry, recordAuditEntry } from '#server/audit-log/entries.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { type Facts, sessions } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { addressDisabled, addressTaken, lastManager } from '#server/http/errors.ts'
import { sqlState, UNIQUE_VIOLATION } from '#server/sql-state.ts'
import { createInvitation, deleteInvitation, deleteInvitationsOf, type NewInvitation } from './invitations.ts'
import { createToken, deleteTokens, OPERATOR_RESET_SECONDS } from './one-time-tokens.ts'
import { deleteSessions } from './session.ts'
import { findDisabledSpellings, refuseAddress, refuseSignUp } from './sign-up.ts'
import {
  approveAccount,
  deletePassword,
  demoteToFellow,
  disableAccount,
  enableAccount,
  hasAccount,
  type KnownAccount,
  listManagers,
  lockAccount,
  markVerified,
  promoteToManager,
  readmitAddress,
  setAddress,
  setName,
} from './store.ts'
import { deleteTwoFactor } from './two-factor/store.ts'

// Actions on the accounts of others, which need no mail and no password. The caller has checked the right to them.

/** A manager, or the operator, who has no account. */
export type Administrator = Actor | 'operator'

export type ListedAccount = {
  email: string
  name: string
  role: KnownAccount['role']
  isVerified: boolean
  isDisabled: boolean
  isPending: boolean
  hasTwoFactor: boolean
  /** `password`, `google`, `microsoft`, `oidc`. */
  waysIn: string[]
  sessions: number
  createdAt: string
  lastSeenAt: string | null
}

/** Accounts whose address or name contains the text, sorted by address. */
export const listAccounts = (db: Database, search = ''): Promise<ListedAccount[]> =>
  rowsOf<ListedAccount>(
    db,
    sql`
      select email, name, role, email_verified as "isVerified", disabled_at is not null as "isDisabled",
        pending_since is not null as "isPending",
        exists (
          select from two_factors where account_id = accounts.id and confirmed_at is not null
        ) as "hasTwoFactor",
        coalesce((
          select json_agg(case provider when 'credential' then 'password' else provider end order by provider)
          from credentials where account_id = accounts.id
        ), '[]') as "waysIn",
        count(sessions.id)::int as sessions,
        to_char(accounts.created_at at time zone 'UTC', ${ISO}) as "createdAt",
        to_char(max(sessions.updated_at) at time zone 'UTC', ${ISO}) as "lastSeenAt"
      from accounts left join sessions on sessions.account_id = accounts.id and sessions.expires_at > now()
      where strpos(email, lower(${search})) > 0 or strpos(lower(name), lower(${search})) > 0
      group by accounts.id order by email`,
  )

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS"Z"'

/** The part of an audit entry that names the actor. */
const doneBy = (by: Administrator, detail: Facts): Pick<AuditEntry, 'by' | 'detail'> =>
  by === 'operator' ? { detail: { by, ...detail } } : { by, detail }

/** The acts after which an account is no manager who can sign in. */
const ENDS_MANAGER = ['disable', 'demote']

/** Throws the 409 for the last manager. Of two that are ended at the same time, one waits for the other. */
export async function refuseLastManager(tx: Database, accountId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('managers', 0))`)
  const managers = await listManagers(tx)
  if (managers.length === 1 && managers[0]?.id === accountId) throw lastManager()
}

/** Runs a change of an account and records it in the audit log. */
const changeAccount = <Result>(
  db: Database,
  account: { id: string; email: string },
  by: Administrator,
  act: string,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    if (ENDS_MANAGER.includes(act)) await refuseLastManager(tx, account.id)
    await lockAccount(tx, account.id, 'change')
    const result = await work(tx)
    await recordAuditEntry(tx, {
      action: `account-${act}`,
      kind: 'account',
      objectId: account.id,
      ...doneBy(by, { email: account.email }),
    })
    return result
  })

/** Disables the account and ends its sessions on every server within a second. Returns the number of sessions ended. */
export const disable = (db: Database, account: KnownAccount, by: Administrator): Promise<number> =>
  changeAccount(db, account, by, 'disable', async (tx) => {
    await disableAccount(tx, account.id)
    await deleteInvitationsOf(tx, account.id)
    return deleteSessionsAndLinks(tx, account.id)
  })

export const enable = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'enable', (tx) => enableAccount(tx, account.id))

/** Deletes the password immediately. The returned token lets its bearer set another one within a day. */
export const reset = (db: Database, account: KnownAccount, by: Administrator): Promise<string> =>
  changeAccount(db, account, by, 'reset', async (tx) => {
    await deletePassword(tx, account.id)
    await deleteSessionsAndLinks(tx, account.id)
    return createToken(tx, 'operator_reset', account.id, OPERATOR_RESET_SECONDS)
  })

/** Signs the account out everywhere. Returns the number of sessions ended. */
export const signOut = (db: Database, account: KnownAccount, by: Administrator): Promise<number> =>
  changeAccount(db, account, by, 'end-sessions', (tx) => deleteSessionsAndLinks(tx, account.id))

/** For a person who has lost both the app and the recovery codes. */
export const switchTwoFactorOff = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'two-factor-off', (tx) => deleteTwoFactor(tx, account.id))

/** Marks the address as verified. The administrator has checked it. */
export const verify = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'verify', (tx) => markVerified(tx, account.id))

export const approve = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'approve', (tx) => approveAccount(tx, account.id))

export const promote = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'make-manager', (tx) => promoteToManager(tx, account.id))

/** Ends also the invitations that the manager has made. */
export const demote = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'demote', async (tx) => {
    await demoteToFellow(tx, account.id)
    await deleteInvitationsOf(tx, account.id)
  })

/** Deletes the password and the sessions. The link to a new password is sent or shown by the caller. */
export const deletePasswordOf = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'reset', async (tx) => {
    await deletePassword(tx, account.id)
    await deleteSessionsAndLinks(tx, account.id)
  })

/** Gives an account another address that may join. Its sessions and links end. Throws the refusal of a sign-up with it. */
export const changeAddress = (
  db: Database,
  settings: Settings,
  account: KnownAccount,
  { email, by }: { email: string; by: Actor },
): Promise<void> =>
  refuseTaken(db, async (tx) => {
    await lockAccount(tx, account.id, 'change')
    await refuseAddress(tx, settings, email)
    const disabled = await findDisabledSpellings(tx, email)
    if (disabled.some(({ id, readmittedAt }) => id !== account.id && readmittedAt === null)) throw addressDisabled()
    await setAddress(tx, account.id, email)
    await deleteSessionsAndLinks(tx, account.id)
    const addresses = { before: { email: account.email }, after: { email } }
    await recordAuditEntry(tx, { action: 'account-address', by, kind: 'account', objectId: account.id, ...addresses })
  })

/** Runs a change in a transaction. The database decides who of two that ask for one address gets it. */
const refuseTaken = (db: Database, work: (tx: Database) => Promise<void>): Promise<void> =>
  db.transaction(work).catch((error) => {
    throw sqlState(error) === UNIQUE_VIOLATION ? addressTaken() : error
  })

/** Gives an account another name. */
export const rename = (db: Database, account: KnownAccount, { name, by }: { name: string; by: Actor }): Promise<void> =>
  db.transaction(async (tx) => {
    const locked = await lockAccount(tx, account.id, 'change')
    if (locked !== undefined) await setName(tx, locked, name, by)
  })

/** Lets other spellings of a disabled address sign up. Returns the disabled addresses, none when there are none. */
export async function allow(db: Database, email: string, by: Administrator): Promise<string[]> {
  const disabled = await findDisabledSpellings(db, email)
  for (const account of disabled) {
    await changeAccount(db, account, by, 'allow', (tx) => readmitAddress(tx, account.id))
  }
  return disabled.map((account) => account.email)
}

/** Withdraws an invitation. False when there is none, or it was used. */
export const uninvite = (db: Database, id: string, by: Administrator): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await deleteInvitation(tx, id))) return false
    await recordAuditEntry(tx, { action: 'account-uninvite', kind: 'invitation', objectId: id, ...doneBy(by, {}) })
    return true
  })

/** Returns an invitation with its token. Throws the refusal that a sign-up with the address would get anyway. */
export const invite = (db: Database, settings: Settings, by: Administrator, email?: string): Promise<NewInvitation> =>
  db.transaction(async (tx) => {
    const invitation = await createInvitation(tx, by === 'operator' ? undefined : by.id, email)
    if (email !== undefined) {
      if (await hasAccount(tx, email)) throw addressTaken()
      await refuseSignUp(tx, settings, { email, invitation })
    }
    await recordAuditEntry(tx, {
      action: 'account-invite',
      kind: 'invitation',
      objectId: invitation.id,
      ...doneBy(by, email === undefined ? {} : { email: email.toLowerCase() }),
    })
    return invitation
  })

/**
 * Deletes the sessions of an account, and every link that could open one without a password. Returns the number of
 * sessions.
 */
async function deleteSessionsAndLinks(tx: Database, accountId: string): Promise<number> {
  const open = await tx.$count(sessions, eq(sessions.accountId, accountId))
  await deleteTokens(tx, accountId)
  await deleteSessions(tx, accountId)
  return open
}
