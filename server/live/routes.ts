import { Failure } from '#contract/errors.ts'
import { LiveEvent, LiveQuery } from '#contract/live.ts'
import { callerOf } from '#server/auth/session.ts'
import type { App, Services } from '#server/services.ts'

const EventStream = {
  description: 'Server-sent events, each a LiveEvent',
  content: { 'text/event-stream': { schema: LiveEvent } },
}

export function liveRoutes(app: App, { hub }: Services) {
  app.get(
    '/events',
    { config: { isStream: true }, schema: { querystring: LiveQuery, response: { 200: EventStream, '4xx': Failure } } },
    (request, reply) => {
      const { id: accountId } = callerOf(request)
      const sessionId = request.session?.id as string
      reply.hijack()
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // A stream that ends closes its connection immediately, also when the server is about to stop.
        connection: 'close',
      })
      hub.add({ response: reply.raw, sessionId, accountId, behindMs: request.query.behind ?? 0 })
    },
  )
}
