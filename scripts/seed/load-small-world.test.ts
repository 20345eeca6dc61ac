import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { loadSmallWorld } from './load-small-world.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await loadSmallWorld(database.db)
})
afterAll(() => database?.close())

const count = async (query: ReturnType<typeof sql>) =>
  Number((await rowsOf<{ n: number }>(database.db, sql`select count(*) as n from (${query}) q`))[0]?.n)

describe('The small world has', () => {
  it.each([
    ['notes on different days', sql`select distinct created_at::date from notes`, 8],
    ['several finders besides creators', sql`select from finders`, 6],
    ['pairs of founders to review', sql`select from duplicate_pairs where kind = 'founder' and dismissed is null`, 2],
    ['a pair of companies to review', sql`select from duplicate_pairs where kind = 'company' and dismissed is null`, 1],
    ['a merge that can be undone', sql`select from merges where undone_at is null`, 1],
    ['notes that another fellow edited', sql`select from records where notes_edited_by <> creator_id`, 1],
    ['founders linked to companies with roles', sql`select from links where role <> ''`, 6],
    ['records without notes of fellows', sql`select from records where notes_count = 0`, 1],
    ['an imported record that is not rated', sql`select from records where is_imported and not is_rated`, 1],
    ['ratings that changed', sql`select from audit_log where before ? 'rating' and action = 'update'`, 3],
    [
      'values that were put back',
      sql`select from audit_log where after ->> 'current_title' = 'Co-founder' and before ->> 'current_title' = 'Co-founder & CEO'`,
      1,
    ],
    ['names in other scripts', sql`select from records where name ~ '[א-ת一-龥]'`, 2],
    ['records in every stage', sql`select distinct stage_id from records where stage_id is not null`, 3],
    ['every status', sql`select distinct status from records`, 4],
    ['records that were passed with a reason', sql`select from records where passing_reason_id is not null`, 2],
    ['responsible fellows', sql`select distinct responsible_id from records where responsible_id is not null`, 5],
    ['late next steps', sql`select from records where next_on < (now() at time zone 'UTC')::date`, 2],
    ['a next step of today', sql`select from records where next_on = (now() at time zone 'UTC')::date`, 1],
    ['later next steps', sql`select from records where next_on > (now() at time zone 'UTC')::date`, 3],
    [
      'stays of more than a month',
      sql`select from stage_changes where coalesce(left_at, now()) - entered_at > interval '30 days'`,
      5,
    ],
    ['stays in different months', sql`select distinct date_trunc('month', entered_at) from stage_changes`, 3],
    ['tags on several records', sql`select from record_tags group by tag_id having count(*) > 1`, 5],
    ['several opinions on one record', sql`select from opinions group by record_id having count(*) > 1`, 3],
    ['notes that name fellows', sql`select from mentions`, 4],
    ['requests for opinions', sql`select from opinion_asks`, 4],
    ['searches that are watched', sql`select from search_watches`, 3],
    ['industries to filter by', sql`select distinct additional_info ->> 'industry' from records`, 8],
  ])('%s', async (_, query, least) => {
    expect(await count(query)).toBeGreaterThanOrEqual(least)
  })

  it('a different picture for every founder that was not imported', async () => {
    const founders = sql`select from records where kind = 'founder' and not is_imported`
    const shown = sql`select distinct bytes from pictures join records on id = record_id
      where size = (select max(size) from pictures) and records.kind = 'founder'`
    expect(await count(shown)).toBe(await count(founders))
  })

  it('an audit log of fellows, in which every record was added before it was changed', async () => {
    expect(await count(sql`select from audit_log where account_id is null`)).toBe(0)
    expect(await count(sql`select from audit_log where at > now() - interval '1 hour'`)).toBe(0)
    const early = sql`select from audit_log entry join records on records.id = object_id where entry.at < records.created_at
      and merged_into is null and not is_united`
    expect(await count(early)).toBe(0)
    expect(
      await count(
        sql`select from notes join records on records.id = record_id where notes.created_at < records.created_at`,
      ),
    ).toBe(0)
  })

  it('no stay before its record was added, in the future, or of a moment', async () => {
    expect(
      await count(sql`select from stage_changes stay join records on records.id = record_id
        where entered_at < created_at or entered_at > now() - interval '1 hour' or left_at <= entered_at`),
    ).toBe(0)
  })

  it('left the clock of the product as it was', async () => {
    const [row] = await rowsOf<{ at: string }>(
      database.db,
      sql`insert into audit_log (action) values ('test') returning (at > now() - interval '1 minute')::text as at`,
    )
    expect(row?.at).toBe('true')
  })
})
