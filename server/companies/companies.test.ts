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
