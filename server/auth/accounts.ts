import type { RegisterInput } from '#contract/auth.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { accountDisabled, addressTaken, invalid, linkRefused, notSignedIn, wrongPair } from '#server/errors.ts'
import type { From } from '#server/history/acting.ts'
import { recordOwnDeed } from '#server/history/record.ts'
import { findToken, forgetTokens, type Purpose, takeToken } from './one-time-tokens.ts'
import { refuseWeakPassword } from './password-rule.ts'
import { hashingTurns, hashPassword, isPassword } from './passwords.ts'
import { reclaimUnverifiedAccount } from './reclaim.ts'
import { endSessions, type Visitor } from './session.ts'
import {
  createAccount,
  findAccount,
  getAccount,
  hasAccount,
  holdAccount,
  type KnownAccount,
  setPassword,
} from './store.ts'
import { countWrongPassword, forgetWrongPasswords, refuseWhileBlocked } from './throttle.ts'

/** The links that let a password be replaced. */
const RESET_PURPOSES: Purpose[] = ['reset', 'operator_reset', 'verify']

export type Accounts = ReturnType<typeof openAccounts>

/** All that the product does with passwords. Throws the refusals of `errors.ts`; opens no session. */
export function openAccounts({ db, settings }: { db: Database; settings: Settings }) {
  // Tries run in turns, so that of many at once only as many pass as are still free.
  const turn = hashingTurns()

  const countWrong = (email: string, { ip }: Visitor) => countWrongPassword(db, settings.throttle, email, ip)
  const refuseBlocked = (email: string, { ip }: Visitor) => refuseWhileBlocked(db, settings.throttle, email, ip)

  return {
    /** Creates an account. 403 for an address that may not join, 409 for one that is taken. */
    async signUp({ email, password, name }: RegisterInput, from: From): Promise<KnownAccount> {
      await refuseWeakPassword(settings, password, { email, name })
      if (await hasAccount(db, email)) throw addressTaken()
      // Before the transaction, which must not wait for a hash.
      const hash = await turn(() => hashPassword(password))
      return db.transaction(async (tx) => {
        const account = await createAccount(tx, settings.teamDomain, { email, name, emailVerified: false }, from)
        await setPassword(tx, account.id, hash)
        return { ...account, passwordHash: hash }
      })
    },

    /**
     * The account of a right pair, and the one place that lets it be known: whether more is asked of it is the caller's
     * to look at. A wrong pair is 401, the same and after the same work whether or not the address exists.
     */
    signIn(input: { email: string; password: string }, visitor: Visitor): Promise<KnownAccount> {
      return turn(async () => {
        await refuseBlocked(input.email, visitor)
        const account = await findAccount(db, input.email)
        const isRight = await isPasswordOf(account, input.password)
        if (account === undefined || !isRight) {
          await countWrong(input.email, visitor)
          throw wrongPair()
        }
        if (account.disabledAt !== null) throw accountDisabled()
        // With a second factor the wrong codes count on: whoever has the password could else take them back.
        if (!account.hasTwoFactor) await forgetWrongPasswords(db, input.email)
        return account
      })
    },

    /**
     * Somebody who is signed in says the password once more. A wrong one is a 400 at `field`, and counts. Answers the
     * account that has the password.
     */
    confirm(
      account: { id: string; email: string },
      password: string,
      field: string,
      visitor: Visitor,
    ): Promise<KnownAccount> {
      return turn(async () => {
        await refuseBlocked(account.email, visitor)
        const known = await getAccount(db, account.id)
        if (known?.passwordHash === null) {
          throw invalid({ [field]: 'This account has no password: it is entered by single sign-on' })
        }
        if (known !== undefined && (await isPasswordOf(known, password))) return known
        await countWrong(account.email, visitor)
        throw invalid({ [field]: 'This is not your password' })
      })
    },

    /** Runs a check of a code, counted like a password: `isRight` is asked once it is this try's turn. */
    tryCode(email: string, visitor: Visitor, isRight: () => Promise<boolean>): Promise<boolean> {
      return turn(async () => {
        await refuseBlocked(email, visitor)
        if (await isRight()) {
          await forgetWrongPasswords(db, email)
          return true
        }
        await countWrong(email, visitor)
        return false
      })
    },

    /**
     * Sets another password in place of the one that was confirmed. Every session of the account but the one given ends,
     * and no link sent before holds. 401 when the password has been set anew meanwhile: that one stays.
     */
    async changePassword(confirmed: KnownAccount, password: string, session: string): Promise<void> {
      const { id, passwordHash } = confirmed
      const hash = await turn(() => hashPassword(password))
      await db.transaction(async (tx) => {
        const account = await holdAccount(tx, id, 'change')
        if (account?.passwordHash !== passwordHash) throw notSignedIn()
        await setPassword(tx, id, hash)
        await forgetTokens(tx, id)
        await endSessions(tx, id, session)
      })
    },

    /**
     * Sets a password by the link of a mail, which proves the address too, or by the operator's, which does not. An address
     * proven here for the first time takes the account from the person who made it, who may be a stranger.
     */
    async resetPassword(token: string, password: string, from: From): Promise<void> {
      const found = await findToken(db, RESET_PURPOSES, token)
      const account = found && (await getAccount(db, found.accountId))
      if (account === undefined) throw linkRefused()
      await refuseWeakPassword(settings, password, account)
      const hash = await turn(() => hashPassword(password))
      await db.transaction(async (tx) => {
        const held = await holdAccount(tx, account.id, 'change')
        const taken = await takeToken(tx, RESET_PURPOSES, token)
        if (held === undefined || taken === undefined) throw linkRefused()
        if (taken.purpose !== 'operator_reset' && !held.emailVerified) await reclaimUnverifiedAccount(tx, held)
        await setPassword(tx, account.id, hash)
        await forgetTokens(tx, account.id)
        await endSessions(tx, account.id)
        await recordOwnDeed(tx, 'reset-confirm', account, from)
      })
      await forgetWrongPasswords(db, account.email)
    },
  }
}

/** Hashes for an address without a password too, so that the time it takes tells nothing. */
async function isPasswordOf(account: KnownAccount | undefined, password: string): Promise<boolean> {
  if (account?.passwordHash) return isPassword(account.passwordHash, password)
  await hashPassword(password)
  return false
}
