import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { StartupError } from '#server/startup-error.ts'
import { type Database, rowsOf } from './database.ts'

type Migration = { number: number; name: string; statements: string[] }

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

/**
 * Brings the schema up to the newest migration, all or nothing. Processes that start at once wait for each other.
 * Throws a `StartupError` when the database has migrations that this code does not know; it changes nothing then.
 */
export async function migrate(db: Database, migrations: Migration[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await tx.execute(sql`
      create table if not exists schema_migrations (
        number integer primary key, name text not null, applied_at timestamptz(3) not null default now()
      )`)
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
