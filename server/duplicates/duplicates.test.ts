import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kinds } from '#server/kinds.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { checkNext } from './checks.ts'

let test: TestApp
let client: TestClient
let name: string
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  const fellow = await fellowOf(test)
  client = fellow.client
  name = fellow.account.name
  await test.db.execute(sql`delete from records`)
})

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Row = any

const founder = async (given: string, more: object = {}): Promise<Row> =>
  (
    await client.post('/api/founders', {
      name: given,
      linkedIn: `https://x.example/${encodeURIComponent(given)}`,
      notes: 'n',
      ...more,
    })
  ).body
const company = async (given: string, more: object = {}): Promise<Row> =>
  (await client.post('/api/companies', { name: given, notes: 'n', ...more })).body
const similar = async (path: string, query: Record<string, string>): Promise<Row[]> =>
  (await client.get(`/api/${path}/similar?${new URLSearchParams(query)}`)).body
const namesLike = async (path: string, given: string) => (await similar(path, { name: given })).map((row) => row.name)
const checkAll = async () => {
  while ((await checkNext(test.db, kinds, 50)) > 0);
}
const pairs = async (kind = 'founder') => (await client.get(`/api/duplicates?kind=${kind}`)).body

describe('Duplicates while typing', () => {
  it('have a reason, a first finder and a date', async () => {
    const { id, createdAt } = await founder('Maya Okafor')
    expect(await similar('founders', { name: 'Maya Okafor' })).toEqual([
      {
        ...{ id, name: 'Maya Okafor', picture: null, title: null, company: null, facts: null, reason: 'same_name' },
        isCertain: true,
        ...{ firstFinder: name, finders: { names: [name], count: 1, mine: true }, foundAt: createdAt, isMine: true },
      },
    ])
  })

  it('name the first finder, not another fellow with the same name', async () => {
    await founder('Maya Okafor')
    const namesake = await fellowOf(test, { name })
    const { body } = await namesake.client.get('/api/founders/similar?name=Maya+Okafor')
    expect(body).toMatchObject([{ firstFinder: name, isMine: false }])
  })

  it.each([
    ['a wrong letter', 'Maya Okafar'],
    ['two letters swapped', 'Maya Okaofr'],
    ['another order', 'Okafor, Maya'],
    ['an initial', 'M. Okafor'],
    ['a middle name', 'Maya Chidi Okafor'],
    ['other accents and case', 'MAYÁ okafor'],
  ])('are found by a name with %s', async (_what, typed) => {
    await founder('Maya Okafor')
    expect(await namesLike('founders', typed)).toEqual(['Maya Okafor'])
  })

  it.each([
    ['Bob Smith', 'Robert Smith'],
    ['José García', 'Jose Garcia'],
    ['Иван Петров', 'Ivan Petrov'],
    ['Jürgen Müller', 'Juergen Mueller'],
    ['Евгений Жуков', 'Yevgeny Zhukov'],
    ['Νίκος Αναγνώστου', 'Nikos Anagnostou'],
    ['Dmitry Khomyakov', 'Дмитрий Хомяков'],
    ['Frederik Sandvik', 'Fredrik Sandvick'],
    ['Stephanie Kowalewski', 'Stefanie Kovalevsky'],
    ['Anne-Marie Girault', 'Girault, Annemarie'],
    ['José Montero', 'Pepe Montero'],
  ])('%s is similar to %s', { tags: 'slow' }, async (one, other) => {
    await founder(one)
    expect(await namesLike('founders', other)).toEqual([one])
  })

  it.each(['Maya Osei', 'Tom Okafor', 'Maya', 'Okafor', 'Nkechi Okafor Maya Chidi Osei'])(
    '%s is not like Maya Okafor',
    async (typed) => {
      await founder('Maya Okafor')
      expect(await namesLike('founders', typed)).toEqual([])
    },
  )

  it('are found by the LinkedIn profile in any spelling, with the most certain reason', async () => {
    await founder('Maya Okafor', { linkedIn: 'https://www.linkedin.com/in/Maya-O/' })
    const typed = { name: 'Maya Okafor', linkedIn: 'linkedin.com/in/maya-o?x=1' }
    expect((await similar('founders', typed)).map(({ reason }) => reason)).toEqual(['linkedin'])
  })

  it('name the company when it is equal as well', async () => {
    const { id } = await founder('Maya Okafor')
    await test.db.execute(sql`update records set additional_info = '{"current_company": "Acme"}' where id = ${id}`)
    const [found] = await similar('founders', { name: 'M Okafor', company: 'acme' })
    expect(found.reason).toBe('name_company')
  })

  it.each([
    ['Acme Robotics', 'ACME Robotics, Inc.'],
    ['Data Bricks', 'Databricks GmbH'],
    ['Northwind', 'Northwind Labs'],
    ['Café Solaire', 'Cafe Solaire SAS'],
    ['Pastificio Morandi', 'Pastificio Morandi S.r.l.'],
    ['Raíz Andina', 'Raíz Andina S. de R.L. de C.V.'],
    ['星辰智能', '星辰智能科技有限公司'],
    ['ООО «Вектор Плюс»', 'Vektor Plyus'],
    ['Brightwater', 'Brightwtaer'],
    ['www.larkspur.ai', 'Larkspur'],
  ])('a company %s is similar to %s', async (one, other) => {
    await company(one)
    expect(await namesLike('companies', other)).toEqual([one])
  })

  it.each(['Other Robotics Inc', 'Acme Foods', 'Robotics'])('%s is not like Acme Robotics Inc', async (typed) => {
    await company('Acme Robotics Inc')
    expect(await namesLike('companies', typed)).toEqual([])
  })

  it('a company is found by its domain', async () => {
    await company('Anything', { website: 'https://www.acme.example/about' })
    expect((await similar('companies', { website: 'acme.example' })).map(({ reason }) => reason)).toEqual(['domain'])
  })

  it('are at most three, best first', async () => {
    for (const given of ['Maya Okafar', 'Maya Okafor', 'Maya Okofor', 'M. Okafor', 'Maya Okafor-Lee'])
      await founder(given)
    const found = await namesLike('founders', 'Maya Okafor')
    expect([found[0], found.length]).toEqual(['Maya Okafor', 3])
  })

  it.each(['founders', 'companies'])('return 400 for %s without a name and an address', async (path) => {
    const answer = await client.get(`/api/${path}/similar`)
    expect([answer.status, answer.body.error]).toEqual([400, 'Give a name or an address'])
  })

  it.each(['%', "'; drop table records", '\\', '🦊', 'x'.repeat(200), '--', '́'])('treat %j as text', async (typed) => {
    expect((await client.get(`/api/founders/similar?name=${encodeURIComponent(typed)}`)).status).toBe(200)
  })
})

