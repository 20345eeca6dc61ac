import { z } from 'zod'
import { EmailInput, ResetInput, VerifyInput } from '#contract/auth.ts'
import { originOf } from '#server/audit-log/actor.ts'
import type { App } from '#server/http/app.ts'
import { choosePassword, linkRefused, noMail } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const done = (what: string) => z.null().describe(what)
const tag = 'Sign-in'

/** Requests for links by mail, and the calls of the pages that the links open. None of them signs in. */
export function emailLinkRoutes(app: App, { accounts, emailVerification, passwordReset, guard }: Services) {
  app.post(
    '/auth/verify',
    head({
      ...{ operationId: 'verifyEmail', summary: 'Verify an address by the token of a link', tag },
      audit: { action: 'verify', kind: 'account' },
      body: VerifyInput,
      answers: { 204: done('The address is verified') },
      refusals: [linkRefused(), choosePassword()],
    }),
    async (request, reply) => {
      await emailVerification.verify(request.body.token, guard.getCookie(request, 'signUp') ?? '', originOf(request))
      guard.clearCookie(reply, 'signUp')
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/verify/resend',
    head({
      ...{ operationId: 'resendVerification', summary: 'Ask for another link that verifies an address', tag },
      audit: { action: 'verify-resend' },
      body: EmailInput,
      answers: { 204: done('Sent if the account exists') },
      refusals: [noMail()],
      isThrottled: true,
    }),
    async (request, reply) => {
      await emailVerification.resend(request.body.email, request.ip)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/reset',
    head({
      ...{ operationId: 'requestPasswordReset', summary: 'Ask for a link that sets a new password', tag },
      audit: { action: 'reset' },
      body: EmailInput,
      answers: { 204: done('Sent if the account exists') },
      refusals: [noMail()],
      isThrottled: true,
    }),
    async (request, reply) => {
      await passwordReset.request(request.body.email, request.ip)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/reset/confirm',
    head({
      ...{ operationId: 'resetPassword', summary: 'Set a new password by the token of a link', tag },
      audit: { action: 'reset-confirm', kind: 'account' },
      body: ResetInput,
      answers: { 204: done('The new password is set') },
      refusals: [linkRefused()],
    }),
    async (request, reply) => {
      const { token, password } = request.body
      const account = await accounts.resetPassword(token, password, originOf(request))
      // Otherwise the wrong passwords of a stranger could lock out the owner, who is in a new browser.
      guard.rememberDevice(request, reply, account)
      return reply.code(204).send(null)
    },
  )
}
