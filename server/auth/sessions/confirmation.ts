import type { FastifyRequest } from 'fastify'
import type { App } from '#server/http/app.ts'
import { confirmFirst } from '#server/http/errors.ts'
import { addRefusals } from '#server/http/head.ts'
import { sessionOf } from './session.ts'

/** How long a sign-in, or a password or code given again, allows the acts that ask for it. */
export const CONFIRMED_SECONDS = 900

/** Whether the person has given a password, a code or single sign-on lately. */
export function isConfirmed(request: FastifyRequest): boolean {
  const { confirmedAt } = sessionOf(request)
  return confirmedAt !== null && Date.now() - confirmedAt.getTime() <= CONFIRMED_SECONDS * 1000
}

/** Throws the 403 when the person has not. */
export function refuseUnconfirmed(request: FastifyRequest): void {
  if (!isConfirmed(request)) throw confirmFirst()
}

/** For the calls of this scope whose head has `confirms`. */
export function confirmWhereDeclared(app: App): void {
  const refusal = confirmFirst()
  app.addHook('onRoute', (route) => {
    if (route.config?.confirms) addRefusals(route, refusal)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.confirms) refuseUnconfirmed(request)
    done()
  })
}
