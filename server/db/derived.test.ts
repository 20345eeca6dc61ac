import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { derived as inReports } from '#server/records/record-data.ts'
import { factoryOf, makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { type OpenDatabase, rowsOf } from './database.ts'
import { records } from './schema.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase(undefined, 10)
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.execute(sql`truncate accounts, records, counters, record_members, pipeline_counts cascade`)
})

const DERIVED = [
  sql`select creator_id, creator_text, kind, added::int, mine::int from counters where added + mine > 0 order by 1, 2, 3`,
  sql`select record_id, kind, account_id, created_at::text, is_owner, notes_count from record_members order by 1, 3`,
  sql`select id, kind, notes_count, last_note_at::text from records order by 1`,
  sql`select kind, stage_id, status, count::int from pipeline_counts where count > 0 order by 1, 2, 3`,
]
const derived = () => Promise.all(DERIVED.map((query) => rowsOf(database.db, query)))

/** Founders and companies of three fellows, some imported, with notes of all of them on most. */
async function makeWorld(): Promise<{ fellows: Account[]; founders: string[]; companies: string[] }> {
  const { db } = database
  const fellows: Account[] = []
  for (const email of ['a@mit.edu', 'b@mit.edu', 'c@mit.edu']) fellows.push(await makeAccount(db, { email }))
  const of = (index: number) => fellows[index % 3] as Account
  const founders: string[] = []
  const companies: string[] = []
  for (let index = 0; index < 6; index += 1) {
    founders.push((await makeFounder(db, { creator: of(index) })).id)
    companies.push((await makeCompany(db, { creator: of(index + 1) })).id)
  }
  for (const [index, creatorText] of ['B@mit.edu', 'b@mit.edu', 'Imported'].entries()) {
    const [founder, company] = [uuidv7(), uuidv7()]
    await db.execute(sql`insert into records (id, kind, name, linked_in, notes, rating, search_text, creator_text)
      values (${founder}, 'founder', 'x', 'x', 'x', ${index + 1}, 'x', ${creatorText})`)
    await db.execute(sql`insert into records (id, kind, name, notes, rating, search_text, creator_text)
      values (${company}, 'company', 'x', 'x', ${index + 1}, 'x', ${creatorText})`)
    founders.push(founder)
    companies.push(company)
  }
  for (const [index, founder] of founders.entries()) {
    for (let count = 0; count < index % 4; count += 1) await makeNote(db, { founder, author: of(index + count) })
  }
  for (const [index, company] of companies.entries()) {
    for (let count = 0; count < index % 5; count += 1) await makeNote(db, { company, author: of(index * count) })
  }
  await db.execute(sql`
    update records set stage_id = (select id from stages where position = 1 + records.rating % 3), pipeline_version = 1
    where creator_id is not null`)
  await db.execute(sql`update records set status = 'on_hold', pipeline_version = 2 where notes_count > 1`)
  return { fellows, founders, companies }
}

