import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { BASELINE, migrate, readMigrations } from '#server/db/migrate.ts'
import { everyRow, structureOf } from '#server/db/test/every-row.ts'
import { openReleased } from '#server/db/test/released-worlds.ts'
import { readSettings } from '#server/env.ts'
import { makeHostileWorld } from '#server/ops/backup/test/hostile-world.ts'
import { StartupError } from '#server/startup-error.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { TestClient } from '#server/test/test-app.ts'
import { type DatabaseKind, openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { checkBackup, withBackupFile } from './read.ts'
import { restoreBackup } from './restore.ts'
import { schemaOf } from './tables.ts'
import { writeBackup } from './write.ts'

// A run on PostgreSQL has both kinds of database, and covers every direction except the one of the other run.
const DIRECTIONS: [from: DatabaseKind, to: DatabaseKind][] =
  inject('database').kind === 'embedded'
    ? [['embedded', 'embedded']]
    : [
        ['embedded', 'postgres'],
        ['postgres', 'embedded'],
        ['postgres', 'postgres'],
      ]

const migrations = await readMigrations()
/** The embedded database takes the same statements as PostgreSQL, into which every schema is restored. */
const older = migrations
  .map(({ number }) => number)
  .filter((number) => inject('database').kind === 'postgres' || [1, 5, BASELINE - 1].includes(number))

let folder: string
let source: OpenDatabase
let fellow: { email: string }
let whole: string
/** How many rows are in it. */
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

async function bare(kind?: DatabaseKind): Promise<OpenDatabase> {
  const database = await openBareDatabase(kind)
  onTestFinished(() => database.close())
  return database
}

/** A database of each kind with sample data, and its backup. */
async function filled(kind: DatabaseKind) {
  if (kind === inject('database').kind) return { database: source, file: whole, rows }
  const database = await bare(kind)
  await migrate(database.db, migrations)
  await makeHostileWorld(database.db)
  const file = join(folder, `${kind}.backup`)
  return { database, file, ...(await writeBackup(database, file)) }
}

const restore = (place: OpenDatabase, path: string, options: Parameters<typeof restoreBackup>[2] = {}) =>
  withBackupFile(path, (file) => restoreBackup(place, file, options))

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'It was not refused',
    (error) => (error instanceof StartupError ? error.message : `Not a sentence: ${error.stack}`),
  )

