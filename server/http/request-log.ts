import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { REQUEST_ID_HEADER } from '#contract/errors.ts'
import type { Settings } from '../env.ts'
import type { App } from '../services.ts'
import { peerTrust } from './trusted-proxy.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Names each request, short enough to be read out; a proxy that is trusted may have named it already. */
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
 * Every answer tells its request's name. At `info` each leaves a line: the route's pattern and the account's id, never
 * an address with what somebody looks for, a name or an e-mail address.
 */
export function logRequests(app: App) {
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
        account: request.session?.account.id,
      },
      'answered',
    )
    done()
  })
}
