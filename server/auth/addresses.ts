import type { Origin } from '#server/audit-log/actor.ts'
import { recordAccountEvent } from '#server/audit-log/entries.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { choosePassword, linkRefused, noMail } from '#server/http/errors.ts'
import type { Log } from '#server/log.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { resetMail, verifyMail } from './mails.ts'
import {
  findToken,
  linkTo,
  makeToken,
  type Purpose,
  RESET_SECONDS,
  SIGN_UP_SECONDS,
  takeToken,
  VERIFY_SECONDS,
} from './one-time-tokens.ts'
import { findAccount, holdAccount, markVerified } from './store.ts'
import { countMail, isMailFree } from './throttle.ts'

export type Addresses = ReturnType<typeof openAddresses>

type Person = { id: string; name: string; email: string; emailVerified: boolean }

type LinkMail = {
  purpose: Purpose
  seconds: number
  page: Parameters<typeof linkTo>[1]
  mail: typeof verifyMail
}

/** Links sent by mail: one proves an address, the other replaces a password. */
export function openAddresses(options: { db: Database; settings: Settings; mailer: Mailer | undefined; log: Log }) {
  const { db, settings, mailer, log } = options

  const sendLink = async (person: Person, { purpose, seconds, page, mail }: LinkMail): Promise<boolean> => {
    if (mailer === undefined) return false
    const token = await makeToken(db, purpose, person.id, seconds)
    return mailer.send(mail(person, linkTo(settings, page, token)))
  }

  const sendVerification = (person: Person) =>
    sendLink(person, { purpose: 'verify', seconds: VERIFY_SECONDS, page: '/auth/verify', mail: verifyMail })

  const sendReset = (person: Person) =>
    sendLink(person, { purpose: 'reset', seconds: RESET_SECONDS, page: '/auth/reset', mail: resetMail })

  /** After the answer, so that its time does not tell whether there is such an account. */
  const afterwards = (work: () => Promise<unknown>) =>
    void work().catch((error) => log.warn({ err: error }, 'A mail could not be prepared'))

  const askedByAnyone = async (email: string, ip: string, send: () => Promise<unknown>) => {
    if (mailer === undefined) throw noMail()
    await countMail(db, settings.throttle, email, ip)
    afterwards(send)
  }

  return {
    /** Whether an account has to prove its address before it can do anything. */
    isProofDue: (account: { emailVerified: boolean }) => mailer !== undefined && !account.emailVerified,

    /**
     * Sends the link to a person who has just shown the password, at most as often as the settings allow. False when no
     * mail went out. Counted apart from what anyone may ask for, so that strangers cannot hold this mail up.
     */
    async sendVerification(person: Person, ip: string): Promise<boolean> {
      return (await isMailFree(db, settings.throttle, person.email, ip, 'owner')) && (await sendVerification(person))
    },

    /** A token for the browser that has just signed up: only that browser proves the address by a click alone. */
    bindToBrowser: (accountId: string) => makeToken(db, 'sign_up', accountId, SIGN_UP_SECONDS),

    /** Anyone may ask, for any address; only an account that is not proven yet gets a mail. */
    resend: (email: string, ip: string) =>
      askedByAnyone(email, ip, async () => {
        const account = await findAccount(db, email)
        if (account && !account.emailVerified && account.disabledAt === null) await sendVerification(account)
      }),

    /** Anyone may ask, for any address; only an account gets a mail. */
    forgot: (email: string, ip: string) =>
      askedByAnyone(email, ip, async () => {
        const account = await findAccount(db, email)
        if (account && account.disabledAt === null) await sendReset(account)
      }),

    /**
     * Proves an address by the link of a mail, once, in the browser that signed up. Any other browser gets the 409 that
     * asks for a new password, since the account may be a stranger's who waits for the owner of the address to click.
     */
    async verify(token: string, signUpToken: string, from: Origin): Promise<void> {
      const found = await findToken(db, ['verify'], token)
      if (found === undefined) throw linkRefused()
      await db.transaction(async (tx) => {
        const account = await holdAccount(tx, found.accountId, 'change')
        const taken = await takeToken(tx, ['verify'], token)
        if (account === undefined || taken === undefined) throw linkRefused()
        // Thrown here, it undoes the transaction: the token is not used up.
        if ((await findToken(tx, ['sign_up'], signUpToken))?.accountId !== account.id) throw choosePassword()
        await markVerified(tx, account.id)
        await recordAccountEvent(tx, 'verify', account, from)
      })
    },
  }
}
