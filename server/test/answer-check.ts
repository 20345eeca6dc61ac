import { subscribe } from 'node:diagnostics_channel'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { $ZodType, safeEncode } from 'zod/v4/core'
import { Failure } from '#contract/errors.ts'

// Checks every app of a test against its own description: a JSON response must match the schema of its route and
// status, without further fields, and a refusal must be one that the head of its route declares. The product is not
// aware of this; Fastify announces each instance on a channel of Node.

/** Responses that did not match the heads of their routes, on which the test client fails. */
export const violations: string[] = []

/** The status of a connection that its client has closed. Nothing is read from it. */
const CLIENT_GONE = 499

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isJson || typeof payload !== 'string' || payload === '') return
    const { schema, config } = request.routeOptions
    if (schema?.operationId === undefined || request.is404) return
    const { statusCode: status } = reply
    const body: unknown = JSON.parse(payload)
    const call = `${request.method} ${request.url} ${status}`
    if (status >= 400 && status < CLIENT_GONE) {
      const { code } = body as Failure
      const declared = config.refusals?.some((one) => one.status === status && (!code || one.answer.code === code))
      if (!declared) violations.push(`${call} is not declared in the head of its route: ${payload}`)
    }
    const declared = (schema.response as Record<string, unknown>)[status]
    const shape = declared ?? (status >= 400 ? Failure : undefined)
    if (!(shape instanceof $ZodType)) return
    const checked = safeEncode(shape, body)
    if (!checked.success) violations.push(`${call} does not match its schema: ${checked.error.message}`)
    else if (!isDeepStrictEqual(checked.data, body)) {
      violations.push(`${call} returns more than its schema names: ${payload}`)
    }
  })
})
