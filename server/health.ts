import { sql } from 'drizzle-orm'
import type { App, Services } from './services.ts'

const REMEMBERED_MS = 1000
const PATIENCE_MS = 2500

/** `/healthz`: the process is alive. `/readyz`: the database answers too. Nothing more, since anyone may ask. */
export function healthRoutes(app: App, { db }: Services) {
  let last = { at: 0, isReady: false }

  const askDatabase = async () => {
    const patience = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('The database did not answer in time')), PATIENCE_MS).unref()
    })
    await Promise.race([db.execute(sql`select 1`), patience])
  }

  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async (request, reply) => {
    if (Date.now() - last.at > REMEMBERED_MS) {
      const isReady = await askDatabase().then(
        () => true,
        (error) => {
          request.log.warn({ err: error }, 'Not ready')
          return false
        },
      )
      last = { at: Date.now(), isReady }
    }
    return reply.code(last.isReady ? 200 : 503).send({ status: last.isReady ? 'ok' : 'unavailable' })
  })
}
