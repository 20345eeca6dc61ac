import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

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

const add = async (path: string, given: string, more: object = {}): Promise<Row> => {
  const linkedIn = `https://x.example/${encodeURIComponent(given)}`
  const { status, body } = await client.post(`/api/${path}`, {
    ...{ name: given, notes: 'n', ...(path === 'founders' && { linkedIn }), ...more },
  })
  expect(status).toBe(201)
  return body
}
const similar = async (path: string, query: Record<string, string>): Promise<Row[]> =>
  (await client.get(`/api/${path}/similar?${new URLSearchParams(query)}`)).body
const namesLike = async (path: string, given: string) => (await similar(path, { name: given })).map((row) => row.name)

describe('Similar founders', () => {
  it.each([
    ['a surname with its final a', 'Elena Petrov', 'Elena Petrova'],
    ['a surname without its final a', 'Svetlana Kuznetsova', 'Kuznetsov, Svetlana'],
    ['a surname in another script', 'Алина Фомина', 'Alina Fomin'],
    ['an addition in brackets', 'Henrik Aalund', 'Henrik Aalund (CTO, co-founder and board member)'],
    ['a bracket that is still open', 'Henrik Aalund', 'Henrik Aalund (CTO, co-founder and bo'],
    ['the name in another script in brackets', '王晓明 (Wang Xiaoming)', '王晓明'],
    ['that name itself', '王晓明 (Wang Xiaoming)', 'Wang Xiaoming'],
    ['a Chinese name with a space', '王晓明', '王 晓明'],
    ['a Japanese name without a space', '山田 花子', '山田花子'],
    ['a Japanese name with a dot', 'タナカ・ユウコ', 'タナカユウコ'],
    ['a Korean name with a space', '김지훈', '김 지훈'],
    ['Korean words in another order', '김 지훈', '지훈 김'],
  ])('are found by %s', async (_what, one, typed) => {
    await add('founders', one)
    expect(await namesLike('founders', typed)).toEqual([one])
  })

  it.each([
    ['Justin Ashworth', 'Justina Ashworth'],
    ['Boris Zaitsev', 'Bella Zaitseva'],
    ['王海燕', '王海涛'],
    ['Amara Diallo (YC W12)', 'Bintou Sow (YC W12)'],
  ])('do not include %s for %s', async (one, typed) => {
    await add('founders', one)
    expect(await namesLike('founders', typed)).toEqual([])
  })

  it.each([
    ['same_name_company', 'MAYA okafor', 'ACME'],
    ['same_name', 'MAYA okafor', 'Other'],
    ['name_company', 'Maya Okafar', 'Acme'],
    ['name', 'Máya Okafor', ''],
  ])('have the reason %s', async (reason, typed, company) => {
    const { id } = await add('founders', 'Maya Okafor')
    await test.db.execute(sql`update records set additional_info = '{"current_company": "Acme"}' where id = ${id}`)
    const found = await similar('founders', { name: typed, ...(company && { company }) })
    expect(found.map((row) => row.reason)).toEqual([reason])
  })

  it('list an equal name before a similar one with the same company', async () => {
    await add('founders', 'Maya Okafor')
    const { id } = await add('founders', 'Maya Okafar')
    await test.db.execute(sql`update records set additional_info = '{"current_company": "Acme"}' where id = ${id}`)
    const found = await similar('founders', { name: 'Maya Okafor', company: 'Acme' })
    expect(found.map((row) => row.reason)).toEqual(['same_name', 'name_company'])
  })

  it('have picture, title and company, and the first three finders', async () => {
    const { id } = await add('founders', 'Maya Okafor')
    const picture = `/api/founders/${id}/picture?v=1`
    const info = JSON.stringify({ profile_picture_url: picture, current_title: 'CTO', current_company: 'Acme' })
    await test.db.execute(sql`update records set additional_info = ${info}::jsonb where id = ${id}`)
    const others = [await fellowOf(test), await fellowOf(test), await fellowOf(test)]
    for (const other of others) await other.client.post(`/api/records/${id}/finders`, {})
    const [found] = await similar('founders', { name: 'Maya Okafor' })
    expect(found).toMatchObject({ picture, title: 'CTO', company: 'Acme', facts: null, isMine: true })
    expect(found.finders).toEqual({
      names: [name, others[0]?.account.name, others[1]?.account.name],
      ...{ count: 4, mine: true },
    })
    const [theirs] = (await others[2]?.client.get('/api/founders/similar?name=Maya+Okafor'))?.body ?? []
    expect([theirs.isMine, theirs.finders.mine]).toEqual([false, true])
  })
})

describe('Similar companies', () => {
  it.each([
    ['a wrong letter in a long word', 'Zelkova Health', 'Zeldova Health'],
    ['a missing letter', 'Wexcombe', 'Wexcomb'],
    ['swapped letters', 'Kittiwake Payments', 'Kittwiake Payments'],
    ['a wrong first letter', 'Bramble', 'Vramble'],
    ['the first distinctive word alone', 'Bramble Foods', 'Bramble'],
    ['a word more', 'Gossamer', 'Gossamer Textiles'],
    ['an addition in brackets', 'DataCities', 'DataCities (YC W12)'],
    ['the ending .com', 'Sprocketly', 'sprocketly.com'],
    ['the ending of any web address', 'Sprocketly', 'www.sprocketly.xyz'],
    ['the ending .io', 'Sprocketly', 'Sprocketly.io'],
    ['AI in the last word', 'Trellis', 'TrellisAI'],
    ['AI as a word', 'TrellisAI', 'Trellis AI'],
    ['a web address with get', 'Bramble', 'getbramble.com'],
    ['a Chinese name with a space', '云海物流', '云海 物流'],
  ])('are found by %s', { tags: 'slow' }, async (_what, one, typed) => {
    await add('companies', one)
    expect(await namesLike('companies', typed)).toEqual([one])
  })

  it.each([
    ['Axsys', 'Acsis'],
    ['Kwikset Pay', 'Quickset Pay'],
    ['Lotus Grid', 'Locus Grid'],
    ['Harbor Cable Lines', 'Harbor'],
    ['Marigold Foods', 'Marigold Drones'],
    ['Larchwood (YC W12)', 'Fenwick (YC W12)'],
  ])('do not include %s for %s', async (one, typed) => {
    await add('companies', one)
    expect(await namesLike('companies', typed)).toEqual([])
  })

  it.each([
    ['acme.example', 'shop.acme.example', ['domain']],
    ['eu.shop.acme.example', 'acme.example', ['domain']],
    ['shop.acme.example', 'blog.acme.example', []],
    ['acme.example', 'notacme.example', []],
    ['acme-shop.example', 'shop.example', []],
  ])('with the website %s are found by %s: %j', async (one, typed, reasons) => {
    await add('companies', 'Anything', { website: `https://${one}` })
    const found = await similar('companies', { website: `https://${typed}/about` })
    expect(found.map((row) => row.reason)).toEqual(reasons)
  })

  it('have a line of facts', async () => {
    const { id } = await add('companies', 'Bramble')
    const facts = { industry: 'Food', headquarters: { city: 'Galway', address_formatted: '1 Quay St, Galway' } }
    const info = JSON.stringify({ ...facts, employee_count: 1200 })
    await test.db.execute(sql`update records set additional_info = ${info}::jsonb where id = ${id}`)
    const [found] = await similar('companies', { name: 'Bramble' })
    expect(found).toMatchObject({ facts: 'Food · Galway · 1,200 employees', picture: null, title: null, company: null })
  })
})
