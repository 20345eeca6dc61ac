import type { RegisterInput } from '#contract/auth.ts'
import type { NetworkOrigin, Origin } from '#server/audit-log/actor.ts'
import { recordAccountEvent } from '#server/audit-log/entries.ts'
import { deleteTokens, findToken, type Purpose, takeToken } from '#server/auth/links/one-time-tokens.ts'
import { type ClientInfo, deleteSessions } from '#server/auth/sessions/session.ts'
import { findInvitation } from '#server/auth/sign-up/invitations.ts'
import { reclaimUnverifiedAccount } from '#server/auth/sign-up/reclaim.ts'
import { refuseAddress, refuseSignUp } from '#server/auth/sign-up/sign-up.ts'
import {
  createAccount,
  findAccount,
  getAccount,
  hasAccount,
  type KnownAccount,
  lockAccount,
  setPassword,
  stateOf,
} from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import {
  accountDisabled,
  addressTaken,
  invalid,
  invalidCredentials,
  linkRefused,
  notSignedIn,
} from '#server/http/errors.ts'
import { networkKey } from '#server/http/network-key.ts'
import { knownDevice } from './device-cookie.ts'
import { refuseWeakPassword } from './password-rule.ts'
import { hashLimiter, hashPassword, isPassword } from './passwords.ts'
import {
  type Counter,
  countFailure,
  countOrRefuse,
  deleteFailures,
  guessCounters,
  questionsFrom,
  refuseWhileFull,
  signUpsFrom,
} from './throttle.ts'

/** The purposes of links that can set a password. */
const RESET_PURPOSES: Purpose[] = ['reset', 'operator_reset', 'verify']

export type Accounts = ReturnType<typeof createAccounts>

