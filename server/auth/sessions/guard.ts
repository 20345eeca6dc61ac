import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '#server/audit-log/actor.ts'
import { recordAccountEvent } from '#server/audit-log/entries.ts'
import { DEVICE_SECONDS, deviceCookie, deviceOf } from '#server/auth/sign-in/device-cookie.ts'
import { type KnownAccount, lockAccount, lockUnchanged } from '#server/auth/store.ts'
import { bringsToken, createTokenIdentity } from '#server/auth/tokens/identify.ts'
import type { OpenCalls } from '#server/auth/tokens/open-calls.ts'
import { refuseOutOfScope } from '#server/auth/tokens/scopes.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { csrfFailed, notSignedIn, otherAccount } from '#server/http/errors.ts'
import { isUnsafe } from '#server/http/head.ts'
import { CSRF_COOKIE, CSRF_HEADER, createCsrfToken, isCsrfTokenFor, isFromElsewhere } from './csrf.ts'
import { memoize } from './memoize.ts'
import {
  type ClientInfo,
  callerOf,
  createSession,
  deleteOwnSession,
  deleteSession,
  findSession,
  isToBeRenewed,
  renewSession,
  type Session,
  sessionOf,
  storedToken,
} from './session.ts'
import { signedToken, tokenOf } from './signed-token.ts'

export type Guard = ReturnType<typeof createGuard>

/** The names of the cookies. `__Host-` binds them to this host, and browsers accept it over https only. */
export const cookieNames = (settings: Settings) => {
  const prefix = settings.isHttps ? '__Host-' : ''
  return {
    session: `${prefix}session`,
    preSession: `${prefix}pre-session`,
    twoFactor: `${prefix}two-factor`,
    sso: `${prefix}sso`,
    signUp: `${prefix}sign-up`,
    device: `${prefix}device`,
  }
}

/** The public id of the account that a page belongs to. Scripts need not send it. */
export const ACCOUNT_HEADER = 'x-account'

type KeptCookie = 'twoFactor' | 'sso' | 'signUp'

export const clientInfoOf = (request: FastifyRequest): ClientInfo => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  device: request.device,
})

/** Whether a page of another account sends this. A live stream cannot have a header, so its address names the account. */
const isOfOtherAccount = ({ headers, query, routeOptions }: FastifyRequest, { publicId }: Session) => {
  const named = [headers[ACCOUNT_HEADER], routeOptions.config.isStream && (query as { account?: unknown }).account]
  return named.some((account) => account !== undefined && account !== false && account !== publicId)
}

type Options = { db: Database; settings: Settings; secret: string; openCalls: OpenCalls }

