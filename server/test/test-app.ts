import type { InjectOptions } from 'fastify'
import { buildApp, type ConnectionLimits } from '#server/app.ts'
import { CSRF_COOKIE, createCsrfToken } from '#server/auth/sessions/csrf.ts'
import { cookieNames } from '#server/auth/sessions/guard.ts'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { createSession, storedToken } from '#server/auth/sessions/session.ts'
import { signedToken } from '#server/auth/sessions/signed-token.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { readSettings } from '#server/ops/settings.ts'
import { violations } from './answer-check.ts'
import { checkAuditLog } from './audit-check.ts'
import { createLocalFileReader } from './file-reader.ts'
import { quietLog } from './quiet-log.ts'
import { openTestDatabase, type TestDatabase } from './test-database.ts'

export type TestApp = {
  app: App
  database: TestDatabase
  db: Database
  /** A second server on the same database, with `environment` merged into that of the first one. */
  startAgain: (environment?: Record<string, string>) => Promise<App>
  /** A browser without cookies. */
  visitor: () => TestClient
  /** A browser with a session of this account, as after a sign-in. */
  signedIn: (account: { id: string }) => Promise<TestClient>
  close: () => Promise<void>
  /** Closes the database of the running app. */
  closeDatabase: () => Promise<void>
}

/**
 * The whole product on its own database. `environment` has the operator's settings; by default, no provider is
 * configured. The log is discarded unless there is a `log`. Files are read in this process, or as in production in
 * processes of their own. A test that holds connections back needs more of them.
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  log = quietLog,
  limits?: ConnectionLimits,
  { readsApart = false, connections, address }: { readsApart?: boolean; connections?: number; address?: string } = {},
): Promise<TestApp> {
  const settingsWith = (more: Record<string, string> = {}) =>
    readSettings({ ENRICHMENT_PROVIDERS: 'none', ...environment, ...more })
  const settings = settingsWith()
  const database = await openTestDatabase(settings, connections, address)
  const { db, close } = database
  const readerOf = () => (readsApart ? {} : { fileReader: createLocalFileReader() })
  const app = await buildApp({ database, settings, log, ...(limits && { limits }), ...readerOf() })
  const secret = await authSecret(db, settings.authSecret)
  return {
    app,
    database,
    db,
    startAgain: async (more) => {
      const again = await database.openAgain()
      const second = await buildApp({ database: again, settings: settingsWith(more), log: quietLog, ...readerOf() })
      second.addHook('onClose', () => again.close())
      return second
    },
    visitor: () => new TestClient(app),
    signedIn: async ({ id }) => {
      const client = new TestClient(app)
      const token = await createSession(db, settings.session, id, { ip: '127.0.0.1', userAgent: 'lightMyRequest' })
      client.cookies.set(cookieNames(settings).session, signedToken(token, secret))
      client.cookies.set(CSRF_COOKIE, createCsrfToken(secret, storedToken(token)))
      return client
    },
    close: async () => {
      await app.close()
      await checkAuditLog(db).finally(close)
    },
    closeDatabase: close,
  }
}

type Sent = { body?: unknown; headers?: Record<string, string>; ip?: string }
export type Answered = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the shape of a body themselves
  body: any
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Calls the app like the page: keeps cookies, and sends the anti-forgery token back. */
export class TestClient {
  readonly cookies = new Map<string, string>()
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  get = (url: string, sent?: Sent) => this.call('GET', url, sent)
  post = (url: string, body?: unknown, sent?: Sent) => this.call('POST', url, { ...sent, body })
  put = (url: string, body?: unknown, sent?: Sent) => this.call('PUT', url, { ...sent, body })
  patch = (url: string, body?: unknown, sent?: Sent) => this.call('PATCH', url, { ...sent, body })
  delete = (url: string, sent?: Sent) => this.call('DELETE', url, sent)

  /** Sends a request, and requests a token first like a new page. */
  async call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, sent: Sent = {}): Promise<Answered> {
    if (method !== 'GET' && !this.cookies.has('XSRF-TOKEN')) await this.raw({ method: 'GET', url: '/api/auth/me' })
    const token = this.cookies.get('XSRF-TOKEN')
    const headers = { ...(token !== undefined && { 'x-xsrf-token': token }), ...sent.headers }
    const payload = sent.body === undefined ? {} : { payload: sent.body as object }
    const address = sent.ip === undefined ? {} : { remoteAddress: sent.ip }
    return this.raw({ method, url, headers, ...payload, ...address })
  }

  /**
   * Sends exactly this with the current cookies, stores those of the response, and fails if it does not match its
   * schema.
   */
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
