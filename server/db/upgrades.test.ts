import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fold } from '#contract/fold.ts'
import { everyRow, structureOf } from '#server/db/test/every-row.ts'
import { openReleased, releaseInto } from '#server/db/test/released-worlds.ts'
import { kinds } from '#server/kinds.ts'
import { readSettings } from '#server/ops/settings.ts'
import { infoOf } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { searchable, searchText } from '#server/records/write/search-text.ts'
import { secondaryText } from '#server/records/write/secondary-text.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { bareDatabaseSettings, openBareDatabase } from '#server/test/test-database.ts'
import { type Database, type OpenDatabase, rowsOf } from './database.ts'
import { BASELINE, migrate, readMigrations } from './migrate.ts'
import { openAsItIs } from './open.ts'
import { notes, records } from './schema.ts'

type Row = Record<string, unknown>

/** Every row of every table, by column name. */
async function valuesOf(db: Database): Promise<Record<string, Row[]>> {
  const values: Record<string, Row[]> = {}
  for (const table of Object.keys(await everyRow(db))) {
    const rows = await rowsOf<{ row: Row }>(db, sql`select row_to_json(t) as row from ${sql.identifier(table)} t`)
    values[table] = rows.map(({ row }) => row)
  }
  return values
}

/** A row of an older schema with the columns that it has today. */
const asToday = (table: string, row: Row): Row => {
  const { error, column_name, note_ids, search_grams, ...kept } = row
  for (const name of ['search_text', 'mention_text', 'key']) {
    if (typeof kept[name] === 'string') kept[name] = fold(kept[name])
  }
  if (note_ids !== undefined) return { ...kept, moved: { notes: note_ids } }
  return table === 'records' || table === 'notes' || table === 'tags' || table === 'import_rows' ? kept : row
}

const withoutTimes = (rows: Record<string, string[]>): Record<string, string[]> => ({ ...rows, schema_migrations: [] })

const migrations = await readMigrations()
/** The oldest, the newest, and some between them. `npm run test:long -- measured` does all. */
const tried = migrations.filter((_, place) => process.env.LONG || place % 10 === 0 || place >= migrations.length - 3)

describe('A database of each released schema', { timeout: 120_000 }, () => {
  let fresh: OpenDatabase
  beforeAll(async () => {
    fresh = await openBareDatabase()
    await migrate(fresh.db, migrations)
  })
  afterAll(() => fresh.close())

  describe.each(tried.map(({ number }) => number))('of schema %i', (number) => {
    let database: OpenDatabase
    let before: Record<string, Row[]>
    let order: number | null | undefined
    beforeAll(async () => {
      database = await openReleased(number)
      before = await valuesOf(database.db)
      order = await newestOrder(database.db)
      await migrate(database.db, migrations)
    })
    afterAll(() => database.close())

    it('reaches the newest schema with all of its data, and a second start changes nothing', {
      tags: 'slow',
    }, async () => {
      const { db } = database
      const after = await valuesOf(db)
      for (const [table, rows] of Object.entries(before)) {
        for (const row of rows) expect(after[table], table).toContainEqual(expect.objectContaining(asToday(table, row)))
      }
      expect(after.records?.map(({ kind }) => kind).filter((kind) => kind === 'founder')).toHaveLength(2)
      const kept = await everyRow(db)
      await migrate(db, migrations)
      expect(await everyRow(db)).toEqual(kept)
    })

    it('has the same tables, indexes, references, triggers and functions as a new one', async () => {
      expect(await structureOf(database.db)).toEqual(await structureOf(fresh.db))
      expect(await leftAnywhere(database.db)).toEqual(await leftAnywhere(fresh.db))
    })

    it('has the same derived data as a recomputation', async () => {
      const { db } = database
      const kept = withoutTimes(await everyRow(db))
      await db.execute(sql`select rebuild_derived()`)
      expect(withoutTimes(await everyRow(db))).toEqual(kept)
      expect(kept.record_members?.length).toBeGreaterThan(0)
      const wrongly = sql`select id from records where search_grams is distinct from search_grams(search_text)`
      expect(await rowsOf(db, wrongly)).toEqual([])
      for (const row of await db.select().from(records)) {
        const kind = kinds.find(({ name }) => row.kind.endsWith(name)) as RecordKind
        const { lookup, searched, secondary } = kind
        expect(row.searchText).toBe(searchText(searched, { ...infoOf(row.additionalInfo), ...row }))
        expect(row.secondaryText).toBe(secondaryText(secondary, { fields: row, info: infoOf(row.additionalInfo) }))
        expect(row[lookup.column]).toBe(lookup.keyOf(row[lookup.field] ?? ''))
      }
    })

    it('finds its enriched texts and notes as those of a new one', async () => {
      const { db } = database
      const texts = await db.select({ content: notes.content, searchText: notes.searchText }).from(notes)
      expect(texts.length).toBeGreaterThan(0)
      for (const { content, searchText } of texts) expect(searchText).toBe(searchable(content))
      const mentions = await db.select({ secondaryText: records.secondaryText }).from(records)
      expect(mentions.some(({ secondaryText }) => secondaryText !== '')).toBe(true)
    })

    it('writes no audit entry about its upgrade, and continues the audit log in order', async () => {
      const { db } = database
      const count = async () => (await rowsOf<{ id: string }>(db, sql`select id from audit_log`)).length
      const written = await count()
      expect(written).toBe(before.audit_log?.length)
      expect(await newestOrder(db)).toBe(order)
      await db.execute(
        sql`update records set rating = 2, version = version + 1 where id = (select id from records limit 1)`,
      )
      expect(await count()).toBe(written + 1)
    })
  })
})

/** The number of the newest entry of the audit log. */
async function newestOrder(db: Database): Promise<number | null | undefined> {
  const [row] = await rowsOf<{ last: number | null }>(
    db,
    sql`select last_value::int as last from pg_sequences where sequencename = 'audit_order'`,
  )
  return row?.last
}

/** Schemas, extensions, sequences, and the functions of the product. */
const leftAnywhere = (db: Database) =>
  rowsOf(
    db,
    sql`select nspname collate "C" as name from pg_namespace where nspname !~ '^pg_'
      union all select extname from pg_extension
      union all select sequencename from pg_sequences where schemaname = 'public'
      union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
      order by name`,
  )

describe('An upgrade that is killed halfway', { timeout: 240_000 }, () => {
  it.each([BASELINE, migrations.at(-1)?.number ?? 0])(
    'leaves schema %i and all of its data, and the next start succeeds',
    { tags: 'slow' },
    async (number) => {
      const settings = await bareDatabaseSettings()
      const open = () =>
        openAsItIs(readSettings({ ...settings, STATEMENT_TIMEOUT_SECONDS: '60' }), quietLog, (reason) => {
          throw reason
        })
      const first = await open()
      await releaseInto(first, number)
      const before = await everyRow(first.db)
      await first.close()

      await killHalfWay(settings)

      const second = await open()
      expect(await everyRow(second.db)).toEqual(before)
      const mended = { number: 9001, name: '9001-slow.sql', statements: ['create table half (id int)'] }
      await migrate(second.db, [...migrations, mended])
      expect((await everyRow(second.db)).half).toEqual([])
      await second.close()
    },
  )
})

/** Starts the upgrade in a separate process, and kills it once the last statement is running. */
async function killHalfWay(settings: Record<string, string>): Promise<void> {
  const program = join(import.meta.dirname, 'test/upgrade-program.ts')
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
