import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { linkRefused, noMail } from '#server/errors.ts'
import type { From } from '#server/history/acting.ts'
import { recordOwnDeed } from '#server/history/record.ts'
import type { Log } from '#server/log.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { resetMail, verifyMail } from './mails.ts'
import {
  findToken,
  linkTo,
  makeToken,
  type Purpose,
  RESET_SECONDS,
  takeToken,
  VERIFY_SECONDS,
} from './one-time-tokens.ts'
import { findAccount, holdAccount, markVerified } from './store.ts'
import { countMail, isMailFree } from './throttle.ts'

export type Addresses = ReturnType<typeof openAddresses>

type Person = { id: string; name: string; email: string }

type LinkMail = {
  purpose: Purpose
  seconds: number
  page: Parameters<typeof linkTo>[1]
  mail: typeof verifyMail
}

/** Links sent by mail: the one that proves an address, and the one that lets a password be chosen anew. */
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

    /** Sends the link to somebody who has just shown the password; not too often. False when no mail went out. */
    async sendVerification(person: Person, ip: string): Promise<boolean> {
      return (await isMailFree(db, settings.throttle, person.email, ip)) && (await sendVerification(person))
    },

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

    /** Proves an address by the link of a mail, once. */
    async verify(token: string, from: From): Promise<void> {
      const found = await findToken(db, ['verify'], token)
      if (found === undefined) throw linkRefused()
      await db.transaction(async (tx) => {
        const account = await holdAccount(tx, found.accountId, 'change')
        const taken = await takeToken(tx, ['verify'], token)
        if (account === undefined || taken === undefined) throw linkRefused()
        await markVerified(tx, account.id)
        await recordOwnDeed(tx, 'verify', account, from)
      })
    },
  }
}
