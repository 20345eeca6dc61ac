import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { structureOf } from '#server/db/test/every-row.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { type Database, type OpenDatabase, rowsOf } from './database.ts'
import { migrate, readFunctions, readMigrations } from './migrate.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/**
 * Functions whose results are stored: a hash of the text, and the migration since which all indexes are built with it. A
 * changed text needs a migration that builds these indexes again.
 */
const STORED: Record<string, { hash: string; migration: number }> = {
  company_distinctive: { hash: 'c795a1834560', migration: 23 },
  company_form_keys: { hash: '9dc6179dfb51', migration: 23 },
  company_forms: { hash: 'f81337f45428', migration: 23 },
  company_keys: { hash: 'b125cfd62106', migration: 23 },
  company_name_key: { hash: 'bca98d4e5379', migration: 30 },
  company_place: { hash: '15900e60d738', migration: 27 },
  company_words: { hash: 'b5b9e9f1b74f', migration: 23 },
  mail_domain: { hash: 'c4436c0afa4b', migration: 30 },
  name_sounds: { hash: '26d1e3b04348', migration: 23 },
  name_words: { hash: 'b0d9cbe255d4', migration: 23 },
  person_form_keys: { hash: 'b9450ed2361f', migration: 23 },
  person_forms: { hash: '375f2bb074f1', migration: 23 },
  person_keys: { hash: '349180468153', migration: 23 },
  plain_address: { hash: '2d50df819bc9', migration: 15 },
  search_grams: { hash: 'bb02dcc95d9f', migration: 15 },
  search_words: { hash: '430c3c6044a9', migration: 28 },
  without_brackets: { hash: '44e8e768a1ef', migration: 23 },
  without_case: { hash: '7d3c68af4559', migration: 27 },
  word_keys: { hash: 'ea3c5f3c4762', migration: 28 },
}

type Stored = { hash: string; indexes: Set<string> }

/** The functions that indexes, generated columns and constraints use, also through other functions. */
async function storedFunctions(db: Database): Promise<Map<string, Stored>> {
  const texts = await rowsOf<{ name: string; text: string }>(
    db,
    sql`select proname as name, prosrc as text from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  const uses = await rowsOf<{ name: string; index: string | null }>(
    db,
    sql`select proname as name, relname as index
      from pg_depend d
      join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
      left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
      left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
      where p.pronamespace = 'public'::regnamespace
        and (c.relkind = 'i' or d.classid = 'pg_constraint'::regclass
          or (select attgenerated from pg_attribute where attrelid = a.adrelid and attnum = a.adnum) = 's')
      -- A trigger stores its result.
      union all values ('search_grams', 'founders_search'), ('search_grams', 'companies_search')`,
  )
  const stored = new Map<string, Stored>()
  const add = (name: string, index: string | null) => {
    const text =
      texts
        .find((one) => one.name === name)
        ?.text.replaceAll(/--.*$/gm, '')
        .replaceAll(/\s+/g, ' ') ?? ''
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
    const indexes = stored.get(name)?.indexes ?? new Set()
    stored.set(name, { hash, indexes: index === null ? indexes : indexes.add(index) })
    for (const other of texts) if (text.includes(`${other.name}(`) && other.name !== name) add(other.name, index)
  }
  for (const { name, index } of uses) add(name, index)
  return stored
}

describe('A function whose results an index, a generated column or a constraint stores', () => {
  it('has the text with which a migration last built these', async () => {
    const stored = await storedFunctions(database.db)
    const present = Object.fromEntries([...stored].map(([name, { hash }]) => [name, hash]))
    expect(present).toEqual(Object.fromEntries(Object.entries(STORED).map(([name, { hash }]) => [name, hash])))
    const migrations = await readMigrations()
    for (const [name, { indexes }] of stored) {
      const last = STORED[name]?.migration ?? 0
      const statements = migrations.flatMap(({ number, statements }) => (number >= last ? statements : [])).join('\n')
      for (const index of indexes) expect(statements, name).toMatch(new RegExp(`(create|reindex) index ${index}\\b`))
    }
  })
})

describe('Functions and triggers', () => {
  it('have one text each, which is in no migration', () => {
    const textsIn = (folder: string) =>
      readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.sql'))
        .map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8'))
        .join('\n')
    const madeIn = (folder: string) =>
      [...textsIn(folder).matchAll(/create (?:or replace )?(?:function|trigger) (\w+)/gi)].map(([, name]) => name)
    const made = madeIn('functions')
    expect(made.length).toBeGreaterThan(50)
    expect(made.toSorted()).toEqual([...new Set(made)].toSorted())
    expect(madeIn('migrations')).toEqual([])
  })

  it('of another version are replaced at the next start, and those of this version are left alone', {
    tags: 'slow',
  }, async () => {
    const { db, close } = await openTestDatabase()
    onTestFinished(close)
    const today = await structureOf(db)
    const written = () =>
      rowsOf(db, sql`select oid::int, xmin::text from pg_proc union all select oid::int, xmin::text from pg_trigger`)
    const before = await written()
    await migrate(db)
    expect(await written()).toEqual(before)

    await db.execute(sql`drop function equal_addresses`)
    await db.execute(
      sql`create or replace function count_notes() returns trigger language plpgsql as 'begin return null; end'`,
    )
    await db.execute(sql`drop trigger notes_counted on notes`)
    await db.execute(
      sql`create or replace trigger notes_audited after insert on notes for each row execute function audit_change('x')`,
    )
    await db.execute(sql`comment on table schema_migrations is 'another version'`)
    expect(await structureOf(db)).not.toEqual(today)
    await migrate(db)
    expect(await structureOf(db)).toEqual(today)
  })

  it('are all in the database', async () => {
    const { usedByTables, others } = await readFunctions()
    const written = [...usedByTables, ...others].flatMap((text) => text.match(/(?<=replace function )\w+/g) ?? [])
    const made = await rowsOf<{ name: string }>(
      database.db,
      sql`select proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
    )
    expect(made.map(({ name }) => name).toSorted()).toEqual(written.toSorted())
  })
})
