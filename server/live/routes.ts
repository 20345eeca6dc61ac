import { LiveEvent, LiveQuery } from '#contract/live.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const EventStream = {
  description: 'Server-sent events without names. The data of each is a LiveEvent as JSON',
  content: { 'text/event-stream': { schema: LiveEvent } },
}

export function liveRoutes(app: App, { hub }: Services) {
  app.get(
    '/events',
    head({
      ...{ operationId: 'streamEvents', summary: 'Stream the changes of records as they happen', tag: 'Overview' },
      ...{ isStream: true, scope: 'read' },
      query: LiveQuery,
      answers: { 200: EventStream },
    }),
    (request, reply) => {
      const { id, token } = callerOf(request)
      // Lines of the inbox are for its owner, whose own streams it does not close.
      const accountId = token === undefined ? id : `tokens of ${id}`
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
