import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { IdempotencyHeaders } from '#contract/idempotency.ts'
import { SeenUntilHeaders } from '#contract/inbox.ts'
import { type AppError, keyUsedOtherwise, tooManyAttempts } from './errors.ts'

// The head of a route declares everything about a call except what it does. Hooks and the API document read it.

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The failures of the call. Of several sentences for one reason, one is enough. */
    refusals?: AppError[]
    /** Returns a page of a list, and the address of the next page in a header. */
    isPaged?: boolean
    /** Refused unless the person has proven lately who they are: `auth/sessions/confirmation.ts`. */
    confirms?: boolean
    /** The most rows that a call with this query and body reads or writes: `fair-share.ts`. One, if not declared. */
    rows?: (request: { query: unknown; body: unknown }) => number
  }
}

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a request of this method may change anything. */
export const isUnsafe = (method: string): boolean => UNSAFE.has(method)

type Shaped<Shape> = Shape extends z.ZodType ? z.output<Shape> : never

/** The rows of a call that may read or write any number of them. */
export const ANY_NUMBER = () => Number.POSITIVE_INFINITY

type Head<Params, Query, Body, Answers> = Omit<FastifyContextConfig, 'rows'> & {
  /** The default of a paged list is the length of the page. */
  rows?: (request: { query: Shaped<Query>; body: Shaped<Body> }) => number
  /** A verb and a noun. Generated clients name their functions after it. */
  operationId: string
  summary: string
  description?: string
  tag: string
  params?: Params
  query?: Query
  body?: Body
  /** Goes with the next release. */
  isDeprecated?: boolean
  /** The media types of a body that is not JSON. */
  consumes?: string[]
  /** By status. A refusal is here only if its response has more fields than `Failure`. */
  answers: Answers
  /** Accepts an `Idempotency-Key`, which the body of the route passes to `withIdempotency`. */
  isIdempotent?: boolean
  /** Takes the horizon of an answer back. */
  takesHorizon?: boolean
  /** Counts attempts, and refuses too many. */
  isThrottled?: boolean
}

const KEY_REFUSAL = keyUsedOtherwise()
const ATTEMPTS_REFUSAL = tooManyAttempts(60)

/** The options of a route. Hooks add what they refuse by `addRefusals`. */
export function head<Answers, Params = undefined, Query = undefined, Body = undefined>({
  operationId,
  summary,
  description,
  tag,
  params,
  query,
  body,
  consumes,
  answers,
  isDeprecated = false,
  isIdempotent = false,
  takesHorizon = false,
  isThrottled = false,
  refusals = [],
  rows,
  ...config
}: Head<Params, Query, Body, Answers>) {
  const schema = {
    ...{ operationId, summary, tags: [tag], security: [] },
    ...(description !== undefined && { description }),
    ...(isDeprecated && { deprecated: true }),
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    ...(body !== undefined && { body }),
    ...(consumes !== undefined && { consumes }),
    ...(isIdempotent && { headers: IdempotencyHeaders }),
    ...(takesHorizon && { headers: SeenUntilHeaders }),
    response: answers,
  }
  const more = [...(isIdempotent ? [KEY_REFUSAL] : []), ...(isThrottled ? [ATTEMPTS_REFUSAL] : [])]
  const weight = (rows as FastifyContextConfig['rows']) ?? (config.isPaged ? lengthOfPage : undefined)
  return {
    config: { ...config, ...(weight && { rows: weight }), refusals: [...refusals, ...more] },
    // Absent parts stay absent: Fastify warns of a part that is there and undefined.
    schema: schema as typeof schema & { params: Params; querystring: Query; body: Body },
  }
}

const lengthOfPage = ({ query }: { query: unknown }) => (query as { limit?: number }).limit ?? 1

/** Adds what a hook refuses to the head of a call. */
export function addRefusals(route: RouteOptions, ...refusals: AppError[]): void {
  route.config = { ...route.config, refusals: [...(route.config?.refusals ?? []), ...refusals] }
}

/** Adds what a hook requires of every request. */
export function addSecurity(route: RouteOptions, scheme: string): void {
  const [required] = route.schema?.security ?? []
  route.schema = { ...route.schema, security: [{ ...required, [scheme]: [] }] }
}
