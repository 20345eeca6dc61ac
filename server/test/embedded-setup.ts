import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '#server/db/embedded/client.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { overEmbedded } from '#server/db/open.ts'
import { installQueues } from './install-queues.ts'
import { quietLog } from './quiet-log.ts'

/** Migrates an embedded database once; every test file starts from a copy of it. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'sourcebook-snapshot-'))
  const snapshot = join(folder, 'database.tar')
  const client = await openEmbedded({
    folder: undefined,
    statementTimeoutMs: 30_000,
    onLost: (reason) => {
      throw reason
    },
    log: quietLog,
  })
  const database = overEmbedded(client)
  await migrate(database.db, await readMigrations())
  await installQueues(database)
  await writeFile(snapshot, Buffer.from(await (await client.dump()).arrayBuffer()))
  await client.close()
  project.provide('database', { kind: 'embedded', snapshot })
  return () => rm(folder, { recursive: true, force: true })
}
