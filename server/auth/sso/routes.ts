import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PERSON_NAME_MAX, personName, SsoChoice, type SsoError } from '#contract/auth.ts'
import { originOf } from '#server/audit-log/actor.ts'
import { confirmSession } from '#server/auth/sessions/session.ts'
import { signedToken, tokenOf } from '#server/auth/sessions/signed-token.ts'
import type { App } from '#server/http/app.ts'
import { notFound, SignUpRefused } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { getAccount } from '../store.ts'
import { type Attempt, type Claims, openIssuer } from './issuer.ts'
import { accountOf, isLinkedTo } from './store.ts'
import { verifiedEmail } from './verified-email.ts'

/** Long enough to sign in at the issuer, including a second factor there. */
const ATTEMPT_SECONDS = 600

const NOT_SET_UP = 'This sign-in method is not set up'

/** Issuers add parameters of their own. */
const CallbackQuery = z.looseObject({})

const BeginQuery = z.object({ confirm: z.literal('true', { error: 'Confirm must be true' }).optional() })

/** How far the clocks of an issuer and of this server may differ. */
const CLOCKS_MS = 60_000

/** `session` is the one that the sign-on is to confirm. Without one it opens a session. */
type KeptAttempt = Attempt & { session?: string; startedAt: number }

const Params = z.object({ id: z.enum(SsoChoice.shape.id.options, { error: NOT_SET_UP }) })

/**
 * The name that the issuer gives, shortened to our limits and without web addresses; otherwise the name in the address.
 */
const nameFrom = (claims: Claims, email: string): string => {
  const plain = String(claims.name ?? '')
    .replaceAll(/\S*(?::\/\/|www\.)\S*/gi, ' ')
    .replaceAll(/(?<!\p{L})\/|\/(?!\p{L})/gu, ' ')
  const named = (text: string) =>
    personName.safeParse([...text.replaceAll(/ +/g, ' ')].slice(0, PERSON_NAME_MAX).join('')).data
  return named(plain) ?? named(plain.replaceAll('/', ' ')) ?? email.slice(0, email.indexOf('@'))
}

/**
 * Sign-in at an issuer that vouches for the address. The second factor is then up to the issuer. A browser navigates
 * there and back, so both routes redirect: to the issuer, then to `/` or to `/auth?error=…`.
 */
export function ssoRoutes(app: App, { db, settings, secret, guard }: Services) {
  const issuers = new Map(settings.sso.map((one) => [one.id, openIssuer(one)]))
  const addressOf = (id: string) => `${settings.address}/api/auth/sso/${id}/callback`

  const issuerOf = (id: SsoChoice['id']) => {
    const issuer = issuers.get(id)
    if (issuer === undefined) throw notFound(NOT_SET_UP)
    return issuer
  }

  const attemptOf = (request: FastifyRequest, id: string): KeptAttempt | undefined => {
    const kept = tokenOf(guard.getCookie(request, 'sso'), secret)
    if (kept === undefined) return undefined
    try {
      const attempt = JSON.parse(Buffer.from(kept, 'base64url').toString())
      return attempt.id === id && attempt.startedAt + ATTEMPT_SECONDS * 1000 > Date.now() ? attempt : undefined
    } catch {
      return undefined
    }
  }

  /** The session of a person who confirms it by single sign-on. One with a password confirms it by that. */
  async function sessionToConfirm({ session }: FastifyRequest): Promise<string> {
    const account = session && (await getAccount(db, session.account.id))
    if (session === undefined || account === undefined || account.passwordHash !== null)
      throw new Error('There is no session to confirm')
    return session.id
  }

  const start = { hide: true, params: Params, querystring: BeginQuery }
  app.get('/auth/sso/:id', { schema: start }, async (request, reply) => {
    const { id } = request.params
    const issuer = issuerOf(id)
    const confirms = request.query.confirm !== undefined
    try {
      const session = confirms ? await sessionToConfirm(request) : undefined
      const { location, attempt } = await issuer.begin(addressOf(id), confirms)
      const kept = JSON.stringify({ id, ...attempt, session, startedAt: Date.now() })
      guard.setCookie(reply, 'sso', signedToken(Buffer.from(kept).toString('base64url'), secret), ATTEMPT_SECONDS)
      return reply.redirect(location)
    } catch (error) {
      request.log.warn({ issuer: id, reason: reasonOf(error) }, 'Single sign-on could not start')
      return reply.redirect(refusedWith('sso_failed', confirms))
    }
  })

  /** Confirms the session that asked, for an identity of its account that has just signed in. Returns where to go. */
  async function confirm(
    { session }: FastifyRequest,
    attempt: KeptAttempt,
    identity: Parameters<typeof isLinkedTo>[2],
    { auth_time: at }: Claims,
  ): Promise<string> {
    if (session === undefined || session.id !== attempt.session) throw new Error('The session has ended')
    // An issuer that does not say when is trusted to have asked.
    const isOld = typeof at === 'number' && at * 1000 < attempt.startedAt - CLOCKS_MS
    if (isOld) throw new Error('The issuer did not ask again')
    if (!(await isLinkedTo(db, session.account.id, identity))) return refusedWith('other_identity', true)
    await confirmSession(db, session.id)
    return CONFIRMED
  }

  const callback = { hide: true, params: Params, querystring: CallbackQuery }
  app.get('/auth/sso/:id/callback', { schema: callback }, async (request, reply) => {
    const { id } = request.params
    const issuer = issuerOf(id)
    guard.clearCookie(reply, 'sso')
    const attempt = attemptOf(request, id)
    const confirms = attempt?.session !== undefined
    try {
      if (attempt === undefined) throw new Error('No sign-on was started in this browser')
      const query = new URL(request.url, settings.address).search
      const claims = await issuer.finish(new URL(addressOf(id) + query), attempt)
      if (confirms)
        return reply.redirect(await confirm(request, attempt, { id, issuer: claims.iss, subject: claims.sub }, claims))
      const email = verifiedEmail(id, claims)
      if (email === undefined) return reply.redirect(refusedWith('not_verified'))
      const identity = { id, issuer: claims.iss, subject: claims.sub, email, name: nameFrom(claims, email) }
      const account = await accountOf(db, settings, identity, originOf(request))
      if (account === undefined) return reply.redirect(refusedWith('other_identity'))
      if (account.disabledAt !== null) return reply.redirect(refusedWith('disabled'))
      if (account.pendingSince !== null) return reply.redirect(refusedWith('approval_pending'))
      await guard.startSession(request, reply, account)
      return reply.redirect('/')
    } catch (error) {
      if (error instanceof SignUpRefused) return reply.redirect(refusedWith(error.reason))
      request.log.warn({ issuer: id, reason: reasonOf(error) }, 'Single sign-on failed')
      return reply.redirect(refusedWith('sso_failed', confirms))
    }
  })
}

/** The page of the window in which a person confirms. */
const CONFIRMED = '/auth/confirmed'

const refusedWith = (error: SsoError, confirms = false) => `${confirms ? CONFIRMED : '/auth'}?error=${error}`

/** The loggable part of a failure. Text from the issuer may contain codes and tokens, so it is never logged. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? ((error as { code?: string }).code ?? error.message) : ''
