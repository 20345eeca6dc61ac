import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PERSON_NAME_MAX, personName, SsoChoice, type SsoError } from '#contract/auth.ts'
import { originOf } from '#server/audit-log/actor.ts'
import { notFound, SignUpRefused } from '#server/http/errors.ts'
import type { App, Services } from '#server/services.ts'
import { signedToken, tokenOf } from '../signed-token.ts'
import { type Attempt, type Claims, openIssuer } from './issuer.ts'
import { accountOf } from './store.ts'
import { verifiedEmail } from './verified-email.ts'

/** Long enough to sign in at the issuer, including a second factor there. */
const ATTEMPT_SECONDS = 600

const NOT_SET_UP = 'This sign-in method is not set up'

/** Issuers add parameters of their own. */
const CallbackQuery = z.looseObject({})

const Params = z.object({ id: z.enum(SsoChoice.shape.id.options, { error: NOT_SET_UP }) })

/**
 * The name that the issuer gives, shortened to our limits and without web addresses; otherwise the name in the address.
 */
const nameFrom = (claims: Claims, email: string): string => {
  const plain = String(claims.name ?? '')
    .replaceAll(/\S*(?::\/\/|www\.)\S*/gi, ' ')
    .replaceAll('/', ' ')
    .replaceAll(/ +/g, ' ')
  return personName.safeParse([...plain].slice(0, PERSON_NAME_MAX).join('')).data ?? email.slice(0, email.indexOf('@'))
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

  const attemptOf = (request: FastifyRequest, id: string): Attempt | undefined => {
    const kept = tokenOf(guard.getCookie(request, 'sso'), secret)
    if (kept === undefined) return undefined
    try {
      const { until, ...attempt } = JSON.parse(Buffer.from(kept, 'base64url').toString())
      return attempt.id === id && until > Date.now() ? attempt : undefined
    } catch {
      return undefined
    }
  }

  app.get('/auth/sso/:id', { schema: { hide: true, params: Params } }, async (request, reply) => {
    const { id } = request.params
    const issuer = issuerOf(id)
    try {
      const { location, attempt } = await issuer.begin(addressOf(id))
      const kept = JSON.stringify({ id, ...attempt, until: Date.now() + ATTEMPT_SECONDS * 1000 })
      guard.setCookie(reply, 'sso', signedToken(Buffer.from(kept).toString('base64url'), secret), ATTEMPT_SECONDS)
      return reply.redirect(location)
    } catch (error) {
      request.log.warn({ issuer: id, reason: reasonOf(error) }, 'Single sign-on could not start')
      return reply.redirect(refusedWith('sso_failed'))
    }
  })

  const callback = { hide: true, params: Params, querystring: CallbackQuery }
  app.get('/auth/sso/:id/callback', { schema: callback }, async (request, reply) => {
    const { id } = request.params
    const issuer = issuerOf(id)
    guard.clearCookie(reply, 'sso')
    try {
      const attempt = attemptOf(request, id)
      if (attempt === undefined) throw new Error('No sign-on was started in this browser')
      const query = new URL(request.url, settings.address).search
      const claims = await issuer.finish(new URL(addressOf(id) + query), attempt)
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
      return reply.redirect(refusedWith('sso_failed'))
    }
  })
}

const refusedWith = (error: SsoError) => `/auth?error=${error}`

/** The loggable part of a failure. Text from the issuer may contain codes and tokens, so it is never logged. */
const reasonOf = (error: unknown) =>
  error instanceof Error ? ((error as { code?: string }).code ?? error.message) : ''
