import { isFromElsewhere } from '#server/auth/sessions/csrf.ts'
import { declareScopes } from '#server/auth/tokens/scopes.ts'
import { getTokenChoice } from '#server/auth/tokens/store.ts'
import type { App } from '#server/http/app.ts'
import { AppError, forbidden, notSignedIn } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { createReader } from './reader.ts'

const PATH = '/mcp'
const CLOSED = 'Assistants may not connect here. A manager decides it on Programme.'
const WRITES = 'This token may change things, so an assistant may not have it. Make one that can only read.'

/**
 * The door of assistants: the Model Context Protocol, for a token that can only read. Each request is answered for itself, by a
 * server of its own, so that any process can.
 */
export async function mcpRoutes(root: App, { db, settings, guard }: Services) {
  await root.register(async (app: App) => {
    app.decorateRequest('session', undefined)
    app.decorateRequest('device', undefined)
    declareScopes(app, () => 'read')
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (isFromElsewhere(request, settings.publicUrl)) throw forbidden('This page may not call an assistant’s door')
      if (request.method !== 'POST') return
      reply.header('www-authenticate', 'Bearer')
      await guard.identify(request, reply)
      const { token } = request.session?.account ?? {}
      if (token === undefined) throw notSignedIn()
      if (token.scopes.includes('write')) throw forbidden(WRITES)
      if (!(await getTokenChoice(db, settings)).assistant) throw forbidden(CLOSED)
    })
    // The protocol has a document of its own.
    const schema = { hide: true }
    app.post(PATH, { schema }, async (request, reply) => {
      const origin = settings.publicUrl ?? `${request.protocol}://${request.host}`
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
      const asked = new Request(new URL(PATH, origin), { method: 'POST', headers })
      // Most programmes have no assistant: its library is loaded with the first request.
      const { answerMcp } = await import('./server.ts')
      const answer = await answerMcp(asked, request.body, { reader: createReader(root, request), origin })
      for (const [name, value] of answer.headers) reply.header(name, value)
      return reply.status(answer.status).send(answer.body ?? '')
    })
    for (const method of ['GET', 'DELETE'] as const)
      app.route({
        method,
        url: PATH,
        schema,
        handler: () => {
          throw new AppError(405, 'Send a POST', {})
        },
      })
  })
}