describe('A backup that is restored', { timeout: 120_000 }, () => {
  it.each(DIRECTIONS)('from %s into %s is the same in every row of every table, and in all else', async (from, to) => {
    const { database, file, rows } = await filled(from)
    const place = await bare(to)
    const restored = await restore(place, file, { keepsSessions: true })
    const before = await everyRow(database.db)
    expect(rows).toBe(Object.values(before).flat().length)
    expect(restored.rows).toBe(rows)
    expect(await everyRow(place.db)).toEqual(before)
    expect(await structureOf(place.db)).toEqual(await structureOf(database.db))
  })

  it('keeps every type of value, generated columns, and where numbers go on', async () => {
    const odd = [...migrations, { number: 9001, name: '9001-odd.sql', statements: ODD_TYPES }]
    const [from, to] = [await bare(), await bare()]
    await migrate(from.db, odd)
    await from.db.execute(sql.raw(ODD_VALUES))
    const file = join(folder, 'odd.backup')
    await writeBackup(from, file)
    await restore(to, file, { migrations: odd })
    expect(await everyRow(to.db)).toEqual(await everyRow(from.db))
    for (const { db } of [from, to]) await db.execute(sql`insert into odd (precise) values (now())`)
    const last = (db: OpenDatabase['db']) => rowsOf(db, sql`select max(number)::int as last from odd`)
    expect(await last(to.db)).toEqual(await last(from.db))
  })

  it('is a product in which a fellow signs in with the old password, and goes on working', async () => {
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

  it.each(older)('of schema %i is brought up to date with all of its data', async (number) => {
    const database = await openReleased(number)
    onTestFinished(() => database.close())
    const file = join(folder, `older-${number}.backup`)
    await writeBackup(database, file)
    const place = await bare()
    await restore(place, file, { keepsSessions: true })
    await migrate(database.db, migrations)
    for (const { db } of [place, database]) {
      // Migration 5 set the time of its own run for records that no provider had been asked about.
      if (number < 5) await db.execute(sql`update records set enriched_at = created_at`)
      // Migration 16 chose these at random.
      if (number < 16) {
        await db.execute(sql`update accounts set public_id = id`)
        await db.execute(sql`update duplicate_checks set change_id = record_id`)
      }
    }
    const withoutTimes = (rows: Record<string, string[]>) => ({ ...rows, schema_migrations: [] })
    expect(withoutTimes(await everyRow(place.db))).toEqual(withoutTimes(await everyRow(database.db)))
    expect((await everyRow(place.db)).records?.length).toBeGreaterThan(1)
    expect(await structureOf(place.db)).toEqual(await structureOf(database.db))
  })

  it('of an older schema goes where only that or nothing was started, and else is refused', async () => {
    const database = await openReleased(BASELINE - 1)
    onTestFinished(() => database.close())
    const file = join(folder, 'before-baseline.backup')
    await writeBackup(database, file)
    const [newer, same] = [await bare(), await bare()]
    await migrate(newer.db, migrations)
    const before = await everyRow(newer.db)
    expect(await refusal(restore(newer, file))).toBe(
      `A newer Sourcebook has been started here (schema ${migrations.at(-1)?.number}; the backup has ${BASELINE - 1}). Restore into a new folder or database.`,
    )
    expect(await everyRow(newer.db)).toEqual(before)
    await migrate(
      same.db,
      migrations.filter(({ number }) => number < BASELINE),
    )
    await restore(same, file)
    expect((await everyRow(same.db)).records).toHaveLength(3)
  })
})

describe('A backup file', { timeout: 120_000 }, () => {
  it('can be read by its owner only, and says in its first line what it is', async () => {
    expect(statSync(whole).mode & 0o777).toBe(0o600)
    const [line] = readFileSync(whole, 'latin1').split('\n', 1)
    expect(JSON.parse(line ?? '')).toMatchObject({ format: 'sourcebook-backup', schema: await schemaOf(source.db) })
  })

  it('is not replaced unless that is asked for, and is never half a file', async () => {
    const file = join(folder, 'kept.backup')
    writeFileSync(file, 'precious')
    expect(await refusal(writeBackup(source, file))).toBe(
      `There is a file ${file} already. Choose another name, or add --force to replace it.`,
    )
    expect(readFileSync(file, 'utf8')).toBe('precious')
    const stop = AbortSignal.abort()
    await expect(writeBackup(source, file, { replaces: true, signal: stop })).rejects.toThrow()
    expect(readFileSync(file, 'utf8')).toBe('precious')
    await writeBackup(source, file, { replaces: true })
    expect((await checkBackup(file)).rows).toBeGreaterThan(100)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('cannot be written where that is impossible, which is said in a sentence', async () => {
    expect(await refusal(writeBackup(source, join(whole, 'x')))).toMatch(
      /^The backup could not be written: .*EEXIST|ENOTDIR/,
    )
  })
})

describe('A restore changes nothing', { timeout: 120_000 }, () => {
  let untouched: OpenDatabase
  beforeAll(async () => {
    untouched = await openBareDatabase()
  })
  afterEach(async () => expect(await everyRow(untouched.db)).toEqual({}))
  afterAll(() => untouched.close())

  it('when a single bit of the file is another, or its end is missing', async () => {
    const bytes = readFileSync(whole)
    const bodyAt = bytes.indexOf('\n') + 1
    const damages = [
      0,
      40,
      bodyAt,
      bodyAt + 4,
      bodyAt + 9,
      Math.floor(bytes.length / 2),
      bytes.length - 70,
      bytes.length - 10,
    ]
    const variants = [
      ...damages.map((at) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)))),
      ...[0, 10, bodyAt, bodyAt + 100, bytes.length - 66, bytes.length - 1].map((length) => bytes.subarray(0, length)),
      Buffer.concat([bytes, Buffer.from('\n')]),
    ]
    for (const variant of variants) {
      const file = join(folder, 'damaged.backup')
      writeFileSync(file, variant)
      expect(await refusal(restore(untouched, file))).toMatch(/ is damaged\. | is not a backup of Sourcebook\.$/)
    }
  })

  it('when there is no such file', async () => {
    const file = join(folder, 'none.backup')
    expect(await refusal(restore(untouched, file))).toBe(`The backup ${file} cannot be read (ENOENT).`)
  })

  it('when there are accounts or records already', async () => {
    const place = await openTestDatabase()
    onTestFinished(() => place.close())
    await place.db.execute(sql`insert into records (id, kind, name, notes, rating, search_text)
      values (gen_random_uuid(), 'company', 'Kept', 'n', 5, 'kept')`)
    const before = await everyRow(place.db)
    expect(await refusal(restore(place, whole))).toMatch(
      /^There are records here already\. A backup can only be restored into an empty folder or database\./,
    )
    expect(await everyRow(place.db)).toEqual(before)
  })

  it('when the backup is of a newer Sourcebook', async () => {
    expect(await refusal(restore(untouched, whole, { migrations: migrations.slice(0, 3) }))).toMatch(
      /^The backup is from a newer Sourcebook \(schema \d+, this one supports 3\)\./,
    )
  })

  it('when a newer Sourcebook was started here', async () => {
    const place = await bare()
    const next = [...migrations, { number: 9001, name: '9001-next.sql', statements: ['create table next (id int)'] }]
    await migrate(place.db, next)
    const before = await everyRow(place.db)
    expect(await refusal(restore(place, whole, { migrations: next }))).toMatch(
      /^A newer Sourcebook has been started here \(schema 9001; the backup has \d+\)\./,
    )
    expect(await everyRow(place.db)).toEqual(before)
  })

  it('when a row does not fit, however late that shows', async () => {
    const broken = await openTestDatabase()
    onTestFinished(() => broken.close())
    await makeHostileWorld(broken.db)
    await broken.execute('alter table notes drop constraint notes_author_id_fkey')
    await broken.execute('alter table notes disable trigger user')
    await broken.execute(`insert into notes (id, record_id, kind, author_id, content)
      select gen_random_uuid(), id, kind, gen_random_uuid(), 'Orphaned' from records limit 1`)
    const file = join(folder, 'broken.backup')
    await writeBackup(broken, file)
    const place = await bare()
    expect(await refusal(restore(place, file))).toMatch(/^Nothing was restored: .*notes_author_id_fkey/)
    expect(await everyRow(place.db)).toEqual({})
    await restore(place, whole)
    expect(await everyRow(place.db)).toEqual(await everyRow(source.db))
  })

  it.runIf(inject('database').kind === 'postgres')('while a server is on the database', async () => {
    const place = await openTestDatabase()
    const server = await place.openAgain()
    const stop = await server.listen({ records: () => {} }, () => {})
    expect(await refusal(restore(place, whole))).toBe('A server is using this database. Stop every server first.')
    await stop()
    await server.close()
    await place.close()
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