/** Everything the product does with passwords. Throws the refusals of `errors.ts`. Opens no session. */
export function createAccounts({ db, settings, secret }: { db: Database; settings: Settings; secret: string }) {
  const { throttle } = settings
  // Limited, so that of many attempts at the same time only the allowed number passes.
  const hashes = hashLimiter(throttle.queue)
  const asStranger = <Result>({ ip }: Origin, work: () => Promise<Result>) =>
    hashes.strangers(work, ip && networkKey(ip))

  /** A browser with the account's device cookie has places that no stranger can take. */
  async function asBrowserOf<Result>(email: string, client: ClientInfo, work: () => Promise<Result>): Promise<Result> {
    const account = client.device && (await findAccount(db, email))
    const isKnown = account !== undefined && knownDevice(secret, client.device, account) !== undefined
    return isKnown ? hashes.known(work, account.id) : asStranger(client, work)
  }

  return {
    /**
     * Creates an account. 403 for an applicant who may not have one, 409 for an address that is taken. Only sign-ups
     * without an invitation count towards the new accounts of their network.
     */
    async signUp(
      { email, password, name, invitation: token }: RegisterInput,
      from: NetworkOrigin,
    ): Promise<KnownAccount> {
      await refuseWeakPassword(settings, password, { email, name })
      await refuseAddress(db, settings, email)
      const invitation = await findInvitation(db, email, token)
      const signUps = signUpsFrom(throttle, from.ip)
      // Checked before revealing whether the address is taken. Otherwise the 429 would reveal it without limit.
      if (!invitation) await refuseWhileFull(db, [signUps])
      if (await hasAccount(db, email)) {
        await countOrRefuse(db, questionsFrom(throttle, from.ip))
        throw addressTaken()
      }
      const applicant = { email, invitation, hasLink: token !== undefined }
      await refuseSignUp(db, settings, applicant)
      // Hash before the transaction, which must not wait for it.
      const hash = await asStranger(from, () => hashPassword(password))
      return db.transaction(async (tx) => {
        const account = await createAccount(tx, settings, { ...applicant, name, emailVerified: false }, from)
        if (!invitation) await countOrRefuse(tx, signUps)
        await setPassword(tx, account.id, hash)
        return { ...account, passwordHash: hash }
      })
    },

    /**
     * Returns the account for a correct address and password. The caller checks whether more is needed to sign in. A
     * wrong pair is 401, with the same response and the same work whether or not the address exists. An unknown browser
     * is also limited by the counters in `more`.
     */
    signIn(
      input: { email: string; password: string },
      client: ClientInfo,
      more: Counter[] = [],
    ): Promise<KnownAccount> {
      return asBrowserOf(input.email, client, async () => {
        const account = await findAccount(db, input.email)
        const device = knownDevice(secret, client.device, account)
        const counters = guessCounters(throttle, 'password', input.email, { ip: client.ip, device })
        await refuseWhileFull(db, device === undefined ? [...counters, ...more] : counters)
        const isRight = await isPasswordOf(account, input.password)
        if (account === undefined || !isRight) {
          await countFailure(db, throttle, counters)
          throw invalidCredentials()
        }
        if (account.disabledAt !== null) throw accountDisabled()
        await deleteFailures(db, counters)
        return account
      })
    },

    /** A signed-in person confirms the password. A wrong one is a 400 at `field`, and counts. Returns the account. */
    confirm(
      account: { id: string; email: string },
      password: string,
      field: string,
      client: ClientInfo,
    ): Promise<KnownAccount> {
      return hashes.known(async () => {
        const known = await getAccount(db, account.id)
        const device = knownDevice(secret, client.device, known)
        const counters = guessCounters(throttle, 'confirm', account.email, { ip: client.ip, device })
        await refuseWhileFull(db, counters)
        if (known?.passwordHash === null) {
          throw invalid({ [field]: 'This account has no password. It uses single sign-on.' })
        }
        if (known !== undefined && (await isPasswordOf(known, password))) {
          await deleteFailures(db, counters)
          return known
        }
        await countFailure(db, throttle, counters)
        throw invalid({ [field]: 'This is not your password' })
      }, account.id)
    },

    /**
     * Runs a check of a code. Codes follow the limits of passwords but have their own counters: otherwise a person who
     * knows the password could reset the count of wrong codes. `isRight` runs once this attempt has its turn.
     */
    tryCode(email: string, client: ClientInfo, isRight: () => Promise<boolean>): Promise<boolean> {
      return asBrowserOf(email, client, async () => {
        const device = knownDevice(secret, client.device, await findAccount(db, email))
        const counters = guessCounters(throttle, 'code', email, { ip: client.ip, device })
        await refuseWhileFull(db, counters)
        if (await isRight()) {
          await deleteFailures(db, counters)
          return true
        }
        await countFailure(db, throttle, counters)
        return false
      })
    },

    /**
     * Replaces the password that was confirmed. Deletes every other session of the account and every link sent before.
     * 401 when the password was changed in the meantime: that change stays.
     */
    async changePassword(confirmed: KnownAccount, password: string, session: string): Promise<void> {
      const { id, passwordHash } = confirmed
      const hash = await hashes.known(() => hashPassword(password), id)
      await db.transaction(async (tx) => {
        const account = await lockAccount(tx, id, 'change')
        if (account?.passwordHash !== passwordHash) throw notSignedIn()
        await setPassword(tx, id, hash)
        await deleteTokens(tx, id)
        await deleteSessions(tx, id, session)
      })
    },

    /**
     * Sets a password by a link. A link from a mail verifies the address too; one from the operator does not. The first
     * verification of an address takes the account from the person who created it, who may be a stranger. Returns the
     * account with its new password.
     */
    async resetPassword(token: string, password: string, from: Origin): Promise<KnownAccount> {
      const found = await findToken(db, RESET_PURPOSES, token)
      const account = found && (await getAccount(db, found.accountId))
      if (account === undefined) throw linkRefused()
      await refuseWeakPassword(settings, password, account)
      const hash = await asStranger(from, () => hashPassword(password))
      await db.transaction(async (tx) => {
        const held = await lockAccount(tx, account.id, 'change')
        const taken = await takeToken(tx, RESET_PURPOSES, token)
        if (held === undefined || stateOf(held) === 'erased' || taken === undefined) throw linkRefused()
        if (taken.purpose !== 'operator_reset' && !held.emailVerified) await reclaimUnverifiedAccount(tx, held, from)
        await setPassword(tx, account.id, hash)
        await deleteTokens(tx, account.id)
        await deleteSessions(tx, account.id)
        await recordAccountEvent(tx, 'reset-confirm', account, from)
      })
      return { ...account, passwordHash: hash }
    },
  }
}

/** Also hashes for an address without a password, so that the response time reveals nothing. */
async function isPasswordOf(account: KnownAccount | undefined, password: string): Promise<boolean> {
  if (account?.passwordHash) return isPassword(account.passwordHash, password)
  await hashPassword(password)
  return false
}
