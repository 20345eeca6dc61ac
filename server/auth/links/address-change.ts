import { and, eq, ne } from 'drizzle-orm'
import { type Actor, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type Administrator, deleteSessionsAndLinks } from '#server/auth/account-admin.ts'
import { type Caller, deleteSessions } from '#server/auth/sessions/session.ts'
import { isMailFree } from '#server/auth/sign-in/throttle.ts'
import { findDisabledSpellings, refuseAddress } from '#server/auth/sign-up/sign-up.ts'
import {
  getAccount,
  hasAccount,
  type KnownAccount,
  lockAccount,
  markVerified,
  PASSWORD,
  setAddress,
} from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { credentials } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import {
  addressDisabled,
  addressTaken,
  invalid,
  linkOfOther,
  linkRefused,
  noMailForAddress,
  tooManyAttempts,
} from '#server/http/errors.ts'
import { sqlState, UNIQUE_VIOLATION } from '#server/sql-state.ts'
import type { EmailLinkOptions } from './email-links.ts'
import { addressChangedEmail, addressRequestedEmail, addressTakenEmail, newAddressEmail } from './email-templates.ts'
import { ADDRESS_SECONDS, createToken, deleteTokens, findToken, linkTo, takeToken } from './one-time-tokens.ts'

// Another address for an account: by a manager or the operator where nothing proves addresses, else by a link.

export type AddressChange = ReturnType<typeof createAddressChange>

export function createAddressChange({ db, settings, mailer, log }: EmailLinkOptions) {
  /** To the new address the link, or that it has an account already; to the present one a notice. */
  async function sendMails(caller: Caller, email: string): Promise<void> {
    const account = await getAccount(db, caller.id)
    if (account === undefined || mailer === undefined) return
    await deleteTokens(db, account.id, ['address'])
    if (await hasAccount(db, email)) await mailer.send(addressTakenEmail(email))
    else {
      const token = await createToken(db, 'address', account.id, ADDRESS_SECONDS, email)
      await mailer.send(newAddressEmail(email, linkTo(settings, '/auth/address', token)))
    }
    await mailer.send(addressRequestedEmail(account, email))
  }

  return {
    /**
     * Sends the link that moves the caller's account. The account keeps its address until the link is used. An address
     * that is taken gets the same answer; the mails are sent after it, so that its time reveals nothing either.
     */
    async request(caller: Caller, email: string, ip: string): Promise<void> {
      if (mailer === undefined) throw noMailForAddress()
      if (email === caller.email) throw invalid({ email: 'This is your address already' })
      await refuseAddress(db, settings, email)
      for (const to of [email, caller.email]) {
        if (await isMailFree(db, settings.throttle, to, ip, 'mover')) continue
        throw tooManyAttempts(settings.throttle.mailSeconds)
      }
      if (!(await hasAccount(db, email))) await refuseDisabledSpelling(db, caller.id, email)
      void sendMails(caller, email).catch((error) => log.warn({ err: error }, 'A mail could not be prepared'))
    },

    /**
     * Moves the account by the link, in a browser that is signed in to it: otherwise the owner of an address could
     * be made to confirm it for the account of a stranger. Ends its other sessions, and single sign-on with identities
     * that were linked by the former address. Returns the account.
     */
    async confirm(token: string, caller: Caller, session: string): Promise<{ name: string; email: string }> {
      const found = await findToken(db, ['address'], token)
      if (found === undefined) throw linkRefused()
      if (found.accountId !== caller.id) throw linkOfOther()
      const email = await refuseTaken(db, caller, async (tx) => {
        const account = await lockAccount(tx, caller.id, 'change')
        const taken = await takeToken(tx, ['address'], token)
        if (account === undefined || !taken?.email) throw linkRefused()
        await move(tx, settings, account, { email: taken.email, by: caller })
        await markVerified(tx, caller.id)
        await deleteSignOn(tx, caller.id)
        await deleteTokens(tx, caller.id)
        await deleteSessions(tx, caller.id, session)
        return taken.email
      })
      await mailer?.send(addressChangedEmail(caller, email))
      return { name: caller.name, email }
    },
  }
}

/** Gives an account another address that may join. Its sessions and links end. Throws the refusal of a sign-up with it. */
export const changeAddress = (
  db: Database,
  settings: Settings,
  account: KnownAccount,
  { email, by }: { email: string; by: Administrator },
): Promise<void> =>
  refuseTaken(db, by === 'operator' ? undefined : by, async (tx) => {
    await lockAccount(tx, account.id, 'change')
    await move(tx, settings, account, { email, by })
    await deleteSessionsAndLinks(tx, account.id)
  })

async function move(
  tx: Database,
  settings: Settings,
  account: KnownAccount,
  { email, by }: { email: string; by: Administrator },
): Promise<void> {
  await refuseAddress(tx, settings, email)
  await refuseDisabledSpelling(tx, account.id, email)
  await setAddress(tx, account.id, email)
  await recordAuditEntry(tx, {
    ...{ action: 'account-address', kind: 'account', objectId: account.id },
    ...(by === 'operator' ? { detail: { by } } : { by }),
    ...{ before: { email: account.email }, after: { email } },
  })
}

async function refuseDisabledSpelling(db: Database, accountId: string, email: string): Promise<void> {
  const disabled = await findDisabledSpellings(db, email)
  if (disabled.some(({ id, readmittedAt }) => id !== accountId && readmittedAt === null)) throw addressDisabled()
}

/** Runs a change in a transaction. The database decides who of two that ask for one address gets it. */
const refuseTaken = <Result>(
  db: Database,
  by: Actor | undefined,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  withActor(db, by, work).catch((error) => {
    throw sqlState(error) === UNIQUE_VIOLATION ? addressTaken() : error
  })

const deleteSignOn = (tx: Database, accountId: string) =>
  tx.delete(credentials).where(and(eq(credentials.accountId, accountId), ne(credentials.provider, PASSWORD)))
