import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { App } from './app.ts'

// Node has one time limit for all requests. It is set to the longest, and each body gets its own limit here.

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Closes connections whose body takes longer than `withinMs`, unless `allowBodyTime` has given it more. */
export function limitBodyTime(app: App, withinMs: number): void {
  app.server.prependListener('request', (request: IncomingMessage) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (encoding !== undefined || (length !== undefined && length !== '0')) limit(app, request, withinMs)
  })
}

/** Sets another time limit for the body of this request, starting now. */
export function allowBodyTime(app: App, { raw }: FastifyRequest, withinMs: number): void {
  if (timers.has(raw)) limit(app, raw, withinMs)
}

function limit(app: App, request: IncomingMessage, withinMs: number): void {
  clearTimeout(timers.get(request))
  const timer = setTimeout(() => {
    if (request.complete) return
    // The same error as Node's own limit, so that the response is the same.
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    app.server.emit('clientError', error, request.socket)
  }, withinMs).unref()
  timers.set(request, timer)
  request.once('end', () => clearTimeout(timer))
  request.once('close', () => clearTimeout(timer))
}
