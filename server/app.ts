import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { IMPORT_UPLOAD_SECONDS } from '#contract/import.ts'
import { api } from './api.ts'
import { apiDocument } from './api-document.ts'
import { createDeniedRequests } from './audit-log/denied-requests.ts'
import { deleteOldAddresses } from './audit-log/entries.ts'
import { deleteOldDeniedRequests } from './audit-log/visitors-denied.ts'
import { createAddressChange } from './auth/links/address-change.ts'
import { createEmailVerification } from './auth/links/email-verification.ts'
import { deleteOldTokens } from './auth/links/one-time-tokens.ts'
import { createPasswordReset } from './auth/links/password-reset.ts'
import { createGuard } from './auth/sessions/guard.ts'
import { authSecret } from './auth/sessions/secret.ts'
import { deleteOldSessions } from './auth/sessions/session.ts'
import { createAccounts } from './auth/sign-in/accounts.ts'
import { deleteOldAttempts } from './auth/sign-in/throttle.ts'
import { deleteOldInvitations } from './auth/sign-up/invitations.ts'
import { signUpPolicy } from './auth/sign-up/sign-up.ts'
import { createOpenCalls } from './auth/tokens/open-calls.ts'
import { deleteOldReads } from './auth/tokens/reads.ts'
import { createChannelJobs } from './channels/jobs.ts'
import type { OpenDatabase } from './db/database.ts'
import { createQueue } from './db/queue.ts'
import { createDigestJobs } from './digest/jobs.ts'
import { stopRoutes } from './digest/stop-routes.ts'
import { deleteOldDigestMails } from './digest/store.ts'
import { createDuplicateChecks } from './duplicates/checks.ts'
import { createEnrichment } from './enrichment/enrichment.ts'
import type { Settings } from './env.ts'
import type { App } from './http/app.ts'
import { limitBodyTime } from './http/body-time.ts'
import { answerClientError } from './http/client-errors.ts'
import { compressAnswers } from './http/compress.ts'
import { answerError } from './http/errors.ts'
import { safeHeaders } from './http/headers.ts'
import { healthRoutes } from './http/health.ts'
import { refuseUnknownHosts } from './http/host.ts'
import { deleteOldKeys } from './http/idempotency.ts'
import { readJson } from './http/json.ts'
import { logRequests, nameRequests } from './http/request-log.ts'
import { closeKeepAlive, drainOnClose } from './http/shutdown.ts'
import { isNavigation, pageRoutes } from './http/static.ts'
import { reportUntrustedForwarding } from './http/trusted-proxy.ts'
import { createUploads } from './import/http/receive.ts'
import { createImportJobs } from './import/jobs/jobs.ts'
import { createTemporaryFiles, deleteLeftOverFiles } from './import/jobs/temporary-files.ts'
import { createFileReader, type FileReader } from './import/read/process/file-reader.ts'
import { deleteOldFiles } from './import/store/file-store.ts'
import { deleteAbandonedImports } from './import/store/store.ts'
import { kinds } from './kinds.ts'
import { copyLedgerFirst } from './ledger/copy-first.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { createHub } from './live/hub.ts'
import { createMailer } from './mail/mailer.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { measureProduct } from './ops/metrics/metrics.ts'
import { purgeDeleted } from './programme/deleted/store.ts'
import { createFoldMeanwhile } from './records/fold-meanwhile.ts'
import type { Services } from './services.ts'
import { deleteUnusedTags } from './tags/unused.ts'
import { createWebhookJobs } from './webhooks/jobs.ts'

/** Time limits of a connection, so that slow clients do not pile up. */
export type ConnectionLimits = {
  headersMs: number
  requestMs: number
  quietMs: number
  checkEveryMs: number
  /** How long nothing may arrive of a file. */
  silentMs?: number
}
const LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  // Longer than any response, and longer than the pause between two heartbeats of a live stream. A client that reads
  // nothing for this long is gone. Node notices within twice that time.
  quietMs: 120_000,
  checkEveryMs: 5_000,
}
/** Limit of a JSON body. Notes of 10,000 characters with four bytes each fit twice. */
const BODY_MAX = 128 * 1024
const CLEANUP_EVERY_MS = 3_600_000

