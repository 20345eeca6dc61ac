import { countMail } from '#server/auth/sign-in/throttle.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { noMail } from '#server/http/errors.ts'
import type { Log } from '#server/log.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { verificationEmail } from './email-templates.ts'
import { createToken, linkTo, type Purpose } from './one-time-tokens.ts'

export type Person = { id: string; name: string; email: string; emailVerified: boolean }

type EmailLink = {
  purpose: Purpose
  seconds: number
  page: Parameters<typeof linkTo>[1]
  template: typeof verificationEmail
}

export type EmailLinkOptions = { db: Database; settings: Settings; mailer: Mailer | undefined; log: Log }

/** Sends links by mail. Verification and password reset share it. */
export function createEmailLinks({ db, settings, mailer, log }: EmailLinkOptions) {
  return {
    /** Returns false when no mail was sent. */
    async send(person: Person, { purpose, seconds, page, template }: EmailLink): Promise<boolean> {
      if (mailer === undefined) return false
      const token = await createToken(db, purpose, person.id, seconds)
      return mailer.send(template(person, linkTo(settings, page, token)))
    },

    /**
     * Handles a request that needs no account, for any address. Sends after the response, so that the response time
     * does not reveal whether the address has an account.
     */
    async request(email: string, ip: string, send: () => Promise<unknown>): Promise<void> {
      if (mailer === undefined) throw noMail()
      await countMail(db, settings.throttle, email, ip)
      void send().catch((error) => log.warn({ err: error }, 'A mail could not be prepared'))
    },
  }
}
