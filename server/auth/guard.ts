import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { forged } from '#server/errors.ts'
import { FORGERY_COOKIE, FORGERY_HEADER, isFromElsewhere, isTokenFor, isUnsafe, makeToken } from './anti-forgery.ts'
import { storedToken } from './hashed-tokens.ts'
import { callerOf, findSession, renewSession, tokenOf } from './session.ts'

export type Guard = ReturnType<typeof makeGuard>

/** The names of the cookies; `__Host-` binds them to this very host, and browsers take it over https only. */
export const cookieNames = (settings: Settings) => {
  const prefix = settings.isHttps ? '__Host-' : ''
  return { session: `${prefix}session`, preSession: `${prefix}pre-session` }
}

/** What stands before every call of the API: who is asking, and whether the request is the page's own. */
export function makeGuard({ db, settings, secret }: { db: Database; settings: Settings; secret: string }) {
  const names = cookieNames(settings)
  const secure = { path: '/', sameSite: 'lax', secure: settings.isHttps } as const
  const sessionCookie = { ...secure, httpOnly: true, maxAge: settings.session.idleSeconds }

  /** What the caller's anti-forgery token must be bound to; undefined when there is nothing to bind to yet. */
  const bindingOf = (request: FastifyRequest) => request.session?.token ?? request.cookies[names.preSession]

  const giveToken = (reply: FastifyReply, binding: string) =>
    reply.setCookie(FORGERY_COOKIE, makeToken(secret, binding), secure)

  return {
    /** Finds the session of a request, and keeps one that is in use from running out. */
    async identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const cookie = request.cookies[names.session]
      const token = tokenOf(cookie, secret)
      if (cookie === undefined || token === undefined) return
      request.session = await findSession(db, settings.session, token)
      if (request.session && (await renewSession(db, settings.session, request.session))) {
        reply.setCookie(names.session, cookie, sessionCookie)
      }
    },

    /** Throws the 403 for a change that the page did not ask for itself. */
    async refuseForgery(request: FastifyRequest): Promise<void> {
      if (!isUnsafe(request.method) || request.is404) return
      const sent = request.headers[FORGERY_HEADER]
      const binding = bindingOf(request)
      const isOurs =
        binding !== undefined &&
        sent === request.cookies[FORGERY_COOKIE] &&
        isTokenFor(secret, binding, request.cookies[FORGERY_COOKIE]) &&
        !isFromElsewhere(request, settings.publicUrl)
      if (!isOurs) throw forged()
    },

    /** Throws the 401 unless somebody is signed in. */
    async requireAccount(request: FastifyRequest): Promise<void> {
      callerOf(request)
    },

    /** Gives a token to a caller who has none that holds; before sign-in together with something to bind it to. */
    async keepToken(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (reply.hasFreshToken) return
      const binding = bindingOf(request)
      if (binding !== undefined && isTokenFor(secret, binding, request.cookies[FORGERY_COOKIE])) return
      if (binding !== undefined) giveToken(reply, binding)
      else this.startPreSession(reply)
    },

    /** A token for the session that this answer opens. */
    startSession(reply: FastifyReply, token: string): void {
      giveToken(reply, storedToken(token))
      reply.hasFreshToken = true
    },

    /** A token for a caller who is not signed in, or not any more. */
    startPreSession(reply: FastifyReply): void {
      const preSession = randomBytes(32).toString('base64url')
      reply.setCookie(names.preSession, preSession, { ...secure, httpOnly: true })
      giveToken(reply, preSession)
      reply.hasFreshToken = true
    },

    endSession(reply: FastifyReply): void {
      reply.clearCookie(names.session, secure)
      this.startPreSession(reply)
    },
  }
}

declare module 'fastify' {
  interface FastifyReply {
    hasFreshToken: boolean
  }
}
