import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { kinds } from '#server/kinds.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { loadLargeWorld } from '../../scripts/seed/load-large-world.ts'
import { checkNext } from './checks.ts'

let test: TestApp
let client: TestClient
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  client = (await fellowOf(test)).client
  await test.db.execute(sql`delete from records`)
})

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Row = any

const checkAll = async () => {
  while ((await checkNext(test.db, kinds, 50)) > 0);
}
const queued = async () =>
  (await rowsOf<{ name: string }>(test.db, sql`select name from duplicate_checks join records on id = record_id`)).map(
    (row) => row.name,
  )
const pairs = async (kind: string): Promise<Row[]> => (await client.get(`/api/duplicates?kind=${kind}`)).body

/** As an import adds them. */
const addQuietly = (count: number) =>
  test.db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('sourcebook.quiet', 'on', true)`)
    const made = []
    for (let at = 0; at < count; at += 1) made.push(await makeFounder(tx))
    return made
  })

describe("A fellow's own change is compared before the records of an import", () => {
  it('when they add a record', { tags: 'slow' }, async () => {
    await addQuietly(30)
    const linkedIn = 'https://www.linkedin.com/in/maya'
    for (const name of ['Maya Okafor', 'M. Okafor']) await client.post('/api/founders', { name, linkedIn, notes: 'n' })
    await checkNext(test.db, kinds)
    expect((await pairs('founder')).map((pair) => pair.reasons)).toContainEqual(['linkedin', 'name'])
    expect(await queued()).not.toContain('Maya Okafor')
  })

  it.each([
    ['edit a record that an import has added', (id: string) => client.put(`/api/founders/${id}`, { rating: 2 })],
    ['note something on it', (id: string) => client.post(`/api/notes/founder/${id}`, { content: 'Met' })],
  ])('when they %s', { tags: 'slow' }, async (_what, change) => {
    const made = await addQuietly(30)
    const last = made
      .map(({ id }) => id)
      .sort()
      .at(-1) as string
    await client.post(`/api/records/${last}/finders`, {})
    expect((await change(last)).status).toBeLessThan(300)
    await checkNext(test.db, kinds, 1)
    const left = await rowsOf(test.db, sql`select from duplicate_checks where record_id = ${last}`)
    expect(left).toEqual([])
  })
})

describe('Every record is compared', () => {
  it('of a seeded world too', { tags: 'slow' }, async () => {
    const other = await startTestApp()
    try {
      const size = { founders: 20, companies: 10, notes: 5, fellows: 2 }
      await loadLargeWorld(other.database, { ...size, until: new Date('2026-11-01') })
      const [row] = await rowsOf<{ count: number }>(
        other.db,
        sql`select count(*)::int as count from duplicate_checks where priority = 0`,
      )
      expect(row?.count).toBe(30)
    } finally {
      await other.close()
    }
  })
})

describe('A pair marked as not the same', () => {
  const dismiss = (a: { id: string }, b: { id: string }) => client.post('/api/duplicates/dismiss', { a: a.id, b: b.id })
  const email = (id: string, address: string) =>
    test.db.execute(
      sql`update records set additional_info = jsonb_build_object('email', ${address}::text) where id = ${id}`,
    )

  const move = (id: string, host: string) =>
    test.db.execute(sql`update records set website = ${`https://${host}`}, domain_key = ${host} where id = ${id}`)

  it('is not offered again for an address that was equal before, also when it was not compared yet', async () => {
    const linkedIn = 'https://www.linkedin.com/in/maya'
    const [a, b] = [await makeFounder(test.db, { linkedIn }), await makeFounder(test.db, { linkedIn })]
    expect((await dismiss(a, b)).status).toBe(204)
    await checkAll()
    expect(await pairs('founder')).toEqual([])
  })

  it('is offered again when an address that was equal differed in between', async () => {
    const [a, b] = [await makeFounder(test.db, { name: 'Lin Chen' }), await makeFounder(test.db, { name: 'Lin Cheng' })]
    for (const { id } of [a, b]) await email(id, 'lin@acme.example')
    await checkAll()
    await dismiss(a, b)
    await email(a.id, 'other@acme.example')
    await checkAll()
    expect(await pairs('founder')).toEqual([])
    await email(a.id, 'LIN@acme.example')
    await checkAll()
    expect((await pairs('founder')).map((pair) => pair.reasons)).toEqual([['email', 'name']])
  })

  it('is not offered again because names or companies become equal', async () => {
    const [a, b] = [await makeFounder(test.db, { name: 'Lin Chen' }), await makeFounder(test.db, { name: 'Lin Cheng' })]
    await checkAll()
    await dismiss(a, b)
    await test.db.execute(
      sql`update records set name = 'Lin Chen', search_text = 'lin chen', additional_info = '{"current_company": "Acme"}' where id in (${a.id}, ${b.id})`,
    )
    await checkAll()
    expect(await pairs('founder')).toEqual([])
  })

  it('of companies is offered again when one site becomes a subdomain of the other', async () => {
    const [a, b] = [await makeCompany(test.db), await makeCompany(test.db)]
    await dismiss(a, b)
    await checkAll()
    await move(a.id, 'acme.example')
    await move(b.id, 'shop.acme.example')
    await checkAll()
    expect((await pairs('company')).map((pair) => pair.reasons[0])).toEqual(['domain'])
    await dismiss(a, b)
    await test.db.execute(sql`update records set name = name || '!' where id = ${a.id}`)
    await checkAll()
    expect(await pairs('company')).toEqual([])
  })
})
