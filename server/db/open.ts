import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { sqlState } from '#server/sql-state.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Database, firstCause, isConnectionError, type OpenDatabase } from './database.ts'
import { type EmbeddedClient, openEmbedded } from './embedded/client.ts'
import { drizzleOn } from './embedded/drizzle.ts'
import { migrate } from './migrate.ts'

/** Opens the database of the settings and brings its schema up to date. Throws a `StartupError` for people. */
export async function openDatabase(
  settings: Settings,
  log: Log,
  onLost: (reason: Error) => void,
): Promise<OpenDatabase> {
  const database = await openAsItIs(settings, log, onLost)
  try {
    if (settings.databaseUrl && settings.databaseOwnerUrl) await migrateByOwner(settings, database, log)
    else await database.withoutTimeout(() => migrate(database.db))
    return database
  } catch (error) {
    await database.close()
    throw settings.databaseUrl ? inASentence(error, settings.databaseUrl) : error
  }
}

async function migrateByOwner(settings: Settings, product: OpenDatabase, log: Log) {
  const [{ openPostgres }, { migrateAsOwner }] = await Promise.all([import('./postgres.ts'), import('./owner.ts')])
  const owner = openPostgres({
    url: settings.databaseOwnerUrl as string,
    connections: 1,
    statementTimeoutMs: settings.statementTimeoutMs,
    log,
  })
  try {
    await migrateAsOwner(owner, product)
  } finally {
    await owner.close()
  }
}

/** Opens the database of the settings with any schema, or none. */
export async function openAsItIs(settings: Settings, log: Log, onLost: (reason: Error) => void): Promise<OpenDatabase> {
  return settings.databaseUrl
    ? (await import('./postgres.ts')).openPostgres({
        url: settings.databaseUrl,
        connections: settings.databasePool,
        statementTimeoutMs: settings.statementTimeoutMs,
        log,
      })
    : await openEmbeddedDatabase(settings, log, onLost)
}

/** The reason why a PostgreSQL cannot be used, if an operator can fix it. */
function inASentence(error: unknown, databaseUrl: string): unknown {
  const { message } = firstCause(error)
  const state = sqlState(error)
  if (error instanceof StartupError || !(state ? /^(08|28|3D|53|57P)/.test(state) : isConnectionError(error)))
    return error
  // Not the whole URL: it contains the password.
  const host = URL.parse(databaseUrl)?.host
  return new StartupError(`The database at ${host} cannot be used (${message}). Start it, or correct DATABASE_URL.`)
}

/** The embedded database behind the interface that both kinds share. */
export function overEmbedded(client: EmbeddedClient): OpenDatabase {
  const db: Database = drizzleOn(client)
  return {
    db,
    isShared: false,
    execute: async (text, values) => {
      if (values?.length) return client.query(text, values)
      return { rows: (await client.exec(text)).flatMap(({ rows }) => rows) }
    },
    listen: async (channels, onGap) => {
      const stops = await Promise.all(
        Object.entries(channels).map(([channel, callback]) => client.listen(channel, callback, onGap)),
      )
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
    snapshot: async (read) => {
      const copy = await client.openCopy()
      return overEmbedded(copy)
        .db.transaction(read)
        .finally(() => copy.close())
    },
    withoutTimeout: (work) => client.withoutTimeout(work),
    close: () => client.close(),
  }
}

async function openEmbeddedDatabase(
  { dataDir, statementTimeoutMs }: Settings,
  log: Log,
  onLost: (reason: Error) => void,
) {
  const client = await openEmbedded({ folder: dataDir, statementTimeoutMs, onLost, log })
  return overEmbedded(client)
}
