import type { OpenDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { type PostgresServer, startPostgres } from '#server/test/postgres-server.ts'
import { quietLog } from '#server/test/quiet-log.ts'

// A long transaction in any database of a server holds the feed back, so these tests have a server of their own.

export const openAt = (url: string, connections = 3): OpenDatabase =>
  openPostgres({ url, connections, statementTimeoutMs: 10_000, log: quietLog })

export type FeedServer = PostgresServer & { migrated: () => Promise<string> }

export async function startFeedServer(options: Parameters<typeof startPostgres>[0] = {}): Promise<FeedServer> {
  const server = await startPostgres(options)
  return {
    ...server,
    /** The address of a migrated database without data. */
    migrated: async () => {
      const url = await server.newDatabase()
      const database = openAt(url)
      await migrate(database.db)
      await installQueues(database)
      await database.close()
      return url
    },
  }
}