describe('Derived data of records and notes', () => {
  it('equals a fresh computation after any additions, changes and deletions', { tags: 'slow' }, async () => {
    const { db } = database
    const { fellows, founders, companies } = await makeWorld()
    await db.execute(sql`delete from notes where id in (select id from notes order by content limit 6)`)
    await db.execute(sql`delete from records where id = ${founders[3]}`)
    await db.execute(sql`delete from records where id = ${companies[4]}`)
    await db.execute(sql`update records set created_at = created_at - interval '40 days' where id = ${founders[2]}`)
    await db.execute(sql`update accounts set email_verified = true where id = ${fellows[1]?.id}`)
    await db.execute(sql`delete from records where id = ${founders[7]}`)
    const kept = await derived()
    expect(kept.every((rows) => rows.length > 1)).toBe(true)
    await db.execute(sql`select rebuild_derived()`)
    expect(await derived()).toEqual(kept)
  })

  it('can be rebuilt from scratch', { tags: 'slow' }, async () => {
    const { db } = database
    await makeWorld()
    const kept = await derived()
    await db.execute(sql`update records set notes_count = 99, last_note_at = now()`)
    await db.execute(sql`delete from record_members`)
    await db.execute(sql`delete from counters`)
    await db.execute(sql`delete from pipeline_counts`)
    await db.execute(sql`select rebuild_derived()`)
    expect(await derived()).toEqual(kept)
  })

  it('gives an imported record to its owner when the address is verified, and not before', {
    tags: 'slow',
  }, async () => {
    const { db } = database
    const { fellows } = await makeWorld()
    const owned = () =>
      rowsOf(
        db,
        sql`select rating from records join record_members on record_id = id
        where records.kind = 'founder' and account_id = ${fellows[1]?.id} and is_owner and creator_id is null order by 1`,
      )
    expect(await owned()).toEqual([])
    await db.execute(sql`update accounts set email_verified = true where id = ${fellows[1]?.id}`)
    expect(await owned()).toEqual([{ rating: 1 }, { rating: 2 }])
  })

  it('allows concurrent deletion of records with notes of each other’s creators', { tags: 'slow' }, async () => {
    const { db } = database
    const fellows = [await makeAccount(db), await makeAccount(db), await makeAccount(db)]
    const made = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { id } = await makeFounder(db, { creator: fellows[index % 3] as Account })
        for (const author of fellows) await makeNote(db, { founder: id, author })
        return id
      }),
    )
    await Promise.all(made.map((id) => db.execute(sql`delete from records where id = ${id}`)))
    expect(await rowsOf(db, DERIVED[0] as (typeof DERIVED)[0])).toEqual([])
  })

  it('allows the same fellows to add ten records, note ten and delete ten concurrently', { tags: 'slow' }, async () => {
    const { db } = database
    const fellows = [await makeAccount(db), await makeAccount(db), await makeAccount(db)]
    const of = (index: number) => fellows[index % 3] as Account
    const make = async (index: number) => {
      const kind = index % 2 ? 'founder' : 'company'
      const { id } = await factoryOf(kind)(db, { creator: of(index) })
      return { kind, id }
    }
    const ten = Array.from({ length: 10 }, (_, index) => index)
    const [noted, deleted] = [await Promise.all(ten.map(make)), await Promise.all(ten.map(make))]
    for (const { id, kind } of deleted) for (const author of fellows) await makeNote(db, { [kind]: id, author })
    await Promise.all([
      ...ten.map(make),
      ...noted.map(({ id, kind }, index) => makeNote(db, { [kind]: id, author: of(index + 1) })),
      ...deleted.map(({ id }) => db.execute(sql`delete from records where id = ${id}`)),
    ])
    const kept = await derived()
    await db.execute(sql`select rebuild_derived()`)
    expect(await derived()).toEqual(kept)
  })
})

describe('The derived columns of records', () => {
  const world = async () => {
    const { db } = database
    const account = await makeAccount(db)
    const { id } = await makeFounder(db, { creator: account })
    await makeNote(db, { founder: id, author: account })
    await db.execute(sql`insert into opinions (id, record_id, kind, account_id, rating, is_after_reading)
      values (${uuidv7()}, ${id}, 'founder', ${account.id}, 3, false)`)
    await db.execute(
      sql`update records set stage_id = (select id from stages where position = 1), pipeline_version = 1`,
    )
    return id
  }
  const columns = () =>
    rowsOf<{ name: string }>(database.db, sql`select name from derived_columns() order by 1`).then((rows) =>
      rows.map(({ name }) => name),
    )
  const values = async () =>
    rowsOf<Record<string, string>>(
      database.db,
      sql`select ${sql.raw((await columns()).map((name) => `${name}::text`).join(', '))} from records`,
    )
  /** Gives each of them another value. */
  const spoil = () =>
    database.db.execute(sql`update records set notes_count = 9, last_note_at = now(), last_activity_at = '2020-01-01', last_activity_by = null, has_opinions = not has_opinions,
      reached = '{}', stage_since = null, stage_spent = 5, is_united = true`)

  it('are those that reports know as such, and the audit log watches none of them', async () => {
    const named = Object.keys(inReports).map((name) => records[name as keyof typeof inReports].name)
    expect(await columns()).toEqual(named.toSorted())
    const [trigger] = await rowsOf<{ text: string }>(
      database.db,
      sql`select pg_get_triggerdef(oid) as text from pg_trigger where tgname = 'records_audited'`,
    )
    expect(trigger?.text.match(/\w+/g)).toContain('rating')
    for (const name of named) expect(trigger?.text.match(/\w+/g)).not.toContain(name)
  })

  it.each(['rebuild_record(id) from records', 'rebuild_derived()'])('are computed by %s', async (call) => {
    await world()
    const kept = await values()
    await spoil()
    const spoiled = await values()
    for (const name of await columns()) expect(spoiled[0]?.[name], name).not.toEqual(kept[0]?.[name])
    await database.db.execute(sql`select ${sql.raw(call)}`)
    expect(await values()).toEqual(kept)
  })

  it('of a new record are those of a recomputation', async () => {
    await makeFounder(database.db)
    const kept = await values()
    await spoil()
    await database.db.execute(sql`select rebuild_derived()`)
    expect(await values()).toEqual(kept)
  })
})
