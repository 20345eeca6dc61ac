import { type SQL, sql } from 'drizzle-orm'
import { kinds } from '#contract/kinds.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { newestBackup } from '#server/ops/backup/schedule.ts'
import { schemaOf } from '#server/ops/backup/tables.ts'
import { VERSION } from '#server/version.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { wrapped } from '../lines.ts'

export const status: Command = {
  name: 'status',
  usage: '',
  summary: 'shows the version, the database and how much it holds',
  takesAnySchema: true,
  async run({ db, database, settings, out }, args) {
    if (args.length > 0) return EXIT_USAGE
    const line = (name: string, value: string) => out(wrapped(`${name.padEnd(12)}${value}`, ' '.repeat(12)).join('\n'))
    const [about] = await rowsOf<{ bytes: number; postgres: string }>(
      db,
      sql`select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as postgres`,
    )
    line('Sourcebook', VERSION)
    line('Database', `PostgreSQL ${about?.postgres}${database.isShared ? '' : `, embedded, in ${settings.dataDir}`}`)
    line('Size', `${((about?.bytes ?? 0) / 1e6).toFixed(1)} MB`)
    line('Schema', await schemaInWords(db))
    const newest = (await isThere(db, 'settings')) ? await newestBackup(db) : undefined
    if (settings.backup || newest) line('Backup', newest ?? `none yet in ${settings.backup?.dir}`)
    line('Accounts', await count(db, 'accounts'))
    for (const { name, plural } of kinds) line(plural, await count(db, 'records', sql`kind = ${name}`))
    line('Notes', await count(db, 'notes'))
    return 0
  },
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
