import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { BothFactorsInput, PasswordInput, RecoveryCodes, TwoFactorSetup } from '#contract/account.ts'
import { CodeInput } from '#contract/auth.ts'
import { Failure } from '#contract/errors.ts'
import { clientInfoOf } from '#server/auth/guard.ts'
import { callerOf, deleteSessions, sessionOf } from '#server/auth/session.ts'
import { getAccount, lockAccount } from '#server/auth/store.ts'
import {
  beginTwoFactor,
  confirmTwoFactor,
  deleteTwoFactor,
  renewRecoveryCodes,
  spendCode,
} from '#server/auth/two-factor/store.ts'
import { invalid, twoFactorRequired } from '#server/http/errors.ts'
import type { App, Services } from '#server/services.ts'

const WRONG_CODE = 'This code is wrong or has already been used'

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
    {
      config: { audit: { action: 'account-two-factor', kind: 'account' } },
      schema: { body: PasswordInput, response: { 200: TwoFactorSetup, '4xx': Failure } },
    },
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
    {
      config: { audit: { action: 'account-two-factor-confirm', kind: 'account' } },
      schema: { body: CodeInput, response: { 200: RecoveryCodes, '4xx': Failure } },
    },
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
    {
      config: { audit: { action: 'account-two-factor-recovery-codes', kind: 'account' } },
      schema: { body: BothFactorsInput, response: { 200: RecoveryCodes, '4xx': Failure } },
    },
    async (request) => {
      await confirmBoth(request, request.body)
      return { recoveryCodes: await renewRecoveryCodes(db, callerOf(request).id) }
    },
  )

  app.post(
    '/account/two-factor/off',
    {
      config: { audit: { action: 'account-two-factor-off', kind: 'account' } },
      schema: { body: BothFactorsInput, response: { 204: z.null().describe('Switched off'), '4xx': Failure } },
    },
    async (request, reply) => {
      await confirmBoth(request, request.body)
      await deleteTwoFactor(db, callerOf(request).id)
      return reply.code(204).send(null)
    },
  )
}
