import type { OpenDatabase } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { createHostCheck } from '#server/http/host.ts'
import { newestBackupAt } from '#server/ops/backup/schedule.ts'
import type { Services } from '#server/services.ts'
import { subscribe } from '#server/telemetry.ts'
import { createInstruments } from './instruments.ts'
import { measureProcess } from './process.ts'
import { serveMetrics } from './serve.ts'

/** Bounds in seconds that separate fast responses from slow ones. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10]

/**
 * Measures the product and serves the metrics on a port of its own. Labels are route patterns and our own words, never
 * data.
 */
export function measureProduct(
  app: App,
  { hub, enrichment, settings }: Services,
  database: OpenDatabase,
  listen: { host: string; port: number },
) {
  const instruments = createInstruments()
  const { gauge, counter, histogram } = instruments
  measureAnswers(app, instruments)
  const stops = [measureProcess(instruments)]

  const statements = histogram(
    'sourcebook_statement_seconds',
    'Duration of statements, including their wait for the database.',
    STATEMENT_SECONDS,
  )
  stops.push(subscribe('statement', ({ seconds }) => statements.observe(seconds)))
  const hashes = histogram('sourcebook_hash_seconds', 'Duration of hashing or checking a password.', STATEMENT_SECONDS)
  stops.push(subscribe('hash', ({ seconds }) => hashes.observe(seconds)))
  const { connections } = database
  gauge('sourcebook_database_connections', 'Connections of this process to the database.', () => {
    const { open, idle } = connections()
    return [
      { labels: { state: 'busy' }, value: open - idle },
      { labels: { state: 'idle' }, value: idle },
    ]
  })
  gauge('sourcebook_database_waiting', 'Callers waiting for a connection.', () => [{ value: connections().waiting }])

  gauge('sourcebook_streams', 'Open live streams.', () => [{ value: hub.size() }])
  gauge('sourcebook_enrichment_queue', 'Runs that wait or run, across all processes.', async () => {
    const { waiting, running } = await enrichment.queued()
    return [
      { labels: { state: 'waiting' }, value: waiting },
      { labels: { state: 'running' }, value: running },
    ]
  })
  const answers = counter('sourcebook_enrichment_answers_total', 'Responses of providers, by result.')
  stops.push(subscribe('provider', ({ provider, result }) => answers.add({ provider, result })))

  const mails = counter('sourcebook_mails_total', 'Mails, by whether the mail server accepted them.')
  stops.push(subscribe('mail', (labels) => mails.add(labels)))
  const backups = counter('sourcebook_backups_total', 'Scheduled backups of this process, by result.')
  stops.push(subscribe('backup', (labels) => backups.add(labels)))
  gauge('sourcebook_newest_backup_timestamp_seconds', 'When the newest scheduled backup was made.', async () => {
    const at = await newestBackupAt(database.db)
    return at === undefined ? [] : [{ value: at }]
  })

  app.addHook('onReady', async () => {
    stops.push(await serveMetrics(listen, createHostCheck(settings, listen.host), instruments.text))
  })
  app.addHook('onClose', async () => {
    for (const stop of stops) await stop()
  })
}

function measureAnswers(app: App, { gauge, counter, histogram }: ReturnType<typeof createInstruments>) {
  const times = histogram(
    'sourcebook_http_request_seconds',
    'Duration of requests, by route and status class.',
    ANSWER_SECONDS,
  )
  const throttled = counter('sourcebook_http_throttled_total', 'Requests refused for now (429 or 503), by status.')
  let inFlight = 0
  gauge('sourcebook_http_requests_in_flight', 'Requests in flight.', () => [{ value: inFlight }])
  gauge('sourcebook_http_connections', 'Open connections.', async () => [
    { value: await new Promise<number>((done) => app.server.getConnections((_error, count) => done(count ?? 0))) },
  ])

  app.addHook('onRequest', async (request) => {
    if (!request.routeOptions.config.isStream) inFlight += 1
  })
  app.addHook('onResponse', async (request, reply) => {
    // A stream lasts as long as its reader stays, so its duration does not measure speed.
    if (request.routeOptions.config.isStream) return
    inFlight -= 1
    const status = reply.statusCode
    const labels = {
      method: request.method,
      route: routeOf(request.routeOptions.url),
      status: `${Math.floor(status / 100)}xx`,
    }
    times.observe(reply.elapsedTime / 1000, labels)
    if (status === 429 || status === 503) throttled.add({ status: String(status) })
  })
}

/** Each file of the page has a route of its own. Together they count as the page. */
const routeOf = (url: string | undefined) =>
  url === undefined ? 'none' : /^\/(api\/|healthz|readyz)/.test(url) ? url : 'page'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A response that lasts as long as its reader stays. */
    isStream?: true
  }
}
