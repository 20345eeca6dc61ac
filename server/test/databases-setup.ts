import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { type EmbeddedTemplates, makeTemplates } from './embedded-templates.ts'
import { installQueues } from './install-queues.ts'
import { startPostgres } from './postgres-server.ts'
import { quietLog } from './quiet-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embedded: EmbeddedTemplates
  }
}

const TEMPLATE = 'template1'

/** Makes what every test starts from a copy of, once a run: embedded databases, and a PostgreSQL if its project runs. */
export default async function setup(project: TestProject) {
  const place = await mkdtemp(join(tmpdir(), 'sourcebook-templates-'))
  const onPostgres = project.vitest.projects.find(({ name }) => name === 'PostgreSQL')
  const [templates, server] = await Promise.all([makeTemplates(place), onPostgres && startMigrated()])
  project.provide('embedded', templates)
  if (server) onPostgres?.provide('database', { kind: 'postgres', url: server.url('postgres'), template: TEMPLATE })
  return async () => {
    await server?.stop()
    await rm(place, { recursive: true, force: true })
  }
}

async function startMigrated() {
  const server = await startPostgres()
  const template = openPostgres({
    url: server.url(TEMPLATE),
    connections: 2,
    statementTimeoutMs: 30_000,
    log: quietLog,
  })
  await migrate(template.db)
  await installQueues(template)
  await template.close()
  return server
}
