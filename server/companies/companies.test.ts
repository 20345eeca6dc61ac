import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { records } from '#server/db/schema.ts'
import { describeRecords } from '#server/lists/record-behaviour.ts'
import { makeAccount, makeCompany, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

const INPUT = {
  name: 'Tidewater Labs',
  website: 'https://tidewater.example',
  description: 'Finds leaks before they burst.',
  notes: 'Two pilots signed.',
  rating: 8,
}

describe('Companies', () => {
  describeRecords({
    path: '/api/companies',
    input: INPUT,
    make: makeCompany,
    makeImported: async (db, creatorText) => {
      const company = { ...INPUT, id: uuidv7(), kind: 'company' as const, creatorText, searchText: 'tidewater labs' }
      await db.insert(records).values(company)
      return company
    },
  })

  describe('What only companies have', () => {
    let test: TestApp
    let client: TestClient
    beforeAll(async () => {
      test = await startTestApp()
      const { email } = await makeAccount(test.db)
      client = test.visitor()
      await client.post('/api/auth/login', { email, password: PASSWORD })
    })
    afterAll(() => test.close())

    it.each([{}, { website: '', description: '' }, { website: '  ', description: '\n' }])(
      'website and description are optional (%j)',
      async (blank) => {
        const { website, description, ...rest } = INPUT
        const answer = await client.post('/api/companies', { ...rest, ...blank })
        expect(answer).toMatchObject({ status: 201, body: { website: null, description: null, linkedIn: null } })
      },
    )

    it('industries and places that are here are suggested, ten at most, each once, as the newest record has it', async () => {
      const values = async (of: string, search = '') =>
        (await client.get(`/api/companies/values?${new URLSearchParams({ of, search })}`)).body
      const add = (industry: string | null, city: string | null) =>
        makeCompany(test.db, { enrichment: { ...(industry && { industry }), ...(city && { headquarters: { city } }) } })
      expect(await values('industry')).toEqual([])
      await add('FinTech', 'Łódź')
      await add('Fintech', 'Berlin')
      await add('Fintech lending', 'BERLIN')
      await add('AdTech', null)
      const gone = await add('Finance', 'Bern')
      await test.db
        .update(records)
        .set({ kind: 'deleted-company' as never })
        .where(eq(records.id, gone.id))
      expect(await values('industry', 'FIN')).toEqual(['Fintech', 'Fintech lending'])
      expect(await values('industry')).toEqual(['AdTech', 'Fintech', 'Fintech lending'])
      expect(await values('place', 'łÓ')).toEqual(['Łódź'])
      expect(await values('place', 'ber')).toEqual(['BERLIN'])
      expect(await values('place', '%')).toEqual([])
      for (let number = 0; number < 12; number += 1) await add(`Finery ${number}`, null)
      expect(await values('industry', 'fin')).toHaveLength(10)
      expect(await client.get('/api/companies/values?of=name')).toMatchObject({ status: 400 })
      expect(await client.get('/api/founders/values?of=industry')).toMatchObject({ status: 404 })
    })

    it.each<[unknown, string]>([
      [7, 'Website must be text'],
      [null, 'Website must be text'],
      ...['tidewater.example', 'javascript:alert(1)', '//evil', 'http:evil', 'ftp://x'].map((url): [string, string] => [
        url,
        'Enter a full URL, such as https://example.com',
      ]),
      [`https://host/${'a'.repeat(2048)}`, 'Website must be at most 2,048 characters'],
    ])('the website %j is refused: %s', async (website, sentence) => {
      expect(await client.post('/api/companies', { ...INPUT, website })).toMatchObject({
        status: 400,
        body: { fields: { website: sentence } },
      })
    })

    it.each<[unknown, string]>([
      [[], 'Description must be text'],
      ['d'.repeat(10_001), 'Description must be at most 10,000 characters'],
      ['a\0b', 'Description contains invalid characters'],
    ])('an invalid description is refused (%#)', async (description, sentence) => {
      expect(await client.post('/api/companies', { ...INPUT, description })).toMatchObject({
        status: 400,
        body: { fields: { description: sentence } },
      })
    })
  })
})
