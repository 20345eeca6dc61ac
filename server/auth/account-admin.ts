import { eq, sql } from 'drizzle-orm'
import type { AuditAction } from '#contract/audit-actions.ts'
import type { Actor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { endTokensOf } from '#server/auth/tokens/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { oneTimeTokens, sessions } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { AppError, addressTaken, lastManager } from '#server/http/errors.ts'
import { createToken, deleteTokens, OPERATOR_RESET_SECONDS, RESET_SECONDS } from './links/one-time-tokens.ts'
import { deleteSessions } from './sessions/session.ts'
import {
  createInvitation,
  deleteInvitation,
  deleteInvitationsOf,
  type NewInvitation,
  replaceInvitations,
} from './sign-up/invitations.ts'
import { findDisabledSpellings, refuseSignUp } from './sign-up/sign-up.ts'
import {
  approveAccount,
  deletePassword,
  disableAccount,
  enableAccount,
  hasAccount,
  isFound,
  type KnownAccount,
  listManagers,
  lockAccount,
  markLeft,
  markVerified,
  readmitAddress,
  setName,
  setRole,
  stateOf,
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
  hasLeft: boolean
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
        left_at is not null as "hasLeft",
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
      where ${isFound(search)}
      group by accounts.id order by email`,
  )

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS"Z"'

/** The part of an audit entry that names the actor. */
const doneBy = <Detail>(by: Administrator, detail: Detail) =>
  by === 'operator' ? { detail: { by, ...detail } } : { by, detail }

type Act = AuditAction extends infer Action ? (Action extends `account-${infer Name}` ? Name : never) : never

/** The acts after which an account is no manager who can sign in. */
const ENDS_MANAGER: Act[] = ['disable', 'demote']

/** Lets one transaction at a time end managers. Call it before locking an account. */
export const lockManagers = (tx: Database) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('managers', 0))`)

/** Throws the 409 when no manager would be left. Of two that are ended at the same time, one waits for the other. */
export async function refuseLastManager(tx: Database, accountIds: string[]): Promise<void> {
  await lockManagers(tx)
  const managers = await listManagers(tx)
  if (managers.length > 0 && managers.every(({ id }) => accountIds.includes(id))) throw lastManager()
}

/** Runs a change of an account and records it in the audit log. */
const changeAccount = <Result>(
  db: Database,
  account: { id: string; email: string },
  by: Administrator,
  act: Act,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    if (ENDS_MANAGER.includes(act)) await refuseLastManager(tx, [account.id])
    await lockAccount(tx, account.id, 'change')
    const result = await work(tx)
    await recordAct(tx, account, by, act)
    return result
  })

const recordAct = (tx: Database, { id, email }: { id: string; email: string }, by: Administrator, act: Act) =>
  recordAuditEntry(tx, { action: `account-${act}`, kind: 'account', objectId: id, ...doneBy(by, { email }) })

/** Disables the account and ends its sessions on every server within a second. Returns the number of sessions ended. */
export const disable = (db: Database, account: KnownAccount, by: Administrator): Promise<number> =>
  changeAccount(db, account, by, 'disable', async (tx) => {
    await disableAccount(tx, account.id)
    await deleteInvitationsOf(tx, account.id)
    return deleteSessionsAndLinks(tx, account.id)
  })

/**
 * Makes people leave, all of them or none: their sessions, links, known browsers and open invitations end. What they added
 * stays theirs. Accounts that have already left are skipped. Locks in the order of ids, so that two acts never wait for each
 * other.
 */
export const leave = (
  db: Database,
  people: KnownAccount[],
  by: Administrator,
  alsoDo: (tx: Database, ids: string[]) => Promise<unknown> = async () => {},
): Promise<void> =>
  db.transaction(async (tx) => {
    const ids = people.map(({ id }) => id).sort()
    const leavers: string[] = []
    await refuseLastManager(tx, ids)
    for (const id of ids) {
      const account = await lockAccount(tx, id, 'change')
      if (account === undefined || stateOf(account) === 'left') continue
      if (!['active', 'disabled'].includes(stateOf(account))) throw cannotLeave()
      leavers.push(id)
      await markLeft(tx, id)
      await deleteInvitationsOf(tx, id)
      await deleteSessionsAndLinks(tx, id)
      await recordAct(tx, account, by, 'leave')
    }
    await alsoDo(tx, leavers)
  })

