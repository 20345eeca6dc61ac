import { access, constants } from 'node:fs/promises'
import { type SQL, sql } from 'drizzle-orm'
import { kinds } from '#contract/kinds.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import type { Settings } from '#server/env.ts'
import { checkBackup } from '#server/ops/backup/read.ts'
import { failedBackupAt, newestBackup } from '#server/ops/backup/schedule.ts'
import { schemaOf } from '#server/ops/backup/tables.ts'
import { VERSION } from '#server/version.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { wrapped } from '../lines.ts'

export const status: Command = {
  name: 'status',
  usage: '',
  summary: 'shows the version, the database and how much it holds',
  takesAnySchema: true,
  async run({ db, settings, out, signal }, args) {
    if (args.length > 0) return EXIT_USAGE
    const line = (name: string, value: string) => out(wrapped(`${name.padEnd(12)}${value}`, ' '.repeat(12)).join('\n'))
    const [about] = await rowsOf<{ bytes: number; postgres: string }>(
      db,
      sql`select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as postgres`,
    )
    line('Sourcebook', VERSION)
    line('Database', `PostgreSQL ${about?.postgres}${settings.databaseUrl ? '' : `, embedded, in ${settings.dataDir}`}`)
    line('Size', `${((about?.bytes ?? 0) / 1e6).toFixed(1)} MB`)
    line('Schema', await schemaInWords(db))
    const backup = (await isThere(db, 'settings')) ? await backupInWords(db, settings, signal) : undefined
    if (backup) line('Backup', backup)
    line('Accounts', await count(db, 'accounts'))
    for (const { name, plural } of kinds) line(plural, await count(db, 'records', sql`kind = ${name}`))
    line('Notes', await count(db, 'notes'))
    return 0
  },
}

/** The newest scheduled backup, and what is wrong with it; undefined without any. */
async function backupInWords(db: Database, { backup, databaseUrl }: Settings, signal: AbortSignal) {
  const [newest, failedAt] = [await newestBackup(db), await failedBackupAt(db)]
  if (newest === undefined && backup === undefined) return undefined
  const failed = failedAt === undefined ? '' : `; the last attempt failed at ${failedAt}, and the log says why`
  if (newest === undefined) return `none yet in ${backup?.dir}${failed}`
  return `${newest}${await problemOf(newest, databaseUrl !== undefined, signal)}${failed}`
}

/** Reads the whole file. Where several machines share the database, each has its own files. */
async function problemOf(file: string, isShared: boolean, signal: AbortSignal): Promise<string> {
  const code = await access(file, constants.R_OK).then(
    () => undefined,
    (error) => error.code,
  )
  if (code === 'ENOENT') return isShared ? '; it is gone, or on another machine' : '; it is gone'
  if (code !== undefined) return `; it cannot be read (${code})`
  return checkBackup(file, signal).then(
    () => '',
    () => '; it is damaged',
  )
}

async function schemaInWords(db: Database): Promise<string> {
  const newest = Math.max(...(await readMigrations()).map(({ number }) => number))
  const number = await schemaOf(db)
  if (number === newest) return `${number}, up to date`
  return number < newest
    ? `${number}; the next start brings it to ${newest}`
    : `${number}, from a newer Sourcebook; this one supports ${newest}`
}

async function count(db: Database, table: string, which: SQL = sql`true`): Promise<string> {
  if (!(await isThere(db, table))) return '0'
  const counted = sql`select count(*)::text as count from ${sql.identifier(table)} where ${which}`
  const [row] = await rowsOf<{ count: string }>(db, counted)
  return row?.count ?? '0'
}

async function isThere(db: Database, table: string): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(db, sql`select to_regclass(${table}) is not null as found`)
  return row?.found ?? false
}
