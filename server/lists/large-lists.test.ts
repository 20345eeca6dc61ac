import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sortNames } from '#contract/record.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { companyKind } from '#server/companies/kind.ts'
import { rowsOf } from '#server/db/database.ts'
import { moveAll } from '#server/records/test/large-pipelines.ts'
import {
  expectedIds,
  filtersOf,
  type ListWorld,
  nextOf,
  parametersOf,
  RULES,
  type Seen,
} from '#server/records/test/list-world.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { loadLargeWorld } from '../../scripts/seed/load-large-world.ts'

/** More companies than are scanned completely. One kind is enough, since loading them takes most of the time. */
const WORLD = { founders: 10, companies: 5_050, notes: 500, fellows: 12 }
/** `npm run test:long -- measured` does the larger number. */
const RUNS = process.env.LONG ? 25 : 10
const PAGES = 3

let test: TestApp
let client: TestClient
let world: ListWorld
beforeAll(async () => {
  test = await startTestApp()
  await loadLargeWorld(test.database, { ...WORLD, until: new Date('2026-11-01'), more: moveAll })
  const accounts = await rowsOf<{ id: string; publicId: string; email: string }>(
    test.db,
    sql`select id, public_id as "publicId", email from accounts order by email`,
  )
  client = test.visitor()
  await client.post('/api/auth/login', { email: accounts[0]?.email, password: PASSWORD })
  const fellows = accounts.map(({ id, publicId, email }) => ({ account: { id, email }, publicId })) as never
  const tags = await makeTags(accounts.map(({ id }) => id))
  const stages = (await client.get('/api/stages')).body
  world = { kind: companyKind, fellows, records: await recordsOf(companyKind.name, accounts), stages, tags }
})
afterAll(() => test.close())

/** A tag of a third of the companies, and one of few. */
async function makeTags([by]: string[]): Promise<string[]> {
  const tags = ['01900000-0000-7000-8000-0000000000a1', '01900000-0000-7000-8000-0000000000a2']
  for (const [at, id] of tags.entries()) {
    await test.db.execute(sql`insert into tags (id, name, key) values (${id}, ${`Tag ${at}`}, ${`tag ${at}`})`)
    await test.db.execute(sql`
      insert into record_tags (id, record_id, kind, tag_id, created_at, added_by)
      select gen_random_uuid(), id, kind, ${id}, created_at, ${by} from records
      where abs(hashtext(id::text)) % ${at === 0 ? 3 : 200} = 0`)
  }
  await test.db.execute(sql`analyze record_tags`)
  return tags
}