export const cannotLeave = () =>
  new AppError(409, 'One of these accounts is waiting for approval or was erased, so it cannot leave.')

/** Also for an account that has left: its owner comes back. */
export const enable = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'enable', (tx) => enableAccount(tx, account.id))

/**
 * Deletes the password immediately. The returned token lets its bearer set another one: within an hour where it is mailed,
 * which proves the address, else within a day.
 */
export const reset = (db: Database, account: KnownAccount, by: Administrator, isMailed = false): Promise<string> =>
  changeAccount(db, account, by, 'reset', async (tx) => {
    await deletePassword(tx, account.id)
    await deleteSessionsAndLinks(tx, account.id)
    return isMailed
      ? createToken(tx, 'reset', account.id, RESET_SECONDS)
      : createToken(tx, 'operator_reset', account.id, OPERATOR_RESET_SECONDS)
  })

/** Whether the account has a session, or a link that could open one without a password. */
export const hasSessionsOrLinks = async (tx: Database, { id }: { id: string }): Promise<boolean> =>
  (await tx.$count(sessions, eq(sessions.accountId, id))) +
    (await tx.$count(oneTimeTokens, eq(oneTimeTokens.accountId, id))) >
  0

/** Signs the account out everywhere. Returns the number of sessions ended. */
export const signOut = (db: Database, account: KnownAccount, by: Administrator): Promise<number> =>
  changeAccount(db, account, by, 'end-sessions', (tx) => deleteSessionsAndLinks(tx, account.id))

/** Ends the access tokens of an account. Returns their number. Without any it does nothing. */
export const endTokens = (db: Database, account: KnownAccount, by: Administrator): Promise<number> =>
  db.transaction(async (tx) => {
    await lockAccount(tx, account.id, 'change')
    const ended = await endTokensOf(tx, account.id)
    if (ended.length > 0) await recordAct(tx, account, by, 'end-tokens')
    return ended.length
  })

/** For a person who has lost both the app and the recovery codes. */
export const switchTwoFactorOff = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'two-factor-off', (tx) => deleteTwoFactor(tx, account.id))

/** Marks the address as verified. The administrator has checked it. */
export const verify = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'verify', (tx) => markVerified(tx, account.id))

export const approve = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'approve', (tx) => approveAccount(tx, account.id))

export const promote = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'make-manager', (tx) => setRole(tx, account.id, 'manager'))

/** Ends also the invitations that the manager has made. */
export const demote = (db: Database, account: KnownAccount, by: Administrator): Promise<void> =>
  changeAccount(db, account, by, 'demote', async (tx) => {
    await setRole(tx, account.id, 'fellow')
    await deleteInvitationsOf(tx, account.id)
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
  for (const account of disabled.filter(({ readmittedAt }) => readmittedAt === null)) {
    await changeAccount(db, account, by, 'allow', (tx) => readmitAddress(tx, account.id))
  }
  return disabled.map((account) => account.email)
}

/** Withdraws an invitation. False when there is none, or it was used. */
export const uninvite = (db: Database, id: string, by: Administrator): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await deleteInvitation(tx, id))) return false
    await recordUninvited(tx, id, by)
    return true
  })

const recordUninvited = (tx: Database, id: string, by: Administrator) =>
  recordAuditEntry(tx, { action: 'account-uninvite', kind: 'invitation', objectId: id, ...doneBy(by, {}) })

/** Returns an invitation with its token. It replaces an earlier one to the address. Throws the refusal that a sign-up with the address would get anyway. */
export const invite = (db: Database, settings: Settings, by: Administrator, email?: string): Promise<NewInvitation> =>
  db.transaction(async (tx) => {
    const replaced = email === undefined ? [] : await replaceInvitations(tx, email)
    const invitation = await createInvitation(tx, by === 'operator' ? undefined : by.id, email)
    if (email !== undefined) {
      if (await hasAccount(tx, email)) throw addressTaken()
      await refuseSignUp(tx, settings, { email, invitation })
    }
    for (const id of replaced) await recordUninvited(tx, id, by)
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
export async function deleteSessionsAndLinks(tx: Database, accountId: string): Promise<number> {
  const open = await tx.$count(sessions, eq(sessions.accountId, accountId))
  await deleteTokens(tx, accountId)
  await deleteSessions(tx, accountId)
  return open
}
