import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { openEmbedded } from '#server/db/embedded/client.ts'
import { overEmbedded } from '#server/db/open.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { copyDataFolder } from './embedded-templates.ts'
import { quietLog } from './quiet-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database of this run of the suite. */
    database: { kind: 'embedded' } | { kind: 'postgres'; url: string; template: string }
  }
}

declare const WebAssembly: { compile: (bytes: Uint8Array) => Promise<object> }

/**
 * PGlite's program. While it is referenced, the threads of all databases of this process share its machine code.
 * Otherwise each one compiles it again, which costs more than most test files.
 */
export const PROGRAM = await WebAssembly.compile(
  await readFile(join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm')),
)

/** `openAgain` opens the database like a second server. */
export type TestDatabase = OpenDatabase & { openAgain: () => Promise<OpenDatabase> }

/** A separate database for one test file, migrated and without data. Only a run on PostgreSQL has both kinds. */
export async function openTestDatabase(
  kind: DatabaseKind = inject('database').kind,
  { statementTimeoutMs } = { statementTimeoutMs: 10_000 },
): Promise<TestDatabase> {
  const made = inject('database')
  if (kind === 'embedded' || made.kind === 'embedded') {
    const database = await openFrom(inject('embedded').migrated, statementTimeoutMs)
    // Only one process may open an embedded database, so a second server on it runs in this process.
    return { ...database, openAgain: async () => ({ ...database, close: async () => {} }) }
  }
  const url = await createDatabase(made.url, made.template)
  const open = () => openPostgres({ url, connections: 5, statementTimeoutMs, log: quietLog })
  return { ...open(), openAgain: async () => open() }
}

async function openFrom(dump: string, statementTimeoutMs: number): Promise<OpenDatabase> {
  const client = await openEmbedded({
    folder: undefined,
    snapshot: new Blob([await readFile(dump)]),
    statementTimeoutMs,
    onLost: (reason) => {
      throw reason
    },
    log: quietLog,
  })
  return overEmbedded(client)
}

export type DatabaseKind = 'embedded' | 'postgres'

/** An empty database for one test, without a schema. Only a run on PostgreSQL has both kinds. */
export async function openBareDatabase(
  kind: DatabaseKind = inject('database').kind,
  { statementTimeoutMs } = { statementTimeoutMs: 30_000 },
): Promise<OpenDatabase> {
  const made = inject('database')
  if (kind === 'embedded') return openFrom(inject('embedded').bare, statementTimeoutMs)
  if (made.kind === 'embedded') throw new Error('No PostgreSQL was started for this run')
  const url = await createDatabase(made.url, 'template0')
  return openPostgres({ url, connections: 5, statementTimeoutMs, log: quietLog })
}

/** The settings of a server in a separate process, on a new, migrated database. */
export async function freshDatabaseSettings(): Promise<Record<string, string>> {
  const made = inject('database')
  if (made.kind === 'postgres') return { DATABASE_URL: await createDatabase(made.url, made.template) }
  const folder = await mkdtemp(join(tmpdir(), 'sourcebook-server-'))
  copyDataFolder(inject('embedded'), folder)
  return { DATA_DIR: folder }
}

/** The same, without a schema. */
export async function bareDatabaseSettings(): Promise<Record<string, string>> {
  const made = inject('database')
  if (made.kind === 'postgres') return { DATABASE_URL: await createDatabase(made.url, 'template0') }
  return { DATA_DIR: await mkdtemp(join(tmpdir(), 'sourcebook-server-')) }
}

/** The address of a new migrated database on the PostgreSQL of this run. */
export async function createDatabase(adminUrl: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${name} template ${template}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
