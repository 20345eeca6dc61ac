import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { type OpenDatabase, rowsOf } from './database.ts'
import { BASELINE, migrate, migrateTables, readFunctions, readMigrations } from './migrate.ts'
import * as schema from './schema.ts'

/** A migrated database of one test. */
async function migrated(): Promise<OpenDatabase> {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  return database
}

describe('Migrations', () => {
  it('are numbered without a gap', async () => {
    const numbers = (await readMigrations()).map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => BASELINE + index))
  })

  it('create exactly the columns of the schema that queries use', async () => {
    const { db } = await migrated()
    const made = await rowsOf<{ table: string; name: string; type: string; required: boolean }>(
      db,
      sql`select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
            a.attnotnull as required
          from pg_attribute a join pg_class c on c.oid = a.attrelid
          where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
            and c.relname <> 'schema_migrations'`,
    )
    const written = Object.values(schema)
      .filter((table) => is(table, PgTable))
      .map((table) => getTableConfig(table))
      .flatMap(({ name: table, columns }) =>
        columns.map((column) => ({
          table,
          name: column.name,
          type: column.getSQLType().replace(/^timestamp \(/, 'timestamp('),
          required: column.notNull,
        })),
      )
    const inOrder = (rows: { table: string; name: string }[]) =>
      rows.toSorted((a, b) => `${a.table}.${a.name}`.localeCompare(`${b.table}.${b.name}`))
    expect(inOrder(written)).toEqual(inOrder(made))
  })

  it('run at the same time by several processes are applied once', { tags: 'slow' }, async () => {
    const { db } = await migrated()
    const migrations = [
      ...(await readMigrations()),
      {
        number: 9001,
        name: '9001-next.sql',
        statements: ['create table next (id int)', 'insert into next values (1)'],
      },
    ]
    await Promise.all(Array.from({ length: 4 }, () => migrate(db, migrations)))
    expect(await rowsOf(db, sql`select id from next`)).toEqual([{ id: 1 }])
  })

  it('that fail in the middle leave no changes, and can run again', { tags: 'slow' }, async () => {
    const { db } = await migrated()
    const known = await readMigrations()
    const broken = { number: 9001, name: '9001-broken.sql', statements: ['create table half (id int)', 'select 1 / 0'] }
    await expect(migrate(db, [...known, broken])).rejects.toThrow()
    const mended = { ...broken, statements: ['create table half (id int)'] }
    await migrate(db, [...known, mended])
    expect(await rowsOf(db, sql`select id from half`)).toEqual([])
  })

  it('may take longer than the statement limit of requests', { tags: 'slow', timeout: 120_000 }, async () => {
    const patient = await openBareDatabase({ statementTimeoutMs: 1_000 })
    onTestFinished(() => patient.close())
    const slow = {
      number: 1,
      name: '0001-slow.sql',
      statements: ['create table slow as select 1 as id', 'select pg_sleep(1.5)'],
    }
    await migrateTables(patient.db, [slow])
    expect(await rowsOf(patient.db, sql`select id from slow`)).toEqual([{ id: 1 }])
  })

  it('wait for a table no longer than a request does', { tags: 'slow' }, async () => {
    const { db } = await migrated()
    const statements = ["create table limits as select current_setting('lock_timeout') as wait"]
    await migrateTables(db, [{ number: 9001, name: '9001-limits.sql', statements }])
    expect(await rowsOf(db, sql`select wait from limits`)).toEqual([{ wait: '4s' }])
  })

  it('refuse a schema newer than the code, and change nothing', async () => {
    const { db } = await migrated()
    await db.execute(sql`insert into schema_migrations (number, name) values (9999, 'from the future')`)
    const next = { number: 9001, name: '9001-next.sql', statements: ['create table next (id int)'] }
    await expect(migrate(db, [next])).rejects.toThrow(
      'The database was last used by a newer Sourcebook (schema 9999, this one supports 9001). Start that version, or restore a backup made before the upgrade.',
    )
    expect(await rowsOf(db, sql`select to_regclass('next')::text as found`)).toEqual([{ found: null }])
  })

  it('refuse a schema from before the baseline, and name the last commit that converts it', async () => {
    const { db, close } = await openBareDatabase()
    onTestFinished(close)
    await db.execute(sql`create table schema_migrations (number integer primary key, name text not null)`)
    await db.execute(sql`insert into schema_migrations values (14, '0014-sign-up.sql')`)
    await expect(migrate(db, await readMigrations())).rejects.toThrow(
      'The database is from before schema 15 (it has 14). Start it once with commit a59f1ea of Sourcebook first, as docs/operations.md says.',
    )
    expect(await rowsOf(db, sql`select to_regclass('records')::text as found`)).toEqual([{ found: null }])
  })

  it('are split at statements, not inside the body of a function', async () => {
    const { others } = await readFunctions()
    const functions = others.filter((statement) => statement.includes('language plpgsql'))
    expect(functions.length).toBeGreaterThan(5)
    expect(functions.every((statement) => statement.includes('end $$'))).toBe(true)
  })
})
