import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { BASELINE, migrate, readMigrations } from '#server/db/migrate.ts'
import { everyRow, structureOf } from '#server/db/test/every-row.ts'
import { openReleased } from '#server/db/test/released-worlds.ts'
import { makeHostileWorld } from '#server/ops/backup/test/hostile-world.ts'
import { readSettings } from '#server/ops/settings.ts'
import { resumeSending } from '#server/sending/store.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { TestClient } from '#server/test/test-app.ts'
import { openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { restore } from './test/restore.ts'
import { writeBackup } from './write.ts'

const migrations = await readMigrations()
/** Every schema is upgraded in `upgrades.test.ts`. The first and the last one are also restored. */
const older = [BASELINE, migrations.at(-1)?.number ?? 0]

let folder: string
let source: OpenDatabase
let fellow: { email: string }
let whole: string
/** The number of rows in the backup. */
let rows: number
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-backup-'))
  source = await openTestDatabase()
  ;({ fellow } = await makeHostileWorld(source.db))
  whole = join(folder, 'whole.backup')
  ;({ rows } = await writeBackup(source, whole))
})
afterAll(async () => {
  await source.close()
  rmSync(folder, { recursive: true, force: true })
})

async function bare(): Promise<OpenDatabase> {
  const database = await openBareDatabase()
  onTestFinished(() => database.close())
  return database
}

describe('A restored backup', { timeout: 120_000 }, () => {
  it('equals the original in every row of every table, and in everything else', { tags: 'slow' }, async () => {
    const place = await bare()
    const restored = await restore(place, whole, { keepsSessions: true })
    const before = await everyRow(source.db)
    expect(rows).toBe(Object.values(before).flat().length)
    expect(restored.rows).toBe(rows)
    // Which a restore alone has paused.
    await resumeSending(place.db)
    expect(await everyRow(place.db)).toEqual(before)
    expect(await structureOf(place.db)).toEqual(await structureOf(source.db))
  })

  it('keeps every type of value, generated columns, and the positions of sequences', { tags: 'slow' }, async () => {
    const odd = [...migrations, { number: 9001, name: '9001-odd.sql', statements: ODD_TYPES }]
    const [from, to] = [await bare(), await bare()]
    await migrate(from.db, odd)
    await from.db.execute(sql.raw(ODD_VALUES))
    const file = join(folder, 'odd.backup')
    await writeBackup(from, file)
    await restore(to, file, { migrations: odd })
    await resumeSending(to.db)
    expect(await everyRow(to.db)).toEqual(await everyRow(from.db))
    for (const { db } of [from, to]) await db.execute(sql`insert into odd (precise) values (now())`)
    const last = (db: OpenDatabase['db']) => rowsOf(db, sql`select max(number)::int as last from odd`)
    expect(await last(to.db)).toEqual(await last(from.db))
  })

  it('lets a fellow sign in with the old password, and continue to work', { tags: 'slow' }, async () => {
    const place = await bare()
    await restore(place, whole)
    const app = await buildApp({
      database: place,
      settings: readSettings({ ENRICHMENT_PROVIDERS: 'none' }),
      log: quietLog,
    })
    const client = new TestClient(app)
    expect((await client.post('/api/auth/login', { email: fellow.email, password: PASSWORD })).status).toBe(200)
    const answer = await client.post('/api/founders', { name: 'After', linkedIn: 'https://x.example/a', notes: 'n' })
    expect(answer.status).toBe(201)
    const list = await client.get('/api/founders?mine=true&search=after')
    expect(list.body.map(({ name }: { name: string }) => name)).toEqual(['After'])
    await app.close()
  })

  it.each(older)('of schema %i is migrated with all of its data', { tags: 'slow' }, async (number) => {
    const database = await openReleased(number)
    onTestFinished(() => database.close())
    const file = join(folder, `older-${number}.backup`)
    await writeBackup(database, file)
    const place = await bare()
    await restore(place, file, { keepsSessions: true })
    await migrate(database.db, migrations)
    for (const { db } of [place, database]) {
      // Migration 16 chose these at random.
      if (number < 16) {
        await db.execute(sql`update accounts set public_id = id`)
      }
      // So did migration 50, and 51 queued records again.
      if (number < 50) await db.execute(sql`update sessions set sign_in = id`)
      if (number < 51) await db.execute(sql`update duplicate_checks set change_id = record_id`)
      // Until when everything counts as seen: the time of migration 65.
      if (number < 65) await db.execute(sql`update accounts set inbox_since = 'epoch'`)
    }
    const withoutTimes = (rows: Record<string, string[]>) => ({ ...rows, schema_migrations: [] })
    await resumeSending(place.db)
    expect(withoutTimes(await everyRow(place.db))).toEqual(withoutTimes(await everyRow(database.db)))
    expect((await everyRow(place.db)).records?.length).toBeGreaterThan(1)
    expect(await structureOf(place.db)).toEqual(await structureOf(database.db))
  })
})

const ODD_TYPES = [
  `create table odd (
    number bigint generated always as identity primary key, twice bigint generated always as (number * 2) stored,
    small serial, precise timestamptz, local timestamp, day date, span interval, amount numeric, approximate float8,
    less real, flag boolean, bytes bytea, document jsonb, raw json, words text[], ids uuid[], fixed char(5), address inet
  )`,
]
const ODD_VALUES = `insert into odd
  (precise, local, day, span, amount, approximate, less, flag, bytes, document, raw, words, ids, fixed, address) values
  ('2026-03-29 01:59:59.123456+01', '0044-03-15 12:00:00.000001 BC', 'infinity', '1 mon -3 days 04:05:06.789', 1e40, 0.1,
    'NaN', true, '\\x00ff5c0a', 'null', '{ "a": 1, "a": 2 }', array['a,b', '"', null, '{}'], array[gen_random_uuid()], 'ab',
    '::1'),
  ('-infinity', 'infinity', '5000-01-01', '-1 year', 0.10, '-Infinity', 1e-45, false, '', '{"a": [1e400, "\\\\u2028"]}',
    ' null ', '{}', '{}', '', '10.0.0.0/8'),
  (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`
