import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Log } from '#server/log.ts'
import type { OpenDatabase } from './database.ts'
import { listenOn } from './postgres-listen.ts'
import * as schema from './schema.ts'

/** Opens a pool on any PostgreSQL. Nothing waits for ever: not for a connection, a statement, a lock or a commit. */
export function openPostgres(options: {
  url: string
  connections: number
  statementTimeoutMs: number
  log: Log
}): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'sourcebook',
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'An idle database connection was lost'))
  return {
    db: drizzle(pool, { schema }),
    isShared: true,
    execute: async (text, values) => {
      const results: pg.QueryResult | pg.QueryResult[] = await pool.query(text, values?.length ? values : undefined)
      return { rows: [results].flat().flatMap(({ rows }) => rows) }
    },
    listen: listenOn(options.url, options.log),
    close: () => pool.end(),
  }
}
