import type { TestProject } from 'vitest/node'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { installQueues } from './install-queues.ts'
import { startPostgres } from './postgres-server.ts'
import { quietLog } from './quiet-log.ts'

const TEMPLATE = 'template1'

/** Starts a PostgreSQL and migrates its template once; every test file gets a copy of that. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  const template = openPostgres({
    url: server.url(TEMPLATE),
    connections: 2,
    statementTimeoutMs: 30_000,
    log: quietLog,
  })
  await migrate(template.db, await readMigrations())
  await installQueues(template)
  await template.close()
  project.provide('database', { kind: 'postgres', url: server.url('postgres'), template: TEMPLATE })
  return () => server.stop()
}
