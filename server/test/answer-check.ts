import { subscribe } from 'node:diagnostics_channel'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { $ZodType, safeEncode } from 'zod/v4/core'

// Checks every app of a test against its own description: a JSON response must match the schema of its route and
// status, without further fields. The product is not aware of this; Fastify announces each instance on a channel of
// Node.

/** Responses that did not match their schemas, on which the test client fails. */
export const violations: string[] = []

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isJson || typeof payload !== 'string' || payload === '') return
    const declared = request.routeOptions.schema?.response as Record<string, unknown> | undefined
    const status = String(reply.statusCode)
    const schema = declared?.[status] ?? declared?.[`${status[0]}xx`]
    if (!(schema instanceof $ZodType)) return
    const body: unknown = JSON.parse(payload)
    const checked = safeEncode(schema, body)
    const call = `${request.method} ${request.url} ${status}`
    if (!checked.success) violations.push(`${call} does not match its schema: ${checked.error.message}`)
    else if (!isDeepStrictEqual(checked.data, body)) {
      violations.push(`${call} returns more than its schema names: ${payload}`)
    }
  })
})
