import type { InjectOptions } from 'fastify'
import { buildApp, type ConnectionLimits } from '#server/app.ts'
import type { Database, OpenDatabase } from '#server/db/database.ts'
import { readSettings } from '#server/env.ts'
import type { App } from '#server/services.ts'
import { violations } from './answer-check.ts'
import { quietLog } from './quiet-log.ts'
import { openTestDatabase } from './test-database.ts'

export type TestApp = {
  app: App
  database: OpenDatabase
  db: Database
  /** A second server on the same database, with `environment` beside or in place of what the first one was given. */
  startAgain: (environment?: Record<string, string>) => Promise<App>
  /** A browser that has not been here yet. */
  visitor: () => TestClient
  close: () => Promise<void>
  /** Takes the database away from under the app. */
  closeDatabase: () => Promise<void>
}

/**
 * The whole product on a database of its own. `environment` is what an operator could set; unless it says otherwise,
 * no provider is asked for anything. What the product would log is not looked at unless there is a `log` to take it.
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  log = quietLog,
  limits?: ConnectionLimits,
): Promise<TestApp> {
  const database = await openTestDatabase()
  const { db, close } = database
  const settingsWith = (more: Record<string, string> = {}) =>
    readSettings({ ENRICHMENT_PROVIDERS: 'none', ...environment, ...more })
  const settings = settingsWith()
  const app = await buildApp({ database, settings, log, ...(limits && { limits }) })
  return {
    app,
    database,
    db,
    startAgain: async (more) => {
      const again = await database.openAgain()
      const second = await buildApp({ database: again, settings: settingsWith(more), log: quietLog })
      second.addHook('onClose', () => again.close())
      return second
    },
    visitor: () => new TestClient(app),
    close: async () => {
      await app.close()
      await close()
    },
    closeDatabase: close,
  }
}

type Sent = { body?: unknown; headers?: Record<string, string>; ip?: string }
export type Answered = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of a body, it asserts
  body: any
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Talks to the app as the page does: keeps cookies, and sends the anti-forgery token back. */
export class TestClient {
  readonly cookies = new Map<string, string>()
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  get = (url: string, sent?: Sent) => this.call('GET', url, sent)
  post = (url: string, body?: unknown, sent?: Sent) => this.call('POST', url, { ...sent, body })
  put = (url: string, body?: unknown, sent?: Sent) => this.call('PUT', url, { ...sent, body })
  delete = (url: string, sent?: Sent) => this.call('DELETE', url, sent)

  /** Sends a request, asking for a token first as a new page does. */
  async call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, sent: Sent = {}): Promise<Answered> {
    if (method !== 'GET' && !this.cookies.has('XSRF-TOKEN')) await this.raw({ method: 'GET', url: '/api/auth/me' })
    const token = this.cookies.get('XSRF-TOKEN')
    const headers = { ...(token !== undefined && { 'x-xsrf-token': token }), ...sent.headers }
    const payload = sent.body === undefined ? {} : { payload: sent.body as object }
    const address = sent.ip === undefined ? {} : { remoteAddress: sent.ip }
    return this.raw({ method, url, headers, ...payload, ...address })
  }

  /** Sends exactly this with the cookies so far, keeps those of the answer, and fails on one unlike its schema. */
  async raw(options: InjectOptions): Promise<Answered> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const answer = await this.#app.inject({ ...options, headers: { ...(cookie && { cookie }), ...options.headers } })
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const violation = violations.shift()
    if (violation !== undefined) throw new Error(violation)
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const body = isJson && answer.body !== '' ? answer.json() : undefined
    return { status: answer.statusCode, body, headers: answer.headers as Answered['headers'], text: answer.body }
  }
}
