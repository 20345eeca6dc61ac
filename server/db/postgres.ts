import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Log } from '#server/log.ts'
import { hasSubscribers, publish } from '#server/telemetry.ts'
import { IS_STANDBY, type OpenDatabase } from './database.ts'
import { APPLICATION_NAME, type Echo, KEEPALIVES, listenOn, settingCalls } from './postgres-listen.ts'
import { drizzleOn } from './postgres-transaction.ts'
import { watchConnections } from './postgres-watch.ts'

/** Limits the wait for a connection. Together with a watched wait for a response it is shorter than a person waits. */
const CONNECTION_WITHIN_MS = 4_000

/** A pooler lets a client in that it then keeps waiting for a server: with a statement that hangs, a person waits for both. */
const SETTINGS_WITHIN_MS = 2_000

/** How long a statement waits for a lock. */
export const LOCK_TIMEOUT_MS = 4_000

/** Sets the limits of a new connection, in one round trip. */
const connectionSettings = (statementTimeoutMs: number): pg.QueryConfig & { query_timeout: number } => {
  const settings = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 15_000,
    // Queries here take milliseconds; JIT compilation of one, or starting its parallel workers, takes longer.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    ...KEEPALIVES,
  }
  const text = `select pg_is_in_recovery() as "isStandby", ${settingCalls(settings)}`
  return { text, query_timeout: SETTINGS_WITHIN_MS }
}

/** Opens a pool on any PostgreSQL. Every wait has a limit: for a connection, a statement, a lock or a commit. */
export function openPostgres(options: {
  url: string
  connections: number
  statementTimeoutMs: number
  log: Log
  echo?: Echo
}): OpenDatabase {
  const pool = new pg.Pool({
    Client: TimedClient,
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: CONNECTION_WITHIN_MS,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: APPLICATION_NAME,
    // Awaited before the first use of a connection. Not parameters of the start: PgBouncer refuses those.
    onConnect: async (client) => {
      const { rows } = await client.query(connectionSettings(options.statementTimeoutMs))
      if (rows[0].isStandby) throw new Error(IS_STANDBY)
    },
  })
  // The pool replaces a connection that breaks while idle. Without a listener, the error would end the process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'An idle database connection was lost'))
  // In a transaction, a broken connection fails its current statement. This listener covers the time between
  // statements.
  pool.on('connect', (client) => client.on('error', () => {}).on('notice', closeUnreplicated(client, options.log)))
  const stopWatching = watchConnections(pool, {
    connect: () => new pg.Client({ connectionString: options.url, application_name: 'sourcebook health probe' }),
    log: options.log,
  })
  const db = drizzleOn(pool)
  return {
    db,
    execute: async (text, values) => {
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values?.length ? values : undefined)
      return { rows: [results].flat().flatMap(({ rows }) => rows) }
    },
    listen: listenOn({
      url: options.url,
      log: options.log,
      notify: async (channel) => void (await pool.query('select pg_notify($1, $2)', [channel, ''])),
      ...options.echo,
    }),
    snapshot: (read) =>
      db.transaction(
        async (tx) => {
          // The reader writes to a disk between two statements, and waits for that as long as it has to.
          await tx.execute(sql`set local statement_timeout = 0`)
          await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
          return read(tx)
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      ),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      stopWatching()
      // It does not wait for the ends of its connections, which a database that stops meanwhile ends by itself.
      pool.removeAllListeners('error').on('error', () => {})
      await pool.end()
    },
  }
}

/** The function of PostgreSQL that waits for a synchronous standby. Its texts may be in any language. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

/**
 * PostgreSQL reports a commit as done, with a warning, when the wait for a synchronous standby is cancelled. The change would be lost
 * with its server, so the caller gets a lost connection instead, and asks again.
 */
const closeUnreplicated =
  (client: pg.PoolClient, log: Log) =>
  ({ routine }: { routine: string | undefined }) => {
    if (routine !== WAIT_FOR_STANDBY) return
    log.warn('The wait of a commit for a standby was cancelled; its connection was closed')
    // The end of a stream comes later than the response, which may have arrived with the notice.
    client.connection.emit('error', new Error('Connection terminated unexpectedly'))
    client.connection.stream.destroy()
  }

/**
 * Publishes how long each statement took, while there are subscribers. A pool queries with a callback, a transaction
 * with a promise.
 */
class TimedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen ways of being called, and all pass through here
  override query(...given: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const ask = (super.query as any).bind(this)
    if (!hasSubscribers('statement')) return ask(...given)
    const began = performance.now()
    const ended = () => publish('statement', { seconds: (performance.now() - began) / 1000 })
    const callback = given.at(-1)
    if (typeof callback === 'function') {
      return ask(...given.slice(0, -1), (...answer: unknown[]) => {
        ended()
        callback(...answer)
      })
    }
    const asked = ask(...given)
    if (asked instanceof Promise) asked.then(ended, ended)
    return asked
  }
}
