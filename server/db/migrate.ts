import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { fileOf } from '#server/files.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Database, rowsOf } from './database.ts'
import { LOCK_TIMEOUT_MS } from './postgres.ts'

type SqlFile = { name: string; statements: string[] }
export type Migration = SqlFile & { number: number }

/** Splits a file at each `;` that ends a line, except inside the `$$` body of a function. */
const statementsOf = (file: string): string[] =>
  file
    .split('$$')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/;[ \t]*$/gm, ';\0') : part))
    .join('$$')
    .split('\0')
    .filter((statement) => statement.replaceAll(/--.*$/gm, '').trim() !== '')

/** The SQL files of a folder, in the order of their names. */
async function readFolder(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(fileOf(folder))).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({ name, statements: statementsOf(await readFile(join(fileOf(folder), name), 'utf8')) })),
  )
}

/** Every numbered file in order. The first one is the baseline. */
export const readMigrations = async (): Promise<Migration[]> =>
  (await readFolder('db/migrations')).map((file) => ({ ...file, number: Number(file.name.slice(0, 4)) }))

/** The functions that indexes and defaults use, needed before the tables; then all others, and the triggers. */
export async function readFunctions(): Promise<{ usedByTables: string[]; others: string[] }> {
  const [usedByTables, others] = await Promise.all(['db/functions/used-by-tables', 'db/functions'].map(readFolder))
  const all = (files: SqlFile[] = []) => files.flatMap(({ statements }) => statements)
  return { usedByTables: all(usedByTables), others: all(others) }
}

/** The first migration. Older schemas had other tables. */
export const BASELINE = 15

/** The last commit that converts an older schema to the baseline. */
const CONVERTED_BY = 'a59f1ea'

/** Throws for a schema from before the baseline. */
export function refuseBeforeBaseline(what: string, schema: number, advice: string): void {
  if (schema > 0 && schema < BASELINE) {
    throw new StartupError(
      `${what} is from before schema ${BASELINE} (it has ${schema}). ${advice} with commit ${CONVERTED_BY} of Sourcebook first, as docs/operations.md says.`,
    )
  }
}

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
  await tx.execute(sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`))
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
 * Brings the tables up to the newest of the given migrations, all or nothing, and leaves functions and triggers as they
 * are. Processes that start at the same time wait for each other. Throws a `StartupError` when the database has
 * migrations that this code does not know, and changes nothing then.
 */
export async function migrateTables(db: Database, migrations: Migration[]): Promise<void> {
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
    refuseBeforeBaseline('The database', newest, 'Start it once')
    await run(tx, (await readFunctions()).usedByTables)
    for (const migration of migrations.filter(({ number }) => number > newest)) {
      await run(tx, migration.statements)
      await tx.execute(
        sql`insert into schema_migrations (number, name) values (${migration.number}, ${migration.name})`,
      )
    }
  })
}

async function run(tx: Database, statements: Iterable<string>) {
  for (const statement of statements) await tx.execute(sql.raw(statement))
}

/**
 * Brings the schema up to date: the tables to the newest migration, and then the functions and triggers to their present
 * text, all or nothing. Processes that start together wait for each other. The version is a comment in the catalogue: a
 * restored backup does not overwrite it.
 */
export async function migrate(db: Database, given?: Migration[]): Promise<void> {
  const migrations = given ?? (await readMigrations())
  const functions = await readFunctions()
  const parts = [...migrations.map(({ name }) => name), ...functions.usedByTables, ...functions.others]
  const version = createHash('sha256').update(parts.join('\0')).digest('hex')
  await db.transaction(async (tx) => {
    await waitForMigrationTurn(tx)
    const [present] = await rowsOf<{ version: string | null }>(
      tx,
      sql`select obj_description(to_regclass('schema_migrations'), 'pg_class') as version`,
    )
    if (present?.version !== version) {
      await migrateTables(tx, migrations)
      await run(tx, functions.others)
      await tx.execute(sql.raw(`comment on table schema_migrations is '${version}'`))
    }
    await tx.execute(sql`select begin_feed_if_moved()`)
  })
}
