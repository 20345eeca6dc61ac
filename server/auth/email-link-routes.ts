import { z } from 'zod'
import { EmailInput, ResetInput, VerifyInput } from '#contract/auth.ts'
import { Failure } from '#contract/errors.ts'
import { originOf } from '#server/audit-log/actor.ts'
import type { App, Services } from '#server/services.ts'

const done = (what: string) => z.null().describe(what)

/** Requests for links by mail, and the calls of the pages that the links open. None of them signs in. */
export function emailLinkRoutes(app: App, { accounts, emailVerification, passwordReset, guard }: Services) {
  app.post(
    '/auth/verify',
    {
      config: { audit: { action: 'verify' } },
      schema: { body: VerifyInput, response: { 204: done('The address is verified'), '4xx': Failure } },
    },
    async (request, reply) => {
      await emailVerification.verify(request.body.token, guard.getCookie(request, 'signUp') ?? '', originOf(request))
      guard.clearCookie(reply, 'signUp')
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/verify/resend',
    {
      config: { audit: { action: 'verify-resend' } },
      schema: { body: EmailInput, response: { 204: done('Sent if the account exists'), '4xx': Failure } },
    },
    async (request, reply) => {
      await emailVerification.resend(request.body.email, request.ip)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/reset',
    {
      config: { audit: { action: 'reset' } },
      schema: { body: EmailInput, response: { 204: done('Sent if the account exists'), '4xx': Failure } },
    },
    async (request, reply) => {
      await passwordReset.request(request.body.email, request.ip)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/reset/confirm',
    {
      config: { audit: { action: 'reset-confirm' } },
      schema: { body: ResetInput, response: { 204: done('The new password is set'), '4xx': Failure } },
    },
    async (request, reply) => {
      const { token, password } = request.body
      const account = await accounts.resetPassword(token, password, originOf(request))
      // Otherwise the wrong passwords of a stranger could lock out the owner, who is in a new browser.
      guard.rememberDevice(request, reply, account)
      return reply.code(204).send(null)
    },
  )
}
