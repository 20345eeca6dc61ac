import { cpSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedClient, openEmbedded } from '#server/db/embedded/client.ts'
import { migrate } from '#server/db/migrate.ts'
import { overEmbedded } from '#server/db/open.ts'
import { installQueues } from './install-queues.ts'
import { quietLog } from './quiet-log.ts'

/** Embedded databases for tests to start from, because creating one takes seconds. All are paths. */
export type EmbeddedTemplates = {
  /** A dump of an empty one. */
  bare: string
  /** A dump of a migrated one without data. */
  migrated: string
  /** The data folder of the same one, after a clean stop. */
  folder: string
}

export async function makeTemplates(place: string): Promise<EmbeddedTemplates> {
  const templates = {
    bare: join(place, 'bare.tar'),
    migrated: join(place, 'migrated.tar'),
    folder: join(place, 'data'),
  }
  const client = await openEmbedded({
    folder: templates.folder,
    statementTimeoutMs: 30_000,
    onLost: (reason) => {
      throw reason
    },
    log: quietLog,
  })
  // The databases that PostgreSQL copies new ones from: half of what every test would read, and nothing uses them.
  await client.query('update pg_database set datistemplate = false')
  await client.exec('drop database template0')
  await client.exec('drop database template1')
  await keepDump(client, templates.bare)
  const database = overEmbedded(client)
  await migrate(database.db)
  await installQueues(database)
  await keepDump(client, templates.migrated)
  await client.close()
  return templates
}

async function keepDump(client: EmbeddedClient, file: string): Promise<void> {
  await writeFile(file, Buffer.from(await (await client.dump()).arrayBuffer()))
}

/** Creates the data folder of a server that has started before, without a secret or a row in it. */
export function copyDataFolder({ folder }: Pick<EmbeddedTemplates, 'folder'>, to: string): void {
  cpSync(folder, to, { recursive: true })
}
