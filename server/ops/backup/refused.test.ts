import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { BASELINE, migrate, migrateTables, readMigrations } from '#server/db/migrate.ts'
import { everyRow } from '#server/db/test/every-row.ts'
import { openReleased } from '#server/db/test/released-worlds.ts'
import { makeHostileWorld } from '#server/ops/backup/test/hostile-world.ts'
import { resumeSending } from '#server/sending/store.ts'
import { openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { checkBackup } from './read.ts'
import { schemaOf } from './tables.ts'
import { refusalOf, restore } from './test/restore.ts'
import { writeBackup } from './write.ts'

const migrations = await readMigrations()

let folder: string
let source: OpenDatabase
let whole: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-backup-'))
  source = await openTestDatabase()
  await makeHostileWorld(source.db)
  whole = join(folder, 'whole.backup')
  await writeBackup(source, whole)
})
afterAll(async () => {
  await source.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('A backup', { timeout: 120_000 }, () => {
  it('of an older schema restores into an empty database or one of that schema, and is refused elsewhere', {
    tags: 'slow',
  }, async () => {
    const database = await openReleased(BASELINE)
    onTestFinished(() => database.close())
    const file = join(folder, 'baseline.backup')
    await writeBackup(database, file)
    const [newer, same] = [await openTestDatabase(), await openBareDatabase()]
    for (const { close } of [newer, same]) onTestFinished(close)
    const before = await everyRow(newer.db)
    expect(await refusalOf(restore(newer, file))).toBe(
      `A newer Sourcebook has been started here (schema ${migrations.at(-1)?.number}; the backup has ${BASELINE}). Restore into a new folder or database.`,
    )
    expect(await everyRow(newer.db)).toEqual(before)
    await migrateTables(
      same.db,
      migrations.filter(({ number }) => number <= BASELINE),
    )
    await restore(same, file)
    expect((await everyRow(same.db)).records).toHaveLength(3)
  })
})

describe('A backup file', { timeout: 120_000 }, () => {
  it('can be read by its owner only, and identifies itself in its first line', async () => {
    expect(statSync(whole).mode & 0o777).toBe(0o600)
    const [line] = readFileSync(whole, 'latin1').split('\n', 1)
    expect(JSON.parse(line ?? '')).toMatchObject({ format: 'sourcebook-backup', schema: await schemaOf(source.db) })
  })

  it('is replaced only on request, and is never incomplete', async () => {
    const file = join(folder, 'kept.backup')
    writeFileSync(file, 'precious')
    expect(await refusalOf(writeBackup(source, file))).toBe(
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

  it('is refused with a sentence where it cannot be written', async () => {
    expect(await refusalOf(writeBackup(source, join(whole, 'x')))).toMatch(
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

  it('when a single bit of the file differs, or its end is missing', async () => {
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
      expect(await refusalOf(restore(untouched, file))).toMatch(/ is damaged\. | is not a backup of Sourcebook\.$/)
    }
  })

  it('when the file does not exist', async () => {
    const file = join(folder, 'none.backup')
    expect(await refusalOf(restore(untouched, file))).toBe(`The backup ${file} cannot be read (ENOENT).`)
  })

  it('when there are already accounts or records', async () => {
    const place = await openTestDatabase()
    onTestFinished(() => place.close())
    await place.db.execute(sql`insert into records (id, kind, name, notes, rating, search_text)
      values (gen_random_uuid(), 'company', 'Kept', 'n', 5, 'kept')`)
    const before = await everyRow(place.db)
    expect(await refusalOf(restore(place, whole))).toMatch(
      /^There are records here already\. A backup can only be restored into an empty folder or database\./,
    )
    expect(await everyRow(place.db)).toEqual(before)
  })

  it('when the backup is from a newer Sourcebook', async () => {
    expect(await refusalOf(restore(untouched, whole, { migrations: migrations.slice(0, 3) }))).toMatch(
      /^The backup is from a newer Sourcebook \(schema \d+, this one supports 17\)\./,
    )
  })

  it('when the backup is from before the baseline', { tags: 'slow' }, async () => {
    const database = await openReleased(BASELINE)
    onTestFinished(() => database.close())
    await database.db.execute(sql`update schema_migrations set number = ${BASELINE - 1}`)
    const file = join(folder, 'old.backup')
    await writeBackup(database, file)
    expect(await refusalOf(restore(untouched, file))).toBe(
      'The backup is from before schema 15 (it has 14). Restore it and make a new backup with commit a59f1ea of Sourcebook first, as docs/operations.md says.',
    )
  })

  it('when a newer Sourcebook was started on the database', { tags: 'slow' }, async () => {
    const place = await openBareDatabase()
    onTestFinished(() => place.close())
    const next = [...migrations, { number: 9001, name: '9001-next.sql', statements: ['create table next (id int)'] }]
    await migrate(place.db, next)
    const before = await everyRow(place.db)
    expect(await refusalOf(restore(place, whole, { migrations: next }))).toMatch(
      /^A newer Sourcebook has been started here \(schema 9001; the backup has \d+\)\./,
    )
    expect(await everyRow(place.db)).toEqual(before)
  })

  it('when a row is refused, however late', { tags: 'slow' }, async () => {
    const broken = await openTestDatabase()
    onTestFinished(() => broken.close())
    await makeHostileWorld(broken.db)
    await broken.execute('alter table notes drop constraint notes_author_id_fkey')
    await broken.execute('alter table notes disable trigger user')
    await broken.execute(`insert into notes (id, record_id, kind, author_id, content)
      select gen_random_uuid(), id, kind, gen_random_uuid(), 'Orphaned' from records limit 1`)
    const file = join(folder, 'broken.backup')
    await writeBackup(broken, file)
    const place = await openBareDatabase()
    onTestFinished(() => place.close())
    expect(await refusalOf(restore(place, file))).toMatch(/^Nothing was restored: .*notes_author_id_fkey/)
    expect(await everyRow(place.db)).toEqual({})
    await restore(place, whole)
    await resumeSending(place.db)
    expect(await everyRow(place.db)).toEqual(await everyRow(source.db))
  })

  it('while a server uses the database', async () => {
    const place = await openTestDatabase()
    const server = await place.openAgain()
    const stop = await server.listen({ records: () => {} }, () => {})
    expect(await refusalOf(restore(place, whole))).toBe('A server is using this database. Stop every server first.')
    await stop()
    await server.close()
    await place.close()
  })
})
