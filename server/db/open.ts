import { drizzle } from 'drizzle-orm/pglite'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import type { OpenDatabase } from './database.ts'
import { type EmbeddedClient, openEmbedded } from './embedded/client.ts'
import { migrate, readMigrations } from './migrate.ts'
import * as schema from './schema.ts'

/** Opens the database of the settings and brings its schema up to date. Throws a `StartupError` for people. */
export async function openDatabase(
  settings: Settings,
  log: Log,
  onLost: (reason: Error) => void,
): Promise<OpenDatabase> {
  const database = settings.databaseUrl
    ? (await import('./postgres.ts')).openPostgres({
        url: settings.databaseUrl,
        connections: settings.databasePool,
        statementTimeoutMs: settings.statementTimeoutMs,
        log,
      })
    : await openEmbeddedDatabase(settings, log, onLost)
  try {
    await migrate(database.db, await readMigrations())
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The embedded database in the shape that both kinds share. */
export function overEmbedded(client: EmbeddedClient): OpenDatabase {
  return {
    db: drizzle(client as never, { schema }),
    isShared: false,
    execute: async (text, values) => {
      if (values?.length) return client.query(text, values)
      return { rows: (await client.exec(text)).flatMap(({ rows }) => rows) }
    },
    listen: async (channels) => {
      const stops = await Promise.all(Object.entries(channels).map(([channel, heard]) => client.listen(channel, heard)))
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
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
