import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { records } from '#server/db/schema.ts'
import { describeRecords } from '#server/lists/record-behaviour.ts'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

const INPUT = {
  name: 'Grace Hopper',
  linkedIn: 'https://www.linkedin.com/in/grace',
  notes: 'Met at the compiler meet-up.',
  rating: 8,
}

describe('Founders', () => {
  describeRecords({
    path: '/api/founders',
    input: INPUT,
    make: makeFounder,
    makeImported: async (db, creatorText) => {
      const founder = { ...INPUT, id: uuidv7(), kind: 'founder' as const, creatorText, searchText: 'grace hopper' }
      await db.insert(records).values(founder)
      return founder
    },
  })

  describe('What only founders have', () => {
    let test: TestApp
    let client: TestClient
    let me: Account
    beforeAll(async () => {
      test = await startTestApp()
      me = await makeAccount(test.db)
      client = test.visitor()
      await client.post('/api/auth/login', { email: me.email, password: PASSWORD })
    })
    afterAll(() => test.close())

    it.each([
      'https://www.linkedin.com/in/ada',
      'http://uk.linkedin.com/in/Ada/?x=1#y',
      'HTTPS://LinkedIn.com/in/a%20b',
      'https://пример.рф/山',
      'https://u:p@host:8080/x?a[]=1',
    ])('the LinkedIn profile %s is kept as typed', async (linkedIn) => {
      expect((await client.post('/api/founders', { ...INPUT, linkedIn })).body.linkedIn).toBe(linkedIn)
    })

    it.each<[unknown, string]>([
      [undefined, 'LinkedIn profile is required'],
      ['', 'LinkedIn profile is required'],
      [7, 'LinkedIn profile must be text'],
      ...[
        'linkedin.com/in/ada',
        'javascript:alert(1)',
        'JaVaScRiPt:alert(1)',
        'java\nscript:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        '//evil',
        'http:evil',
        'http:\\\\evil',
        'https://',
        'https://a b',
        'ftp://host/x',
        'https://host:99999/',
      ].map((url): [string, string] => [url, 'Enter a full URL, such as https://www.linkedin.com/in/…']),
      [`https://host/${'a'.repeat(2048)}`, 'LinkedIn profile must be at most 2,048 characters'],
    ])('the LinkedIn profile %j is refused: %s', async (linkedIn, sentence) => {
      expect(await client.post('/api/founders', { ...INPUT, linkedIn })).toMatchObject({
        status: 400,
        body: { fields: { linkedIn: sentence } },
      })
    })

    it('a search matches the current company too', async () => {
      const enrichment = { current_company: 'Space Task Group' }
      await makeFounder(test.db, { name: 'Katherine', notes: 'Orbits', enrichment })
      expect((await client.get('/api/founders?search=TASK%20GR')).body).toMatchObject([{ name: 'Katherine' }])
    })

    it('the current company stays searchable when the notes are edited', async () => {
      const enrichment = { current_company: 'West Computing' }
      const { id } = await makeFounder(test.db, { name: 'Dorothy', creator: me, enrichment })
      await client.put(`/api/founders/${id}`, { notes: 'New notes' })
      expect((await client.get('/api/founders?search=west%20comp')).body).toMatchObject([{ name: 'Dorothy' }])
    })

    it('counts matches exactly, after additions and deletions too', { tags: 'slow' }, async () => {
      const other = await startTestApp()
      const creator = await makeAccount(other.db)
      const many = Array.from({ length: 1001 }, (_, index) => ({
        ...INPUT,
        id: uuidv7(),
        kind: 'founder' as const,
        name: `Needle ${index}`,
        searchText: `needle ${index}`,
        creatorId: creator.id,
      }))
      await other.db.insert(records).values(many.slice(0, 1000))
      const visitor = other.visitor()
      await visitor.post('/api/auth/login', { email: creator.email, password: PASSWORD })
      const total = async (query: string) =>
        (await visitor.get(`/api/founders?limit=1${query}`)).headers['x-total-count']
      expect([await total('&search=needle'), await total('')]).toEqual(['1000', '1000'])
      await other.db.insert(records).values(many.slice(1000))
      expect([await total('&search=needle'), await total('')]).toEqual(['1001', '1001'])
      expect(await total('&mine=true')).toBe('1001')
      await other.db.delete(records).where(eq(records.id, many[7]?.id as string))
      expect(await total('&search=needle')).toBe('1000')
      await other.close()
    })
  })
})
