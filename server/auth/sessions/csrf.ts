import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

export const CSRF_COOKIE = 'XSRF-TOKEN'
export const CSRF_HEADER = 'x-xsrf-token'

// OWASP's signed double-submit cookie. The lengths are signed too, so that no two pairs have the same signature.
const signed = (secret: string, binding: string, random: string) =>
  createHmac('sha256', secret).update(`${binding.length}!${binding}!${random.length}!${random}`).digest('hex')

/** A fresh token for one binding: the session, or the pre-session cookie before sign-in. */
export function createCsrfToken(secret: string, binding: string): string {
  const random = randomBytes(16).toString('hex')
  return `${signed(secret, binding, random)}.${random}`
}

export function isCsrfTokenFor(secret: string, binding: string, token: string | undefined): boolean {
  const [signature, random, ...rest] = token?.split('.') ?? []
  if (!signature || !random || rest.length > 0) return false
  const expected = Buffer.from(signed(secret, binding, random))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Uses the browser's headers about the origin of a request. A request without them passes on to the token check. */
export function isFromElsewhere(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  const { origin } = request.headers
  if (origin === undefined) return false
  if (publicUrl !== undefined) return origin !== publicUrl
  const from = URL.parse(origin)
  return from === null || from.host !== URL.parse(`${from.protocol}//${request.host}`)?.host
}
