import { and, eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AccessToken, AccessTokens, NewAccessToken, NO_TOKEN, TokenInput, TokenParams } from '#contract/tokens.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { lockAccount } from '#server/auth/store.ts'
import { createRefusals, createToken, endTokens, getTokenChoice, listTokens } from '#server/auth/tokens/store.ts'
import { accessTokens } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import type { App } from '#server/http/app.ts'
import { AppError, confirmFirst, notFound, notSignedIn } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const tag = 'Account'

const notSafe = () =>
  new AppError(409, 'An access token is shown only where the address of Sourcebook begins with https.')

const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/** Whether no one on the way reads what is shown here. */
const isSafe = ({ isHttps }: Pick<Settings, 'isHttps'>, { hostname }: FastifyRequest) => isHttps || LOCAL.has(hostname)

/** The caller's access tokens. One is shown once, when it is made, so a repeated request makes another one. */
export function tokenRoutes(app: App, { db, settings }: Services) {
  app.get(
    '/account/tokens',
    head({
      ...{ operationId: 'listTokens', summary: "List the caller's access tokens", tag },
      answers: { 200: AccessTokens },
    }),
    async (request) => {
      const [{ allowed }, tokens] = await Promise.all([
        getTokenChoice(db, settings),
        listTokens(db, callerOf(request).id),
      ])
      return { allowed, isSafe: isSafe(settings, request), tokens: tokens.map(presentToken) }
    },
  )

  app.post(
    '/account/tokens',
    head({
      ...{ operationId: 'createToken', summary: 'Make an access token, which is shown once', tag },
      description: 'Asks for a proof of identity. The next sign-in of the account is told.',
      audit: { action: 'account-token-create', kind: 'account', isWritten: true },
      body: TokenInput,
      answers: { 201: NewAccessToken },
      refusals: [confirmFirst(), notSafe(), ...createRefusals()],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      if (!isSafe(settings, request)) throw notSafe()
      refuseUnconfirmed(request)
      const made = await db.transaction(async (tx) => {
        const account = await lockAccount(tx, caller.id, 'change')
        if (account === undefined || account.disabledAt !== null) throw notSignedIn()
        const { id, secret } = await createToken(tx, settings, caller.id, request.body)
        const [row] = (await listTokens(tx, caller.id)).filter((one) => one.id === id)
        if (row === undefined) throw notFound(NO_TOKEN)
        const { name, scopes, expiresAt } = presentToken(row)
        await recordAuditEntry(tx, {
          ...{ action: 'account-token-create', by: caller, kind: 'account', objectId: caller.id },
          after: { name, scopes, expiresAt },
        })
        return { ...presentToken(row), token: secret }
      })
      return reply.code(201).send(made)
    },
  )

  app.delete(
    '/account/tokens/:id',
    head({
      ...{ operationId: 'deleteToken', summary: "End one of the caller's access tokens", tag },
      description: 'With its streams, exports and calls, on every server, within a second.',
      audit: { action: 'account-token-delete', kind: 'account', isWritten: true },
      params: TokenParams,
      answers: { 204: z.null().describe('Ended') },
      refusals: [notFound(NO_TOKEN)],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      await db.transaction(async (tx) => {
        const [ended] = await endTokens(
          tx,
          and(eq(accessTokens.id, request.params.id), eq(accessTokens.accountId, caller.id)) ?? sql`false`,
        )
        if (ended === undefined || ended.expiresAt <= new Date()) throw notFound(NO_TOKEN)
        await recordAuditEntry(tx, {
          ...{ action: 'account-token-delete', by: caller, kind: 'account', objectId: caller.id },
          before: { name: ended.name },
        })
      })
      return reply.code(204).send(null)
    },
  )
}

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number]

const presentToken = (row: TokenRow): AccessToken => ({
  ...{ id: row.id, name: row.name, scopes: row.scopes, lastFour: row.lastFour },
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  lastNetwork: row.lastNetwork,
})
