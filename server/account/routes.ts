import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  AccountAnswer,
  type AccountSession,
  ChangeNameInput,
  ChangePasswordInput,
  SessionParams,
} from '#contract/account.ts'
import { UserAnswer } from '#contract/auth.ts'
import { ConfirmInput } from '#contract/programme.ts'
import { clientInfoOf } from '#server/auth/sessions/guard.ts'
import {
  callerOf,
  confirmSession,
  deleteOwnSession,
  deleteSessions,
  listSessions,
  sessionOf,
} from '#server/auth/sessions/session.ts'
import { refuseWeakPassword } from '#server/auth/sign-in/password-rule.ts'
import { getAccount, renameAccount } from '#server/auth/store.ts'
import { countRecoveryCodes, spendCode } from '#server/auth/two-factor/store.ts'
import type { App } from '#server/http/app.ts'
import { invalid, notFound, notSignedIn } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'
import { deviceOf } from './device.ts'
import { WRONG_CODE } from './two-factor-routes.ts'

const tag = 'Account'
const NO_SESSION = 'There is no such session'

/** The caller's own account: its details, its name, its password and its sessions. */
export function accountRoutes(app: App, { db, settings, secret, accounts, guard }: Services) {
  async function confirmByCode(request: FastifyRequest, code: string): Promise<void> {
    const { id, email } = callerOf(request)
    const isRight = await accounts.tryCode(email, clientInfoOf(request), () => spendCode(db, secret, id, code))
    if (!isRight) throw invalid({ code: WRONG_CODE })
  }

  const ofAccount = head({
    ...{ operationId: 'getAccount', summary: "Get the caller's account and its sessions", tag },
    answers: { 200: AccountAnswer },
  })
  app.get('/account', ofAccount, async (request) => {
    const { id } = callerOf(request)
    const [account, left, sessions] = await Promise.all([
      getAccount(db, id),
      countRecoveryCodes(db, id),
      listSessions(db, settings.session, id),
    ])
    if (account === undefined) throw notSignedIn()
    const present = sessions.map((row) => presentSession(row, sessionOf(request).id))
    return {
      user: { name: account.name, email: account.email },
      emailVerified: account.emailVerified,
      hasPassword: account.passwordHash !== null,
      twoFactor: { enabled: account.hasTwoFactor, recoveryCodesLeft: account.hasTwoFactor ? left : 0 },
      sessions: present.sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent)),
    }
  })

  app.patch(
    '/account',
    head({
      ...{ operationId: 'updateAccount', summary: "Change the caller's name", tag },
      audit: { action: 'account-name' },
      body: ChangeNameInput,
      answers: { 200: UserAnswer },
    }),
    async (request) => {
      const caller = callerOf(request)
      const { name } = request.body
      await renameAccount(db, caller, name)
      return { user: { name, email: caller.email } }
    },
  )

  app.post(
    '/account/password',
    head({
      ...{ operationId: 'changePassword', summary: "Change the caller's password", tag },
      audit: { action: 'account-password', kind: 'account' },
      body: ChangePasswordInput,
      answers: { 204: z.null().describe('Changed; every other session has ended') },
      isThrottled: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { currentPassword, newPassword } = request.body
      await refuseWeakPassword(settings, newPassword, caller, 'newPassword')
      const account = await accounts.confirm(caller, currentPassword, 'currentPassword', clientInfoOf(request))
      await accounts.changePassword(account, newPassword, sessionOf(request).id)
      await guard.renew(request, reply)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/account/confirm',
    head({
      ...{ operationId: 'confirmIdentity', summary: 'Prove again who is signed in, for the acts that ask for it', tag },
      audit: { action: 'account-confirm', kind: 'account' },
      body: ConfirmInput,
      answers: { 204: z.null().describe('Confirmed for 15 minutes') },
      isThrottled: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const client = clientInfoOf(request)
      const { password, code = '' } = request.body
      if (password === undefined) await confirmByCode(request, code)
      else await accounts.confirm(caller, password, 'password', client)
      await confirmSession(db, sessionOf(request).id)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/account/sessions/:id',
    head({
      ...{ operationId: 'deleteSession', summary: "End one of the caller's sessions", tag },
      audit: { action: 'account-sessions', kind: 'account' },
      params: SessionParams,
      answers: { 204: z.null().describe('Ended') },
      refusals: [notFound(NO_SESSION)],
    }),
    async (request, reply) => {
      const { id } = request.params
      if (!(await deleteOwnSession(db, callerOf(request).id, id))) throw notFound(NO_SESSION)
      if (id === sessionOf(request).id) guard.deleteSession(reply)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/account/sessions',
    head({
      ...{ operationId: 'deleteOtherSessions', summary: "End the caller's other sessions", tag },
      audit: { action: 'account-sessions', kind: 'account' },
      answers: { 204: z.null().describe('All other sessions have ended') },
    }),
    async (request, reply) => {
      await deleteSessions(db, callerOf(request).id, sessionOf(request).id)
      return reply.code(204).send(null)
    },
  )
}

type SessionRow = Awaited<ReturnType<typeof listSessions>>[number]

const presentSession = (row: SessionRow, currentId: string): AccountSession => ({
  id: row.id,
  isCurrent: row.id === currentId,
  device: deviceOf(row.userAgent ?? ''),
  ip: row.ipAddress ?? '',
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.updatedAt.toISOString(),
})