describe('Review', () => {
  it('lists pairs with reasons, best first, page by page', async () => {
    const link = { linkedIn: 'https://www.linkedin.com/in/same' }
    const [a, b] = [await founder('Maya Okafor', link), await founder('Tom Baker', link)]
    const [c, d] = [await founder('Lin Chen'), await founder('Lin Cheng')]
    await checkAll()
    const first = await client.get('/api/duplicates?kind=founder&limit=1')
    expect(first.body.map((pair: Row) => [[pair.a.id, pair.b.id].sort(), pair.reasons])).toEqual([
      [[a.id, b.id].sort(), ['linkedin']],
    ])
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] as string
    const second = await client.get(next)
    expect(second.body.map((pair: Row) => [[pair.a.id, pair.b.id].sort(), pair.reasons])).toEqual([
      [[c.id, d.id].sort(), ['name']],
    ])
    expect(second.headers.link).toBeUndefined()
    expect(await pairs('company')).toEqual([])
  })

  it.each([
    ['kind=person', 'kind'],
    ['kind=founder&cursor=x', 'cursor'],
    ['', 'kind'],
  ])('refuses ?%s at its field', async (query, field) => {
    const { status, body } = await client.get(`/api/duplicates?${query}`)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })

  it('stores Not the same for the pair, for everyone', async () => {
    const [a, b] = [await founder('Lin Chen'), await founder('Lin Cheng')]
    await checkAll()
    expect((await client.post('/api/duplicates/dismiss', { a: a.id, b: b.id })).status).toBe(204)
    await test.db.execute(sql`update records set name = 'Lin Chen ', version = version + 1 where id = ${a.id}`)
    await checkAll()
    expect(await pairs()).toEqual([])
  })

  it('offers a dismissed pair again only when an address becomes equal', async () => {
    const [a, b] = [await founder('Lin Chen'), await founder('Lin Cheng')]
    await client.post('/api/duplicates/dismiss', { a: b.id, b: a.id })
    await checkAll()
    expect(await pairs()).toEqual([])
    for (const { id } of [a, b]) {
      await test.db.execute(sql`update records set additional_info = '{"email": "Lin@acme.example"}' where id = ${id}`)
    }
    await checkAll()
    expect((await pairs()).map((pair: Row) => pair.reasons)).toEqual([['email', 'name']])
  })

  it('deletes a pair that is no longer similar, or was merged or deleted', { tags: 'slow' }, async () => {
    const [a, b, c] = [await founder('Lin Chen'), await founder('Lin Cheng'), await founder('Lin Chenn')]
    await checkAll()
    expect((await pairs()).length).toBeGreaterThan(1)
    await client.delete(`/api/founders/${c.id}`)
    expect((await pairs()).length).toBe(1)
    const merged = await client.post('/api/records/merge', {
      ...{ survivorId: a.id, duplicateId: b.id, versions: { [a.id]: 1, [b.id]: 1 } },
    })
    await checkAll()
    expect(await pairs()).toEqual([])
    await client.post(`/api/merges/${merged.body.mergeId}/undo`, {})
    await checkAll()
    expect((await pairs()).length).toBe(1)
    await test.db.execute(sql`update records set name = 'Ada', search_text = 'ada' where id = ${b.id}`)
    await checkAll()
    expect(await pairs()).toEqual([])
  })

  it('refuses a record and itself, another kind, and ids of no record', async () => {
    const [a, b] = [await founder('Lin Chen'), await company('Lin Chen')]
    const dismiss = (one: string, other: string) => client.post('/api/duplicates/dismiss', { a: one, b: other })
    expect((await dismiss(a.id, a.id)).body.fields).toHaveProperty('b')
    expect((await dismiss(a.id, b.id)).body.fields).toHaveProperty('b')
    expect((await dismiss(a.id, '01890000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await dismiss('x', a.id)).status).toBe(400)
  })
})
