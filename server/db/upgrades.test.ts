import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from '#server/env.ts'
import { everyRow, structureOf } from '#server/test/every-row.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { RELEASED } from '#server/test/released-worlds.ts'
import { freshDatabaseSettings, openBareDatabase } from '#server/test/test-database.ts'
import { type Database, type OpenDatabase, rowsOf } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openAsItIs } from './open.ts'

/** A database as a release up to this migration has left it, with all that could be in it then. */
async function released(newest: number): Promise<OpenDatabase> {
  const database = await openBareDatabase()
  onTestFinished(() => database.close())
  const migrations = await readMigrations()
  for (const migration of migrations.filter(({ number }) => number <= newest)) {
    await migrate(
      database.db,
      migrations.filter(({ number }) => number <= migration.number),
    )
    for (const statement of RELEASED[migration.number] ?? []) await database.db.execute(statement)
  }
  return database
}

type Row = Record<string, unknown>

/** Every row under its table, by the names of its columns. */
async function valuesOf(db: Database): Promise<Record<string, Row[]>> {
  const values: Record<string, Row[]> = {}
  for (const table of Object.keys(await everyRow(db))) {
    const rows = await rowsOf<{ row: Row }>(db, sql`select row_to_json(t) as row from ${sql.identifier(table)} t`)
    values[table] = rows.map(({ row }) => row)
  }
  return values
}

const withoutTimes = (rows: Record<string, string[]>): Record<string, string[]> => ({ ...rows, schema_migrations: [] })

describe('A database of each released schema', { timeout: 120_000 }, async () => {
  const migrations = await readMigrations()
  const newest = migrations.length

  it.each(migrations.map(({ number, name }) => [number, name]))(
    'schema %i (%s) reaches the newest with all of its data, and a second start changes nothing',
    async (number) => {
      const { db } = await released(number as number)
      const before = await valuesOf(db)
      await migrate(db, migrations)
      const after = await valuesOf(db)
      for (const [table, rows] of Object.entries(before)) {
        // Only this is made anew, from the rows that are compared.
        if (table === 'tallies') continue
        expect(after[table], table).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))))
      }
      const kept = await everyRow(db)
      await migrate(db, migrations)
      expect(await everyRow(db)).toEqual(kept)
    },
  )

  it('becomes what a new one is: the same tables, indexes, references and triggers', async () => {
    const [old, fresh] = [await released(1), await openBareDatabase()]
    onTestFinished(() => fresh.close())
    for (const { db } of [old, fresh]) await migrate(db, migrations)
    expect(await structureOf(old.db)).toEqual(await structureOf(fresh.db))
  })

  it('keeps beside its records what counting them anew makes', async () => {
    const { db } = await released(5)
    await migrate(db, migrations)
    const kept = withoutTimes(await everyRow(db))
    await db.execute(sql`select rebuild_derived()`)
    expect(withoutTimes(await everyRow(db))).toEqual(kept)
    expect(kept.founder_fellows?.length).toBeGreaterThan(1)
    expect(newest).toBeGreaterThan(5)
  })
})

describe('An upgrade that is killed in the middle', { timeout: 240_000 }, () => {
  it('leaves the old schema and all of its data, and the next start goes through', async () => {
    const settings = await freshDatabaseSettings()
    onTestFinished(() => {
      if (settings.DATA_DIR) rmSync(settings.DATA_DIR, { recursive: true, force: true })
    })
    const migrations = await readMigrations()
    const open = () =>
      openAsItIs(readSettings({ ...settings, STATEMENT_TIMEOUT_SECONDS: '60' }), quietLog, (reason) => {
        throw reason
      })
    const first = await open()
    await migrate(first.db, migrations)
    await first.db.execute(sql`insert into accounts (id, name, email) values (gen_random_uuid(), 'Ada', 'ada@mit.edu')`)
    const before = await everyRow(first.db)
    await first.close()

    await killHalfWay(settings)

    const second = await open()
    expect(await everyRow(second.db)).toEqual(before)
    const mended = { number: 9001, name: '9001-slow.sql', statements: ['create table half (id int)'] }
    await migrate(second.db, [...migrations, mended])
    expect((await everyRow(second.db)).half).toEqual([])
    await second.close()
  })
})

/** Starts the upgrade in a process of its own and kills that once the last statement is under way. */
async function killHalfWay(settings: Record<string, string>): Promise<void> {
  const program = join(import.meta.dirname, '../test/upgrade-program.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { PATH: process.env.PATH, STATEMENT_TIMEOUT_SECONDS: '120', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), end])
  expect(child.exitCode).toBe(null)
  child.kill('SIGKILL')
  await end
}
