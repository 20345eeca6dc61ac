import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { fileOf } from '#server/files.ts'
import { StartupError } from '#server/startup-error.ts'
import { beginBulkLoad } from './bulk-load.ts'
import { type Database, rowsOf } from './database.ts'

export type Migration = { number: number; name: string; statements: string[] }

/** Splits a file at each `;` that ends a line, except inside the `$$` body of a function. */
const statementsOf = (file: string): string[] =>
  file
    .split('$$')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/;[ \t]*$/gm, ';\0') : part))
    .join('$$')
    .split('\0')
    .filter((statement) => statement.replaceAll(/--.*$/gm, '').trim() !== '')

const FOLDER = fileOf('db/migrations')
const BEFORE_BASELINE = join(FOLDER, 'before-baseline')

async function readNumbered(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => ({
      number: Number(name.slice(0, 4)),
      name,
      statements: await readStatements(join(folder, name)),
    })),
  )
}

const readStatements = async (file: string) => statementsOf(await readFile(file, 'utf8'))

/** Every numbered file in order, including those before the baseline. */
export async function readMigrations(): Promise<Migration[]> {
  return (await Promise.all([readNumbered(BEFORE_BASELINE), readNumbered(FOLDER)])).flat()
}

/** The migration that a fresh database starts with, and to which an older database is converted. */
export const BASELINE = 15

/** An advisory lock that only migrations use, held during one migration run. */
const MIGRATION_LOCK = 7_265_101

/** A statement of a killed process would keep the lock until it ends. Not every platform can check for dead clients. */
const NOTICE_THE_DEAD = `do $$ begin
  perform set_config('client_connection_check_interval', '1s', true);
exception when others then null;
end $$`

/** Holds the lock until the transaction ends. Other processes may be migrating, which takes long with large tables. */
export async function waitForMigrationTurn(tx: Database): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`set local lock_timeout = 0`)
  await tx.execute(sql.raw(NOTICE_THE_DEAD))
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  // Waits for a table no longer than a request does, because later requests would queue behind this one.
  await tx.execute(sql`set local lock_timeout to default`)
}

/** Checks before creating the table: a role without the right to create is refused even when the table exists. */
async function hasMigrations(tx: Database): Promise<boolean> {
  const [row] = await rowsOf<{ isThere: boolean }>(
    tx,
    sql`select to_regclass('schema_migrations') is not null as "isThere"`,
  )
  return row?.isThere ?? false
}

/**
 * Brings the schema up to the newest migration, all or nothing. Processes that start at once wait for each other.
 * Throws a `StartupError` when the database has migrations that this code does not know, and changes nothing then.
 */
export async function migrate(db: Database, migrations: Migration[]): Promise<void> {
  await db.transaction(async (tx) => {
    await waitForMigrationTurn(tx)
    if (!(await hasMigrations(tx))) {
      await tx.execute(sql`
        create table schema_migrations (
          number integer primary key, name text not null, applied_at timestamptz(3) not null default now()
        )`)
    }
    const applied = await rowsOf<{ number: number }>(tx, sql`select number from schema_migrations`)
    const newest = Math.max(0, ...applied.map((row) => row.number))
    const known = Math.max(0, ...migrations.map((migration) => migration.number))
    if (newest > known) {
      throw new StartupError(
        `The database was last used by a newer Sourcebook (schema ${newest}, this one supports ${known}). Start that version, or restore a backup made before the upgrade.`,
      )
    }
    const isFresh = newest === 0 && known >= BASELINE
    const first = isFresh ? BASELINE : newest + 1
    for (const migration of migrations.filter(({ number }) => number >= first)) {
      if (migration.number === BASELINE && !isFresh) await convert(tx, migration)
      else await run(tx, migration.statements)
      await tx.execute(
        sql`insert into schema_migrations (number, name) values (${migration.number}, ${migration.name})`,
      )
    }
  })
}

async function run(tx: Database, statements: string[]): Promise<void> {
  for (const statement of statements) await tx.execute(sql.raw(statement))
}

/** Builds the baseline beside an older schema, copies all data over and drops the old tables. */
async function convert(tx: Database, baseline: Migration): Promise<void> {
  await run(tx, await readStatements(join(BEFORE_BASELINE, 'set-aside.sql')))
  await run(tx, baseline.statements)
  const tables = await rowsOf<{ name: string }>(
    tx,
    sql`select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`,
  )
  const finishBulkLoad = await beginBulkLoad(
    tx,
    tables.map(({ name }) => name),
  )
  await run(tx, await readStatements(join(BEFORE_BASELINE, 'convert.sql')))
  await finishBulkLoad((_, work) => work())
  // The embedded database analyzes tables only from time to time. Without statistics the planner reads whole tables.
  for (const { name } of tables) await tx.execute(sql.raw(`analyze ${name}`))
  await tx.execute(sql`drop schema before_baseline cascade`)
}
