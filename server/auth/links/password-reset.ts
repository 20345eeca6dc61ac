import { findAccount } from '#server/auth/store.ts'
import { createEmailLinks, type EmailLinkOptions, type Person } from './email-links.ts'
import { passwordResetEmail } from './email-templates.ts'
import { linkTo, RESET_SECONDS } from './one-time-tokens.ts'

export type PasswordReset = ReturnType<typeof createPasswordReset>

export function createPasswordReset(options: EmailLinkOptions) {
  const { settings, mailer } = options
  const links = createEmailLinks(options)
  return {
    /** To a person whose password was reset. False when no mail was sent. */
    send: async (account: Person, token: string): Promise<boolean> =>
      (await mailer?.send(passwordResetEmail(account, linkTo(settings, '/auth/reset', token)))) ?? false,

    /** Accepts any address, but sends a mail only to an account. */
    request: (email: string, ip: string) =>
      links.request(email, ip, async () => {
        const account = await findAccount(options.db, email)
        if (account === undefined || account.disabledAt !== null) return
        const reset = { purpose: 'reset', seconds: RESET_SECONDS, page: '/auth/reset' } as const
        await links.send(account, { ...reset, template: passwordResetEmail })
      }),
  }
}