/** The whole product, not listening yet. Closing it does not close the database. */
export async function buildApp(options: {
  database: OpenDatabase
  settings: Settings
  log: FastifyBaseLogger
  limits?: ConnectionLimits
  /** Aborted when this server is about to stop. It still serves, but reports that it is not ready. */
  leaving?: AbortSignal
  /** Without one, its lines are in the database only. */
  ledger?: Ledger
  fileReader?: FileReader
}): Promise<App> {
  const { database, settings, limits = LIMITS, leaving = new AbortController().signal } = options
  const { db } = database
  const ledger = options.ledger ?? createLedger({ db, paths: [], log: options.log })
  const secret = await authSecret(db, settings.authSecret)
  const openCalls = createOpenCalls()
  const guard = createGuard({ db, settings, secret, openCalls })
  const accounts = createAccounts({ db, settings, secret })
  const mailer = settings.mail && createMailer(settings.mail, options.log)
  const mailing = { db, settings, mailer, log: options.log }
  const emailVerification = createEmailVerification(mailing)
  const passwordReset = createPasswordReset(mailing)
  const addressChange = createAddressChange(mailing)
  const hub = await createHub(database, settings, openCalls)
  const headers = safeHeaders(settings)
  const isScheduled = settings.enrichment.refreshDays !== undefined || mailer !== undefined
  const queue = createQueue({ database, log: options.log, isScheduled })
  const enrichment = createEnrichment({ database, queue, settings, log: options.log, watch: hub.watch, kinds })
  const fileReader = options.fileReader ?? createFileReader(options.log)
  const temporaryFiles = createTemporaryFiles()
  const files = { reader: fileReader, temporary: temporaryFiles }
  const importJobs = createImportJobs({ database, queue, log: options.log, kinds, enrichment, ...files })
  const digestJobs = createDigestJobs({ db, queue, mailer, settings, secret, kinds, log: options.log })
  const channelJobs = createChannelJobs({ db, settings, secret, kinds, log: options.log })
  const webhookJobs = createWebhookJobs({ db, settings, secret, log: options.log })
  const deniedRequests = createDeniedRequests({ db, log: options.log })
  const services: Services = {
    db,
    settings,
    secret,
    accounts,
    emailVerification,
    passwordReset,
    addressChange,
    mailer,
    guard,
    joinDomains: async () => (await signUpPolicy(db, settings)).rule.joinDomains ?? [],
    hub,
    enrichment,
    importJobs,
    fileReader,
    temporaryFiles,
    receiveUpload: createUploads(limits),
    deniedRequests,
    ledger,
  }

  const app: App = Fastify<RawServerDefault>({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: settings.trustProxy,
    bodyLimit: BODY_MAX,
    genReqId: nameRequests(settings),
    requestTimeout: limits.headersMs + IMPORT_UPLOAD_SECONDS * 1_000,
    connectionTimeout: limits.quietMs,
    keepAliveTimeout: 72_000,
    // A request without a host gets the refusal of an unknown one.
    http: {
      ...{ headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkEveryMs },
      requireHostHeader: false,
    },
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // No hook runs for a malformed URL. In a browser it leads to the dashboard, as any other unknown path.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers)
      if (isNavigation(request as FastifyRequest)) void reply.redirect('/')
      else void answerError(error, request as FastifyRequest, reply as FastifyReply)
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 100 },
  }).withTypeProvider<ZodTypeProvider>()

  app.server.maxConnections = settings.maxConnections
  limitBodyTime(app, limits.requestMs)
  app.setErrorHandler(answerError)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  logRequests(app, (request) => request.session?.account.id)
  reportUntrustedForwarding(app, settings, options.log)
  app.setValidatorCompiler(validatorCompiler)
  // Presenters write every field by hand, and the tests check each response against its schema. Checking again here
  // would nearly double the cost of a list.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  readJson(app)
  copyLedgerFirst(app, ledger)
  compressAnswers(app)

  if (settings.metrics) measureProduct(app, services, database, settings.metrics)
  // Hooks of responses read cookies, also of refused requests.
  await app.register(cookie)
  refuseUnknownHosts(app, settings)
  await app.register(swagger, apiDocument)
  await app.register(api, { prefix: '/api', services })
  await stopRoutes(app, services)
  await mcpRoutes(app, services)
  healthRoutes(app, services, leaving)
  await pageRoutes(app, services)

  const duplicateChecks = createDuplicateChecks(db, kinds, options.log)
  const folding = createFoldMeanwhile(db, options.log)
  let cleaning = Promise.resolve()
  const clean = () => {
    cleaning = deleteOldRows(services, app)
  }
  const cleanup = setInterval(clean, CLEANUP_EVERY_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(cleanup)
    await cleaning
  })
  app.addHook('onListen', async () => {
    // Not only by the clock: a server may be restarted more often than that.
    clean()
    duplicateChecks.start()
    // Another process may be of the version before.
    folding.start()
    channelJobs.start()
    webhookJobs.start()
    deleteLeftOverFiles().catch((error) => app.log.warn({ err: error }, 'Temporary files could not be deleted'))
    for (const jobs of [enrichment, importJobs, digestJobs]) {
      jobs.warmUp().catch((error) => app.log.error({ err: error }, 'The queue of jobs could not be opened'))
    }
  })
  // Without a grace period no connection is closed early: closing could cut off a new one.
  if (settings.stopGraceMs > 0) closeKeepAlive(app, leaving)
  drainOnClose(app)
  // Live streams never end by themselves. Everything else continues until the last request is answered.
  app.addHook('preClose', async () => hub.endStreams())
  // A request that waits for a file to be read is answered with a 503.
  app.addHook('preClose', async () => fileReader.close())
  app.addHook('onClose', async () => {
    await digestJobs.close()
    await channelJobs.close()
    await webhookJobs.close()
    mailer?.close()
    await duplicateChecks.stop()
    await folding.stop()
    await enrichment.close()
    await importJobs.close()
    await temporaryFiles.close()
    await queue.close()
    await deniedRequests.close()
    await hub.close()
    openCalls.stop()
  })
  return app
}

async function deleteOldRows({ db, settings }: Services, app: App) {
  try {
    await deleteOldSessions(db, settings.session)
    await deleteOldAttempts(db)
    await deleteOldTokens(db)
    await deleteOldInvitations(db)
    await deleteOldKeys(db)
    await deleteOldReads(db)
    await deleteOldDeniedRequests(db)
    await deleteOldFiles(db)
    await purgeDeleted(db)
    await deleteUnusedTags(db)
    await deleteOldDigestMails(db)
    await deleteOldAddresses(db, settings.auditIpDays)
    await deleteAbandonedImports(db)
  } catch (error) {
    app.log.warn({ err: error }, 'Expired rows could not be deleted; the next run tries again')
  }
}
