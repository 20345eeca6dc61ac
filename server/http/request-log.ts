import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { REQUEST_ID_HEADER } from '#contract/errors.ts'
import type { Settings } from '../env.ts'
import type { App } from './app.ts'
import { peerTrust } from './trusted-proxy.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Gives each request a short id that can be read out. A trusted proxy may have set one already. */
export function nameRequests(settings: Settings): (request: IncomingMessage) => string {
  const isTrusted = peerTrust(settings)
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER]
    if (typeof given === 'string' && REQUEST_ID.test(given) && isTrusted(socket.remoteAddress ?? '')) return given
    const random = randomUUID()
    return `${random.slice(0, 4)}-${random.slice(4, 8)}-${random.slice(9, 13)}`
  }
}

/**
 * Sends the request's id with every response. At `info` it logs one line per request with the route's pattern and the
 * account's id. It never logs search terms, names or email addresses.
 */
export function logRequests(app: App, accountOf: (request: FastifyRequest) => string | undefined) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        account: accountOf(request),
      },
      'answered',
    )
    done()
  })
}
