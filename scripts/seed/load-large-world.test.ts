import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPassword } from '#server/auth/sign-in/passwords.ts'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import type { Progress } from '#server/db/progress.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { loadLargeWorld } from './load-large-world.ts'

const SIZE = { founders: 300, companies: 60, notes: 600, fellows: 8 }

/** Everything that the load drops from the tables. */
const structure = (db: Database) =>
  rowsOf(
    db,
    sql`select indexdef as made from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
      order by made`,
  )

/** Everything that triggers maintain. */
async function derived(db: Database) {
  return {
    counters: await rowsOf(
      db,
      sql`select * from counters where added + mine > 0 order by creator_id, creator_text, kind`,
    ),
    // Without `last_activity_by`: of two acts at the same time either is the last.
    records: await rowsOf(
      db,
      sql`select id, notes_count, last_note_at, last_activity_at, search_grams::text from records order by id`,
    ),
    members: await rowsOf(db, sql`select * from record_members order by record_id, account_id`),
  }
}

const counts = async (db: Database) => {
  const [row] = await rowsOf(
    db,
    sql`select (select count(*)::int from accounts) as fellows, (select count(*)::int from notes) as notes,
      (select count(*)::int from records where kind = 'founder') as founders,
      (select count(*)::int from records where kind = 'company') as companies`,
  )
  return row
}

describe('Loading a large world', () => {
  let database: OpenDatabase
  let before: unknown[]
  let fellows: { email: string }[]
  const progress: Progress[] = []
  beforeAll(async () => {
    database = await openTestDatabase()
    before = await structure(database.db)
    ;({ fellows } = await loadLargeWorld(database, { ...SIZE, onProgress: (part) => progress.push(part) }))
  })
  afterAll(() => database.close())

  it('fills the database with the requested number of rows', async () => {
    expect(await counts(database.db)).toEqual(SIZE)
  })

  it('reports the rows and seconds of each stage', () => {
    const rows = Object.fromEntries(progress.map(({ stage, rows }) => [stage, rows]))
    expect(rows).toMatchObject({ ...SIZE, 'derived data': undefined, vacuum: undefined })
    expect(progress.every(({ seconds }) => seconds >= 0)).toBe(true)
  })

  it('returns fellows who can sign in with the password of the factories', async () => {
    const rows = await rowsOf<{ email: string; password: string }>(
      database.db,
      sql`select email, password from accounts join credentials on account_id = accounts.id order by accounts.id`,
    )
    expect(rows.map(({ email }) => email)).toEqual(fellows.map(({ email }) => email))
    for (const { password } of rows) expect(await isPassword(password, PASSWORD)).toBe(true)
  })

  it('restores every index, reference and trigger', async () => {
    expect(await structure(database.db)).toEqual(before)
  })

  it('creates the same derived data as the triggers', { tags: 'slow' }, async () => {
    const { db } = database
    const loaded = await derived(db)
    const byTriggers = await db.transaction(async (tx) => {
      const copies = ['records', 'notes', 'finders'].map((name) => ({
        table: sql.identifier(name),
        copy: sql.identifier(`copy_of_${name}`),
      }))
      for (const { table, copy } of copies) {
        await tx.execute(sql`create temporary table ${copy} on commit drop as select * from ${table}`)
      }
      for (const { table } of copies.toReversed()) await tx.execute(sql`delete from ${table}`)
      expect(await derived(tx)).toEqual({ counters: [], records: [], members: [] })
      // The server adds a record with its creation as its last activity.
      await tx.execute(sql`update copy_of_records set notes_count = 0, last_note_at = 'epoch',
        last_activity_at = case when creator_id is null or is_imported then 'epoch' else created_at end,
        last_activity_by = case when not is_imported then creator_id end`)
      for (const { table, copy } of copies) await tx.execute(sql`insert into ${table} select * from ${copy}`)
      // The server adds the members for its finders.
      await tx.execute(sql`select rebuild_record(id) from (select distinct record_id as id from finders) found`)
      return derived(tx)
    })
    expect(byTriggers).toEqual(loaded)
  })
})

describe('A failed load', () => {
  it('reports the error in one sentence, and keeps no rows', { tags: 'slow' }, async () => {
    const { db, close, execute } = await openTestDatabase()
    await execute(`alter table notes add constraint never check (content = '')`)
    const before = await structure(db)
    await expect(loadLargeWorld({ db, execute } as OpenDatabase, SIZE)).rejects.toThrow(
      /^The world was not loaded, and nothing of it was kept: .*"never"$/,
    )
    expect(await counts(db)).toEqual({ fellows: 0, founders: 0, companies: 0, notes: 0 })
    expect(await structure(db)).toEqual(before)
    await close()
  })
})
