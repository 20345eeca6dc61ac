import { sql } from 'drizzle-orm'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import type { App } from './app.ts'

const REMEMBERED_MS = 1000
const PATIENCE_MS = 2500

/**
 * `/healthz`: the process is alive. `/readyz`: the database responds too, and the process is not about to stop. No
 * details, because anyone may ask.
 */
export function healthRoutes(app: App, { db }: Services, leaving: AbortSignal) {
  let last = { at: 0, isReady: false }
  let pending: Promise<boolean> | undefined

  const pingDatabase = async () => {
    const timeout = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('The database did not respond in time')), PATIENCE_MS).unref()
    })
    await Promise.race([db.execute(sql`select 1`), timeout])
  }

  /** At most one query to the database per second, for all callers, also while it does not answer. */
  const isReady = (log: Log): Promise<boolean> => {
    if (Date.now() - last.at <= REMEMBERED_MS) return Promise.resolve(last.isReady)
    pending ??= pingDatabase()
      .then(
        () => true,
        (error) => {
          log.warn({ err: error }, 'Not ready')
          return false
        },
      )
      .then((isReady) => {
        last = { at: Date.now(), isReady }
        pending = undefined
        return isReady
      })
    return pending
  }

  const route = { schema: { hide: true }, config: { takesAnyHost: true } }
  app.get('/healthz', route, async () => ({ status: 'ok' }))

  app.get('/readyz', route, async (request, reply) => {
    const code = (await isReady(request.log)) && !leaving.aborted ? 200 : 503
    return reply.code(code).send({ status: code === 200 ? 'ok' : 'unavailable' })
  })
}
