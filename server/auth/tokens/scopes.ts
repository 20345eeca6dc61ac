import type { FastifyRequest, RouteOptions } from 'fastify'
import type { TokenScope } from '#contract/token-scopes.ts'
import type { CallerToken } from '#server/auth/sessions/session.ts'
import { identityRefusals } from '#server/auth/tokens/identify.ts'
import type { App } from '#server/http/app.ts'
import { type AppError, forbidden } from '#server/http/errors.ts'
import { isUnsafe } from '#server/http/head.ts'
import { tooManyCalls } from './rate.ts'
import { tooManyReads } from './reads.ts'

// What a token needs for a call: the scope in its head, else that of the calls around it. A call without one is for no token.

type Scope = TokenScope | 'none'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a token needs for the call, where it is another scope than that of the calls around it. */
    scope?: Scope
    /** That of the calls around it. */
    scopeAround?: Scope
  }
}

type Config = RouteOptions['config']

export const scopeOf = (config: Config): Scope => config?.scope ?? config?.scopeAround ?? 'none'

/** By the method. Files and calendars are exports. */
export function scopeByMethod({ method, url, config }: RouteOptions): TokenScope {
  if ([method].flat().some((one) => isUnsafe(String(one)))) return 'write'
  return config?.isExport || /\.(csv|jsonl|ics)$/.test(url) ? 'export' : 'read'
}

const missing = (scope: TokenScope) =>
  forbidden(`This access token lacks the scope ${scope}. Make one that has it on your account page.`)

const refusals: Record<Scope, AppError> = {
  none: forbidden('No access token can do this. Do it on the page.'),
  ...{ read: missing('read'), export: missing('export'), write: missing('write') },
}
const beforehand = identityRefusals()
const limits = [tooManyCalls(60), tooManyReads(3_600)]
const ofTokens = new Set([...Object.values(refusals), ...beforehand, ...limits])

/** Gives the calls of this scope what a token needs for them. Another one inside of it may say otherwise. */
export function declareScopes(app: App, scopeAround: (route: RouteOptions) => Scope): void {
  app.addHook('onRoute', (route) => {
    const config = { ...route.config, scopeAround: scopeAround(route) }
    const scope = scopeOf(config)
    const others = (config.refusals ?? []).filter((refusal) => !ofTokens.has(refusal))
    const own = [...beforehand, refusals[scope], ...(scope === 'none' ? [] : limits)]
    route.config = { ...config, refusals: [...others, ...own] }
  })
}

/** Throws the 403 for a call that this token may not make. */
export function refuseOutOfScope({ routeOptions, is404 }: FastifyRequest, { scopes }: CallerToken): void {
  const scope = scopeOf(routeOptions.config)
  if (!is404 && (scope === 'none' || !scopes.includes(scope))) throw refusals[scope]
}