/** Runs before every call of the API: finds the session, and checks that the request comes from our page, or is that of a token. */
export function createGuard({ db, settings, secret, openCalls }: Options) {
  const names = cookieNames(settings)
  const identifyToken = createTokenIdentity({ db, settings, openCalls })
  const secure = { path: '/', sameSite: 'lax', secure: settings.isHttps } as const
  const sessionCookie = { ...secure, httpOnly: true, maxAge: settings.session.idleSeconds }

  /** The stored token of a session cookie. */
  const tokenIn = memoize((cookie) => {
    const token = tokenOf(cookie, secret)
    return token && storedToken(token)
  })
  const deviceIn = memoize((cookie) => deviceOf(cookie, secret))
  /** Whether an anti-forgery token is valid for a session. Both are given as one string, the session's token first. */
  const isOfSession = memoize((pair) => {
    const space = pair.indexOf(' ')
    return isCsrfTokenFor(secret, pair.slice(0, space), pair.slice(space + 1)) || undefined
  })

  /** The binding of the caller's anti-forgery token; undefined when there is nothing to bind to yet. */
  const bindingOf = (request: FastifyRequest) => request.session?.token ?? request.cookies[names.preSession]

  const giveToken = (reply: FastifyReply, binding: string) =>
    reply.setCookie(CSRF_COOKIE, createCsrfToken(secret, binding), secure)

  const giveSession = (reply: FastifyReply, token: string) => {
    reply.setCookie(names.session, signedToken(token, secret), sessionCookie)
    giveToken(reply, storedToken(token))
    reply.hasFreshToken = true
  }

  /** From now on, wrong passwords of strangers do not lock this browser out of the account. */
  const rememberDevice = (request: FastifyRequest, reply: FastifyReply, account: KnownAccount) =>
    reply.setCookie(names.device, deviceCookie(secret, request.device, account), {
      ...secure,
      httpOnly: true,
      maxAge: DEVICE_SECONDS,
    })

  /** The live session of a request. Does not renew it. */
  async function find(request: FastifyRequest): Promise<Session | undefined> {
    const cookie = request.cookies[names.session]
    const token = cookie && tokenIn(cookie)
    return token ? findSession(db, settings.session, token) : undefined
  }

  /** A token for a caller who is not signed in, or no longer. */
  function startPreSession(reply: FastifyReply): void {
    const preSession = randomBytes(32).toString('base64url')
    reply.setCookie(names.preSession, preSession, { ...secure, httpOnly: true })
    giveToken(reply, preSession)
    reply.hasFreshToken = true
  }

  return {
    rememberDevice,
    find,

    /**
     * Finds the session of a request, and renews it when it is due. The caller of an access token has one that is stored nowhere.
     * Throws the refusal of a token, and of a call that it may not make.
     */
    async identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      request.session = await identifyToken(request, reply, () => find(request))
      const token = request.session?.account.token
      if (token !== undefined) return refuseOutOfScope(request, token)
      const device = request.cookies[names.device]
      request.device = device === undefined ? undefined : deviceIn(device)
      request.session = await find(request)
      const cookie = request.cookies[names.session]
      if (!cookie || request.session === undefined || !isToBeRenewed(settings.session, request.session)) return
      if (isOfOtherAccount(request, request.session)) return
      try {
        await renewSession(db, settings.session, request.session)
      } catch {
        // Reading still works while nothing can be saved. A later request renews the session.
        return
      }
      reply.setCookie(names.session, cookie, sessionCookie)
    },

    /** Throws the 403 for a change that did not come from our page. */
    refuseForgery(request: FastifyRequest): void {
      if (!isUnsafe(request.method) || request.is404 || request.session?.account.token) return
      const sent = request.headers[CSRF_HEADER]
      const binding = bindingOf(request)
      const isOurs =
        binding !== undefined &&
        sent === request.cookies[CSRF_COOKIE] &&
        isCsrfTokenFor(secret, binding, request.cookies[CSRF_COOKIE]) &&
        !isFromElsewhere(request, settings.publicUrl)
      if (!isOurs) throw csrfFailed()
    },

    /** Throws the 409 for a page that belongs to another account than the session. */
    refuseOtherAccount(request: FastifyRequest): void {
      const session = sessionOf(request)
      // A token belongs to no page.
      if (session.account.token) return
      if (isOfOtherAccount(request, session)) throw otherAccount(session.account)
    },

    /** Sends a token to a caller without a valid one; before sign-in together with a pre-session cookie. */
    keepToken(request: FastifyRequest, reply: FastifyReply): void {
      if (bringsToken(request)) return
      // When the lookup failed, the caller may have a session, and a new token would not match it.
      if (reply.hasFreshToken || reply.statusCode >= 500) return
      const token = request.cookies[CSRF_COOKIE]
      if (request.session && isOfSession(`${request.session.token} ${token}`)) return
      const binding = bindingOf(request)
      if (binding === undefined) startPreSession(reply)
      else if (!isCsrfTokenFor(secret, binding, token)) giveToken(reply, binding)
    },

    /**
     * Every sign-in ends here: deletes the previous session and sends the cookies of a new one. `account` is as it was
     * when the person proved that it is theirs. When it has changed since, the sign-in is refused.
     */
    async startSession(request: FastifyRequest, reply: FastifyReply, account: KnownAccount): Promise<void> {
      const token = await db.transaction(async (tx) => {
        await lockUnchanged(tx, account)
        if (request.session) await deleteSession(tx, request.session.id)
        await recordAccountEvent(tx, 'login', account, originOf(request))
        return createSession(tx, settings.session, account.id, clientInfoOf(request))
      })
      giveSession(reply, token)
      rememberDevice(request, reply, account)
    },

    /**
     * Replaces the caller's session with a new one; the old cookie is no longer valid. 401 when the session ended in
     * the meantime.
     */
    async renew(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { id } = callerOf(request)
      const { token, account } = await db.transaction(async (tx) => {
        const account = await lockAccount(tx, id, 'enter')
        const { id: sessionId, signIn } = sessionOf(request)
        if (account === undefined || !(await deleteOwnSession(tx, id, sessionId))) throw notSignedIn()
        return { account, token: await createSession(tx, settings.session, id, clientInfoOf(request), signIn) }
      })
      giveSession(reply, token)
      rememberDevice(request, reply, account)
    },

    /** A short-lived cookie that scripts cannot read, for a sign-in or sign-up that takes more than one request. */
    setCookie(reply: FastifyReply, name: KeptCookie, value: string, seconds: number): void {
      reply.setCookie(names[name], value, { ...secure, httpOnly: true, maxAge: seconds })
    },
    getCookie: (request: FastifyRequest, name: KeptCookie) => request.cookies[names[name]],
    clearCookie: (reply: FastifyReply, name: KeptCookie) => reply.clearCookie(names[name], secure),

    deleteSession(reply: FastifyReply): void {
      reply.clearCookie(names.session, secure)
      startPreSession(reply)
    },
  }
}

declare module 'fastify' {
  interface FastifyReply {
    hasFreshToken: boolean
  }
}
