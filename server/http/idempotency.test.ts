import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { channels } from '#server/db/schema.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { deleteOldKeys } from './idempotency.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const fellow = async () => (await fellowOf(test, { role: 'manager' })).client
const sent = (key: string) => ({ headers: { 'idempotency-key': key } })
const post = (client: TestClient, path: string, body: object, key: string) => client.post(path, body, sent(key))
let made = 0
const newKey = () => `key-${++made}`

/** Everything that can be created: path, input, another valid input, and response. */
const MAKING = [
  {
    what: 'a founder',
    where: async () => '/api/founders',
    body: { name: 'Ada', linkedIn: 'https://linkedin.com/in/ada', notes: 'Met at demo day' },
    otherwise: { name: 'Ben', linkedIn: 'https://linkedin.com/in/ada', notes: 'Met at demo day' },
    id: (answer: { id: string }) => answer.id,
    table: sql`records where kind = 'founder'`,
  },
  {
    what: 'a company',
    where: async () => '/api/companies',
    body: { name: 'Analytical Engines', notes: 'Met at demo day' },
    otherwise: { name: 'Analytical Engines', notes: 'Met at demo day', rating: 9 },
    id: (answer: { id: string }) => answer.id,
    table: sql`records where kind = 'company'`,
  },
  {
    what: 'a note',
    where: async () => `/api/notes/founder/${(await makeFounder(test.db)).id}`,
    body: { content: 'Call her back' },
    otherwise: { content: 'Call him back' },
    id: (answer: { note: { id: string } }) => answer.note.id,
    table: sql`notes`,
  },
  {
    what: 'a saved search',
    where: async () => '/api/searches',
    body: { name: 'Berlin', kind: 'founder', query: 'search=berlin' },
    otherwise: { name: 'Berlin', kind: 'founder', query: 'search=paris' },
    id: (answer: { id: string }) => answer.id,
    table: sql`saved_searches`,
  },
  {
    what: 'a channel',
    where: async () => '/api/programme/channels',
    body: { name: 'Team', kind: 'slack', address: 'https://hooks.slack.com/services/T1/B1/secret' },
    otherwise: { name: 'Team', kind: 'slack', address: 'https://hooks.slack.com/services/T1/B1/other' },
    id: (answer: { id: string }) => answer.id,
    table: sql`channels`,
  },
]

afterEach(() => test.db.delete(channels))

describe.each(MAKING)('Creating $what with an Idempotency-Key', ({ where, body, otherwise, id, table }) => {
  const count = async () => (await rowsOf<{ n: number }>(test.db, sql`select count(*)::int as n from ${table}`))[0]?.n

  it('a second time returns 201 with the first result', async () => {
    const [client, path, key] = [await fellow(), await where(), newKey()]
    const first = await post(client, path, body, key)
    const before = await count()
    const again = await post(client, path, body, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(await count()).toBe(before)
  })

  it('twenty times at the same time creates one', { tags: 'slow' }, async () => {
    const [client, path, key] = [await fellow(), await where(), newKey()]
    await client.get('/api/auth/me')
    const before = (await count()) ?? 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(client, path, body, key)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map((answer) => id(answer.body))).size).toBe(1)
    expect(await count()).toBe(before + 1)
  })

  it('that was used for other content returns 422 with a sentence, and creates nothing', async () => {
    const [client, path, key] = [await fellow(), await where(), newKey()]
    await post(client, path, body, key)
    const before = await count()
    const answer = await post(client, path, otherwise, key)
    expect(answer).toMatchObject({ status: 422, body: { error: expect.stringMatching(/^This was already saved/) } })
    expect(await count()).toBe(before)
  })

  it('is scoped to the account: the same key of two fellows creates two, and a repeat returns their own', async () => {
    const [fellows, path, key] = [[await fellow(), await fellow()], await where(), newKey()]
    const create = async () => {
      const answers = []
      for (const client of fellows) answers.push(await post(client, path, body, key))
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      return answers.map((answer) => id(answer.body))
    }
    const ids = await create()
    expect(new Set(ids).size).toBe(2)
    expect(await create()).toEqual(ids)
  })

  it('can be used again when the first attempt was refused', async () => {
    const [client, path, key] = [await fellow(), await where(), newKey()]
    expect((await post(client, path, {}, key)).status).toBe(400)
    expect((await post(client, path, body, key)).status).toBe(201)
  })

  it('that has expired after a day creates another', async () => {
    const [client, path, key] = [await fellow(), await where(), newKey()]
    const first = await post(client, path, body, key)
    const age = (hours: number) =>
      test.db.execute(
        sql`update idempotency_keys set made_at = now() - make_interval(hours => ${hours}::int) where key = ${key}`,
      )
    await age(23)
    expect(id((await post(client, path, body, key)).body)).toBe(id(first.body))
    await age(25)
    expect(id((await post(client, path, body, key)).body)).not.toBe(id(first.body))
    await age(25)
    await deleteOldKeys(test.db)
    expect(await rowsOf(test.db, sql`select key from idempotency_keys where key = ${key}`)).toEqual([])
  })

  it.each(['', 'a b', 'ä', 'k'.repeat(65)])('of %j returns 400 at its field', async (key) => {
    const client = await fellow()
    const answer = await post(client, await where(), body, key)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['idempotency-key']])
  })
})

describe('A key after its record was deleted', () => {
  it('returns 404 for a founder that was deleted, and does not bring it back', async () => {
    const [client, key] = [await fellow(), newKey()]
    const body = { name: 'Ada', linkedIn: 'https://linkedin.com/in/ada', notes: 'n' }
    const { body: founder } = await post(client, '/api/founders', body, key)
    await client.delete(`/api/founders/${founder.id}`)
    expect((await post(client, '/api/founders', body, key)).status).toBe(404)
  })

  it('returns 404 for a note on an unknown record, each time', async () => {
    const [client, key] = [await fellow(), newKey()]
    const path = '/api/notes/founder/01900000-0000-7000-8000-000000000000'
    expect((await post(client, path, { content: 'x' }, key)).status).toBe(404)
    expect((await post(client, path, { content: 'x' }, key)).status).toBe(404)
  })

  it('returns 404 for a channel that was removed, and does not bring it back', async () => {
    const [client, key] = [await fellow(), newKey()]
    const body = { name: 'Team', kind: 'slack', address: 'https://hooks.slack.com/services/T1/B1/secret' }
    const { body: channel } = await post(client, '/api/programme/channels', body, key)
    await client.delete(`/api/programme/channels/${channel.id}`)
    expect((await post(client, '/api/programme/channels', body, key)).status).toBe(404)
  })

  it('used under another address returns 422', async () => {
    const [client, key] = [await fellow(), newKey()]
    const [one, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    expect((await post(client, `/api/notes/founder/${one.id}`, { content: 'x' }, key)).status).toBe(201)
    expect((await post(client, `/api/notes/founder/${other.id}`, { content: 'x' }, key)).status).toBe(422)
  })
})
