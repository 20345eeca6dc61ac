import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { jsonSchemaTransform, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { openAccounts } from './auth/accounts.ts'
import { cookieNames, makeGuard } from './auth/guard.ts'
import { authRoutes } from './auth/routes.ts'
import { authSecret } from './auth/secret.ts'
import { forgetOldSessions } from './auth/session.ts'
import { forgetOldTries } from './auth/throttle.ts'
import { companyEnrichment } from './companies/enrichment.ts'
import { companyRoutes } from './companies/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import type { OpenDatabase } from './db/database.ts'
import { openEnrichment } from './enrichment/enrichment.ts'
import type { Settings } from './env.ts'
import { answerError, notFound } from './errors.ts'
import { founderEnrichment } from './founders/enrichment.ts'
import { founderRoutes } from './founders/routes.ts'
import { healthRoutes } from './health.ts'
import { readJson } from './json.ts'
import { type Hub, openHub } from './live/hub.ts'
import { liveRoutes } from './live/routes.ts'
import { noteRoutes } from './notes/routes.ts'
import { pageRoutes } from './page.ts'
import type { App, Services } from './services.ts'

/** JSON bodies; notes of 10,000 characters of four bytes each fit in twice over. */
const BODY_MAX = 128 * 1024
const TIDY_EVERY_MS = 3_600_000

/** The whole product, not listening yet. Closing it does not close the database. */
export async function buildApp(options: {
  database: OpenDatabase
  settings: Settings
  log: FastifyBaseLogger
}): Promise<App> {
  const { database, settings } = options
  const { db } = database
  const secret = await authSecret(db, settings.authSecret)
  const guard = makeGuard({ db, settings, secret })
  const accounts = openAccounts({ db, settings, secret, sessionCookie: cookieNames(settings).session })
  const hub = await openHub(database, settings)
  const kinds = [founderEnrichment, companyEnrichment]
  const enrichment = openEnrichment({ database, settings, log: options.log, hub, kinds })
  const services: Services = { db, settings, accounts, guard, hub, enrichment }

  const app: App = Fastify<RawServerDefault>({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy,
    bodyLimit: BODY_MAX,
    genReqId: () => randomUUID(),
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request as FastifyRequest, reply as FastifyReply),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 100 },
  }).withTypeProvider<ZodTypeProvider>()

  app.setErrorHandler(answerError)
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug({ method: request.method, path: request.routeOptions.url, status: reply.statusCode }, 'answered')
  })
  app.setValidatorCompiler(validatorCompiler)
  // Presenters write every field by hand and the tests hold each answer against its schema; checking again here would
  // nearly double the cost of a list.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  readJson(app)

  await app.register(cookie)
  await app.register(swagger, {
    openapi: { info: { title: 'Sourcebook', version: '1' } },
    transform: jsonSchemaTransform,
  })
  await app.register(api, { prefix: '/api', services })
  healthRoutes(app, services)
  await pageRoutes(app, settings)

  const tidy = setInterval(() => void tidyUp(services, app), TIDY_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(tidy))
  app.addHook('onListen', async () => {
    accounts.warmUp().catch((error) => app.log.error({ err: error }, 'Better Auth could not be loaded'))
  })
  app.addHook('onListen', async () => {
    enrichment.warmUp().catch((error) => app.log.error({ err: error }, 'The queue of enrichment could not be opened'))
  })
  app.addHook('preClose', async () => {
    await enrichment.close()
    await endConnections(app, hub)
  })
  return app
}

/** The public scope, and in it the signed-in one. Each feature is registered here by name. */
async function api(app: App, { services }: { services: Services }) {
  const { guard } = services
  app.decorateRequest('session', undefined)
  app.decorateReply('hasFreshToken', false)
  app.addHook('onRequest', (request, reply) => guard.identify(request, reply))
  app.addHook('preValidation', (request) => guard.refuseForgery(request))
  app.addHook('onSend', (request, reply) => guard.keepToken(request, reply))
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setNotFoundHandler(() => {
    throw notFound('There is nothing at this address')
  })

  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  authRoutes(app, services)
  await app.register(async (signedIn: App) => {
    signedIn.addHook('preValidation', (request) => guard.requireAccount(request))
    founderRoutes(signedIn, services)
    companyRoutes(signedIn, services)
    noteRoutes(signedIn, services)
    dashboardRoutes(signedIn, services)
    liveRoutes(signedIn, services)
  })
}

/**
 * The server waits for its connections to end. A live stream would never end by itself, and a connection whose last
 * answer was under way would be kept for the next one.
 */
async function endConnections(app: App, hub: Hub) {
  await hub.close()
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  app.server.once('close', () => clearInterval(sweep))
}

async function tidyUp({ db, settings }: Services, app: App) {
  try {
    await forgetOldSessions(db, settings.session)
    await forgetOldTries(db)
  } catch (error) {
    app.log.warn({ err: error }, 'Old sessions could not be deleted; the next round tries again')
  }
}
