import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { copyDataFolder } from './data-folder.ts'
import { createDatabase } from './postgres-server.ts'
import { quietLog } from './quiet-log.ts'

/** `openAgain` opens the database like a second server. */
export type TestDatabase = OpenDatabase & { openAgain: () => Promise<OpenDatabase> }

/**
 * A separate database for one test file, migrated and without data. Each connection plans all statements again, so that
 * few are faster than many. `address`: one that is there, without data.
 */
export async function openTestDatabase(
  { statementTimeoutMs } = { statementTimeoutMs: 10_000 },
  connections = 3,
  address?: string,
): Promise<TestDatabase> {
  const url = address ?? (await freshDatabase())
  const open = () => openPostgres({ url, connections, statementTimeoutMs, log: quietLog })
  return { ...open(), openAgain: async () => open() }
}

/** An empty database for one test, without a schema. */
export async function openBareDatabase({ statementTimeoutMs } = { statementTimeoutMs: 30_000 }): Promise<OpenDatabase> {
  return openPostgres({ url: await bareDatabase(), connections: 5, statementTimeoutMs, log: quietLog })
}

/** The address of the same database for the superuser, for what the product's role may not do. */
export async function superuserUrl(db: Database): Promise<string> {
  const [here] = await rowsOf<{ name: string }>(db, sql`select current_database() as name`)
  const url = new URL(inject('database').url)
  url.pathname = `/${here?.name}`
  return url.href
}

export const openAsSuperuser = async (db: Database): Promise<OpenDatabase> =>
  openPostgres({ url: await superuserUrl(db), connections: 1, statementTimeoutMs: 30_000, log: quietLog })

/** The settings of a server in a separate process, on a new, migrated database. */
export const freshDatabaseSettings = async () => ({ DATABASE_URL: await freshDatabase() })

/** The same, without a schema. */
export const bareDatabaseSettings = async () => ({ DATABASE_URL: await bareDatabase() })

const bareDatabase = () => createDatabase(inject('database').url, 'template0').then(pooled)
/** The address of a migrated database without data. */
export const freshDatabase = () =>
  createDatabase(inject('database').url, new URL(inject('database').template).pathname.slice(1)).then(pooled)

/** The same address through the pooler of this run, if there is one. */
const pooled = (url: string): string => {
  const pooler = inject('pooler')
  return pooler ? Object.assign(new URL(url), { host: new URL(pooler).host }).href : url
}

/** The settings of a server with a database of its own in a data folder. */
export async function freshFolderSettings(): Promise<{ DATA_DIR: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sourcebook-server-'))
  copyDataFolder(inject('dataFolder'), folder)
  return { DATA_DIR: folder }
}
