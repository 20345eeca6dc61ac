import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { readSettings } from '#server/ops/settings.ts'
import { installQueues } from './install-queues.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres } from './postgres-server.ts'
import { quietLog } from './quiet-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this run, for its superuser, and the product's address of the migrated database. */
    database: { url: string; template: string }
    /** The address of a PgBouncer before it, if the path of one is in PGBOUNCER: databases of tests are behind it then. */
    pooler: string | undefined
    /** A data folder that tests copy. */
    dataFolder: string
  }
}

/** Statistics that come by the clock would make plans differ from one run to the next. */
const EVEN = { autovacuum: 'off' }

/** Makes what every test starts from a copy of, once a run. */
export default async function setup(project: TestProject) {
  const place = await mkdtemp(join(tmpdir(), 'sourcebook-templates-'))
  const folder = join(place, 'data')
  const [server] = await Promise.all([startPostgres({ settings: EVEN }), makeDataFolder(folder)])
  const template = await server.newDatabase('template0')
  const database = openPostgres({ url: template, connections: 2, statementTimeoutMs: 30_000, log: quietLog })
  await migrate(database.db)
  await installQueues(database)
  await database.close()
  const { PGBOUNCER } = process.env
  const pooler = PGBOUNCER ? await startPgBouncer(PGBOUNCER, server.url('postgres')) : undefined
  project.provide('pooler', pooler?.through(template))
  project.provide('dataFolder', folder)
  project.provide('database', { url: server.url('postgres'), template })
  return async () => {
    await pooler?.stop()
    // Its folder has hundreds of databases, which are deleted once this process has ended.
    await server.end('SIGQUIT')
    await rm(place, { recursive: true, force: true })
  }
}

/** The data folder of a server that has started before, without a secret or a row in it. */
async function makeDataFolder(folder: string): Promise<void> {
  const database = await openDatabase(readSettings({ DATA_DIR: folder }), quietLog, (reason) => {
    throw reason
  })
  await installQueues(database)
  await database.close()
}
