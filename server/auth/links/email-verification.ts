import type { Origin } from '#server/audit-log/actor.ts'
import { recordAccountEvent } from '#server/audit-log/entries.ts'
import { isMailFree } from '#server/auth/sign-in/throttle.ts'
import { findAccount, lockAccount, markVerified } from '#server/auth/store.ts'
import { choosePassword, linkRefused } from '#server/http/errors.ts'
import { createEmailLinks, type EmailLinkOptions, type Person } from './email-links.ts'
import { verificationEmail } from './email-templates.ts'
import { createToken, findToken, SIGN_UP_SECONDS, takeToken, VERIFY_SECONDS } from './one-time-tokens.ts'

export type EmailVerification = ReturnType<typeof createEmailVerification>

export function createEmailVerification(options: EmailLinkOptions) {
  const { db, settings, mailer } = options
  const links = createEmailLinks(options)

  const send = (person: Person) =>
    links.send(person, {
      purpose: 'verify',
      seconds: VERIFY_SECONDS,
      page: '/auth/verify',
      template: verificationEmail,
    })

  return {
    /** Whether an account has to verify its address before it can do anything. */
    isDue: (account: { emailVerified: boolean }) => mailer !== undefined && !account.emailVerified,

    /**
     * Sends the link to a person who has just shown the password, at most as often as the settings allow. Returns false
     * when no mail was sent. Counted apart from requests without a password, so that strangers cannot block this mail.
     */
    async send(person: Person, ip: string): Promise<boolean> {
      return (await isMailFree(db, settings.throttle, person.email, ip, 'owner')) && (await send(person))
    },

    /** A token for the browser that has just signed up: only that browser verifies the address by a click alone. */
    bindToBrowser: (accountId: string) => createToken(db, 'sign_up', accountId, SIGN_UP_SECONDS),

    /** Accepts any address, but sends a mail only to an account that is not verified yet. */
    resend: (email: string, ip: string) =>
      links.request(email, ip, async () => {
        const account = await findAccount(db, email)
        if (account && !account.emailVerified && account.disabledAt === null) await send(account)
      }),

    /**
     * Verifies an address by the link of a mail, once, in the browser that signed up. Any other browser gets the 409 that
     * asks for a new password: a stranger may have created the account and be waiting for the owner's click.
     */
    async verify(token: string, signUpToken: string, from: Origin): Promise<void> {
      const found = await findToken(db, ['verify'], token)
      if (found === undefined) throw linkRefused()
      await db.transaction(async (tx) => {
        const account = await lockAccount(tx, found.accountId, 'change')
        const taken = await takeToken(tx, ['verify'], token)
        if (account === undefined || taken === undefined) throw linkRefused()
        // Thrown here, it rolls the transaction back, so the token stays valid.
        if ((await findToken(tx, ['sign_up'], signUpToken))?.accountId !== account.id) throw choosePassword()
        await markVerified(tx, account.id)
        await recordAccountEvent(tx, 'verify', account, from)
      })
    },
  }
}
