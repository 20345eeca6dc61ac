import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { copyDataFolder } from './data-folder.ts'
import { createDatabase } from './postgres-server.ts'
import { quietLog } from './quiet-log.ts'

/** `openAgain` opens the database like a second server. */
export type TestDatabase = OpenDatabase & { openAgain: () => Promise<OpenDatabase> }

/** A separate database for one test file, migrated and without data. */
export async function openTestDatabase({ statementTimeoutMs } = { statementTimeoutMs: 10_000 }): Promise<TestDatabase> {
  const url = await freshDatabase()
  const open = () => openPostgres({ url, connections: 5, statementTimeoutMs, log: quietLog })
  return { ...open(), openAgain: async () => open() }
}

/** An empty database for one test, without a schema. */
export async function openBareDatabase({ statementTimeoutMs } = { statementTimeoutMs: 30_000 }): Promise<OpenDatabase> {
  return openPostgres({ url: await bareDatabase(), connections: 5, statementTimeoutMs, log: quietLog })
}

/** The settings of a server in a separate process, on a new, migrated database. */
export const freshDatabaseSettings = async () => ({ DATABASE_URL: await freshDatabase() })

/** The same, without a schema. */
export const bareDatabaseSettings = async () => ({ DATABASE_URL: await bareDatabase() })

const bareDatabase = () => createDatabase(inject('database').url, 'template0')
/** The address of a migrated database without data. */
export const freshDatabase = () =>
  createDatabase(inject('database').url, new URL(inject('database').template).pathname.slice(1))

/** The settings of a server with a database of its own in a data folder. */
export async function freshFolderSettings(): Promise<{ DATA_DIR: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sourcebook-server-'))
  copyDataFolder(inject('dataFolder'), folder)
  return { DATA_DIR: folder }
}
