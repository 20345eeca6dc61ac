import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '#server/auth/sessions/session.ts'
import { bearerOf, isInAddress, isSecret } from '#server/auth/tokens/secret.ts'
import { findToken, noteUse } from '#server/auth/tokens/store.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { AppError } from '#server/http/errors.ts'
import { networkKey } from '#server/http/network-key.ts'
import type { OpenCalls } from './open-calls.ts'
import { createCallRate } from './rate.ts'

const tokenInvalid = () => new AppError(401, 'This access token has ended, or was never valid')
const tokenInAddress = () =>
  new AppError(401, 'An access token belongs in the header Authorization, not in an address. End this one.')
const twoIdentities = () =>
  new AppError(400, 'Send an access token or the cookie of a session, not both', { code: 'two_identities' })

/** What a call of a token refuses before its own part. */
export const identityRefusals = () => [tokenInvalid(), twoIdentities()]

/** Whether a request brings an access token, valid or not. No cookie is set for one. */
export const bringsToken = ({ headers }: FastifyRequest): boolean => bearerOf(headers.authorization) !== undefined

/** Whether a token is refused without a query. */
export const isHopeless = ({ headers, url }: FastifyRequest): boolean => {
  const secret = bearerOf(headers.authorization)
  return isInAddress(url) || (secret !== undefined && !isSecret(secret))
}

type Options = { db: Database; settings: Settings; openCalls: OpenCalls }

/** Finds the caller of an access token: a fellow, with the scopes of the token. Undefined for a request without one. */
export function createTokenIdentity({ db, settings, openCalls }: Options) {
  const countCall = createCallRate()
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    findSession: () => Promise<unknown>,
  ): Promise<Session | undefined> => {
    if (isInAddress(request.url)) throw tokenInAddress()
    const secret = bearerOf(request.headers.authorization)
    if (secret === undefined) return undefined
    reply.header('www-authenticate', 'Bearer')
    const found = isSecret(secret) ? await findToken(db, settings, secret) : undefined
    if (found === undefined) throw tokenInvalid()
    if ((await findSession()) !== undefined) throw twoIdentities()
    countCall(found.id)
    if (!openCalls.add(found.id, found.expiresAt, reply.raw)) throw tokenInvalid()
    reply.removeHeader('www-authenticate')
    // Reading still works while nothing can be saved.
    if (!found.isNoted) await noteUse(db, found.id, networkKey(request.ip)).catch(() => {})
    return {
      ...{ id: found.id, token: '', signIn: '', confirmedAt: null },
      ...{ publicId: found.publicId, expiresAt: found.expiresAt },
      account: { ...found.account, role: 'token', token: found.token },
    }
  }
}
