import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { BothFactorsInput, PasswordInput, RecoveryCodes, TwoFactorSetup } from '#contract/account.ts'
import { CodeInput } from '#contract/auth.ts'
import { clientInfoOf } from '#server/auth/sessions/guard.ts'
import { callerOf, deleteSessions, sessionOf } from '#server/auth/sessions/session.ts'
import { getAccount, lockAccount } from '#server/auth/store.ts'
import {
  beginTwoFactor,
  confirmTwoFactor,
  deleteTwoFactor,
  renewRecoveryCodes,
  spendCode,
} from '#server/auth/two-factor/store.ts'
import type { App } from '#server/http/app.ts'
import { invalid, twoFactorRequired } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const tag = 'Account'
export const WRONG_CODE = 'This code is wrong or has already been used'

/** Turning the second factor on and off. Each step asks for the password, for a code, or for both. */
export function twoFactorRoutes(app: App, { db, secret, accounts, guard }: Services) {
  /** Throws unless the caller gives both factors again. */
  async function confirmBoth(request: FastifyRequest, { password, code }: BothFactorsInput): Promise<void> {
    const caller = callerOf(request)
    const account = await getAccount(db, caller.id)
    // An account that uses single sign-on only has no password to ask for.
    if (account?.passwordHash) {
      if (password === undefined) throw invalid({ password: 'Password is required' })
      await accounts.confirm(caller, password, 'password', clientInfoOf(request))
    }
    if (!account?.hasTwoFactor) throw twoFactorRequired('off')
    const isRight = await accounts.tryCode(caller.email, clientInfoOf(request), () =>
      spendCode(db, secret, caller.id, code),
    )
    if (!isRight) throw invalid({ code: WRONG_CODE })
  }

  app.post(
    '/account/two-factor',
    head({
      ...{ operationId: 'startTwoFactor', summary: 'Get a secret for an authenticator app', tag },
      audit: { action: 'account-two-factor', kind: 'account' },
      body: PasswordInput,
      answers: { 200: TwoFactorSetup },
      refusals: [twoFactorRequired('on')],
      isThrottled: true,
    }),
    async (request) => {
      const caller = callerOf(request)
      await accounts.confirm(caller, request.body.password, 'password', clientInfoOf(request))
      const begun = await beginTwoFactor(db, secret, caller)
      if (begun === undefined) throw twoFactorRequired('on')
      return begun
    },
  )

  app.post(
    '/account/two-factor/confirm',
    head({
      ...{ operationId: 'confirmTwoFactor', summary: 'Turn two-factor sign-in on, with a first code', tag },
      audit: { action: 'account-two-factor-confirm', kind: 'account' },
      body: CodeInput,
      answers: { 200: RecoveryCodes },
      isThrottled: true,
    }),
    async (request, reply) => {
      const { id, email } = callerOf(request)
      const isRight = await accounts.tryCode(email, clientInfoOf(request), () =>
        confirmTwoFactor(db, secret, id, request.body.code),
      )
      if (!isRight) throw invalid({ code: WRONG_CODE })
      const recoveryCodes = await renewRecoveryCodes(db, id)
      await db.transaction(async (tx) => {
        await lockAccount(tx, id, 'change')
        await deleteSessions(tx, id, sessionOf(request).id)
      })
      await guard.renew(request, reply)
      return { recoveryCodes }
    },
  )

  app.post(
    '/account/two-factor/recovery-codes',
    head({
      ...{ operationId: 'createRecoveryCodes', summary: 'Replace the recovery codes', tag },
      audit: { action: 'account-two-factor-recovery-codes', kind: 'account' },
      body: BothFactorsInput,
      answers: { 200: RecoveryCodes },
      refusals: [twoFactorRequired('off')],
      isThrottled: true,
    }),
    async (request) => {
      await confirmBoth(request, request.body)
      return { recoveryCodes: await renewRecoveryCodes(db, callerOf(request).id) }
    },
  )

  app.post(
    '/account/two-factor/off',
    head({
      ...{ operationId: 'deleteTwoFactor', summary: 'Turn two-factor sign-in off', tag },
      audit: { action: 'account-two-factor-off', kind: 'account' },
      body: BothFactorsInput,
      answers: { 204: z.null().describe('Switched off') },
      refusals: [twoFactorRequired('off')],
      isThrottled: true,
    }),
    async (request, reply) => {
      await confirmBoth(request, request.body)
      await deleteTwoFactor(db, callerOf(request).id)
      return reply.code(204).send(null)
    },
  )
}
