import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { kinds } from '#server/kinds.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { checkNext } from './checks.ts'

let test: TestApp
let client: TestClient
beforeAll(async () => {
  test = await startTestApp()
  client = (await fellowOf(test)).client
})
afterAll(() => test.close())

/** Two records of one name, in the order of their ids. */
async function makePair(): Promise<[string, string]> {
  const name = `Ada ${Math.random().toString(36).slice(2)}`
  const ids = [await makeFounder(test.db, { name }), await makeFounder(test.db, { name })].map(({ id }) => id)
  await compare()
  return ids.sort() as [string, string]
}
async function compare() {
  while ((await checkNext(test.db, kinds)) > 0);
}
const listed = async (a: string) =>
  (await client.get('/api/duplicates?kind=founder')).body.some((pair: { a: { id: string } }) => pair.a.id === a)
const dismiss = (a: string, b: string) => client.post('/api/duplicates/dismiss', { a, b })
const undo = (a: string, b: string) => client.delete('/api/duplicates/dismiss', { body: { a, b } })
const audited = (id: string) =>
  rowsOf<{ action: string }>(
    test.db,
    sql`select action from audit_log where object_id = ${id} and action like '%dismiss%' order by at, id`,
  )

describe('*Not the same*', () => {
  it('hides a pair for everyone until any fellow undoes it; a repetition of either changes nothing', {
    tags: 'slow',
  }, async () => {
    const [a, b] = await makePair()
    expect(await listed(a)).toBe(true)
    for (const _ of [1, 2]) expect((await dismiss(b, a)).status).toBe(204)
    expect(await listed(a)).toBe(false)
    const other = (await fellowOf(test)).client
    for (const _ of [1, 2]) {
      expect((await other.delete('/api/duplicates/dismiss', { body: { a, b } })).status).toBe(204)
      expect(await listed(a)).toBe(true)
    }
    await compare()
    expect(await listed(a)).toBe(true)
    expect(await audited(a)).toEqual([{ action: 'dismiss-duplicate' }, { action: 'undo-dismissal' }])
  })

  it('can be said of a pair that is not listed, and its undo does not list it', async () => {
    const [one, other] = [await makeFounder(test.db, { name: 'Ada' }), await makeFounder(test.db, { name: 'Zoran' })]
    const [a, b] = [one.id, other.id].sort() as [string, string]
    await compare()
    for (const act of [dismiss, undo]) expect((await act(a, b)).status).toBe(204)
    await compare()
    expect(await listed(a)).toBe(false)
  })

  it('leaves, after its undo, only what still looks the same', async () => {
    const [a, b] = await makePair()
    await dismiss(a, b)
    await test.db.execute(sql`update records set name = 'Zoe', search_text = 'zoe' where id = ${b}`)
    await undo(a, b)
    await compare()
    expect(await listed(a)).toBe(false)
  })

  it('treats two spellings of an id as one record, and refuses one record, unknown ones and other kinds', async () => {
    const [a, b] = await makePair()
    for (const method of ['POST', 'DELETE'] as const) {
      const send = (body: object) => client.call(method, '/api/duplicates/dismiss', { body })
      expect((await send({ a, b: a.toUpperCase() })).body.fields).toHaveProperty('b')
      expect((await send({ a: a.toUpperCase(), b: b.toUpperCase() })).status).toBe(204)
      expect((await send({ a, b: crypto.randomUUID() })).status).toBe(404)
      const company = (await client.post('/api/companies', { name: 'Acme', notes: 'Met' })).body
      expect((await send({ a, b: company.id })).body.fields).toHaveProperty('b')
    }
  })

  it('is deleted with either of its records', async () => {
    const [a, b] = await makePair()
    await dismiss(a, b)
    await test.db.execute(sql`delete from records where id = ${b}`)
    expect(await rowsOf(test.db, sql`select id from dismissals where a = ${a}`)).toEqual([])
  })
})
