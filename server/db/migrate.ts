import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { StartupError } from '#server/startup-error.ts'
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

/** The numbered files of `migrations/`, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const folder = new URL('./migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => ({
      number: Number(name.slice(0, 4)),
      name,
      statements: statementsOf(await readFile(new URL(name, folder), 'utf8')),
    })),
  )
}

/** Any number that nothing else on the database locks; held for the length of one migration run. */
const MIGRATION_LOCK = 7_265_101

/** A statement of a process that was killed would hold the lock to its end. Not every platform can look. */
const NOTICE_THE_DEAD = `do $$ begin
  perform set_config('client_connection_check_interval', '1s', true);
exception when others then null;
end $$`

/** In a transaction, until its end: other processes may be at it already, and take their time with large tables. */
export async function waitForMigrationTurn(tx: Database): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
  await tx.execute(sql`set local lock_timeout = 0`)
  await tx.execute(sql.raw(NOTICE_THE_DEAD))
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  // A table that is in use is not waited for any longer than by a request: whoever comes later would wait behind.
  await tx.execute(sql`set local lock_timeout to default`)
}

/** Asked before the table is made: a role that may not make any is refused even when it is there. */
async function hasMigrations(tx: Database): Promise<boolean> {
  const [row] = await rowsOf<{ isThere: boolean }>(
    tx,
    sql`select to_regclass('schema_migrations') is not null as "isThere"`,
  )
  return row?.isThere ?? false
}

/**
 * Brings the schema up to the newest migration, all or nothing. Processes that start at once wait for each other.
 * Throws a `StartupError` when the database has migrations that this code does not know; it changes nothing then.
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
        `The database was last used by a newer Sourcebook (schema ${newest}, this one knows ${known}). Start that version, or restore a backup made before the upgrade.`,
      )
    }
    for (const migration of migrations.filter(({ number }) => number > newest)) {
      for (const statement of migration.statements) await tx.execute(sql.raw(statement))
      await tx.execute(
        sql`insert into schema_migrations (number, name) values (${migration.number}, ${migration.name})`,
      )
    }
  })
}