/** Read with the simplest statement: over the API it would take minutes. */
async function recordsOf(kind: string, accounts: { id: string; email: string }[]): Promise<Seen[]> {
  const at = (time: string) => sql.raw(`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  const rows = await rowsOf<Seen & { creator: string; finders: string[]; authors: string[] }>(
    test.db,
    sql`select id, name, records.notes, rating::int, is_rated as "isRated", ${at('records.created_at')} as "createdAt",
        ${at('records.last_activity_at')} as "lastActivityAt",
        linked_in as "linkedIn", website, coalesce(additional_info, '{}') as info, coalesce(creator_id::text, creator_text) as creator,
        array(select account_id::text from finders where record_id = records.id) as finders, coalesce(${at('thread.at')}, '') as "lastNoteAt", coalesce(thread.authors, '{}') as authors,
        json_build_object(
          'stage', (select json_build_object('id', stages.id, 'name', stages.name) from stages where stages.id = stage_id),
          'responsible', (select json_build_object('id', public_id, 'name', email) from accounts where accounts.id = responsible_id),
          'status', status, 'nextOn', next_on
        ) as pipeline,
        (select coalesce(json_agg(json_build_object('author', email, 'at', round(extract(epoch from noted.created_at) * 1000))), '[]')
          from notes noted join accounts on accounts.id = noted.author_id where noted.record_id = records.id) as "notesOf",
        array(select json_build_object('id', tag_id) from record_tags where record_id = records.id and is_shown) as tags,
        (select coalesce(json_agg(json_build_object(
          'stage', json_build_object('id', stay.stage_id), 'enteredAt', ${at('stay.entered_at')}, 'leftAt', ${at('stay.left_at')}
        )), '[]') from stage_changes stay where stay.record_id = records.id) as stays
      from records left join (
        select record_id, max(created_at) as at, array_agg(author_id::text) as authors from notes group by record_id
      ) thread on record_id = id
      where kind = ${kind}`,
  )
  return rows.map(({ creator, finders, authors, ...row }) => ({
    ...row,
    foundBy: accounts.map(({ id, email }) => [id, email].includes(creator) || finders.includes(id)),
    notedBy: accounts.map(({ id }) => authors.includes(id)),
  }))
}

describe('A search of more than 5,000 companies', () => {
  it('finds exactly what contains the term, with any filters, in every order, page by page', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    const { records } = world
    const record = fc.constantFrom(...records)
    // A part of a text that some records have: common, rare or unique; or one that none have.
    const term = fc.oneof(
      fc
        .tuple(record, fc.constantFrom('name' as const, 'notes' as const), fc.nat(60), fc.integer({ min: 1, max: 9 }))
        .map(
          ([one, field, from, length]) =>
            one[field]
              .slice(from % one[field].length)
              .slice(0, length)
              .trim() || 'a',
        ),
      fc.constantFrom('the', 'e', 'qzxj', 'zq'),
    )
    const days = fc.tuple(record, record).map((pair) => pair.map(({ createdAt }) => createdAt.slice(0, 10)))
    const valuesOf = (name: string) => {
      if (name.startsWith('added')) return days.map(([day]) => day as string)
      if (name === 'industry') return record.map(({ info }) => String(info.industry ?? 'None'))
      return fc.constantFrom(...(RULES[name]?.values(world) ?? []))
    }
    const names = filtersOf(world.kind).filter((name) => name !== 'search')
    const filters = fc.record(Object.fromEntries(names.map((name) => [name, valuesOf(name)])), { requiredKeys: [] })
    const few = fc
      .tuple(filters, fc.subarray(names, { maxLength: 2 }))
      .map(([all, chosen]) => Object.fromEntries(Object.entries(all).filter(([name]) => chosen.includes(name))))
    const shown = fc.record({ sort: fc.constantFrom(...sortNames), limit: fc.constantFrom(3, 50, 500) })
    const counts: number[] = []
    await fc.assert(
      fc.asyncProperty(term, few, shown, async (search, more, { sort, limit }) => {
        const given = { search, ...more } as Record<string, string>
        const expected = expectedIds({ world, caller: 0 }, given, sort)
        counts.push(expected.length)
        const ids: string[] = []
        const account = world.fellows[0]?.account as Account
        const parameters = await parametersOf(test.db, account, { ...given, sort, limit: String(limit) })
        let next: string | undefined = `/api/companies?${parameters}`
        for (let page = 0; next !== undefined && page < PAGES; page += 1) {
          const { status, body, headers } = await client.get(next)
          expect([given, status]).toEqual([given, 200])
          ids.push(...body.map(({ id }: { id: string }) => id))
          next = nextOf(headers.link)
          const total = headers['x-total-count'] as string | undefined
          if (page > 0) expect(total).toBeUndefined()
          else if (total?.endsWith('+')) {
            expect(Number.parseInt(total, 10)).toBeLessThan(expected.length)
            expect(Number.parseInt(total, 10)).toBeGreaterThanOrEqual(body.length)
          } else expect([given, total]).toEqual([given, String(expected.length)])
        }
        expect({ given, sort, ids }).toEqual({ given, sort, ids: expected.slice(0, PAGES * limit) })
        expect(next === undefined).toBe(expected.length <= PAGES * limit)
      }),
      { numRuns: RUNS },
    )
    expect(Math.max(...counts)).toBeGreaterThan(50)
  })
})
