import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { fellowOf } from './fellow.ts'
import { startTestApp, type TestApp, type TestClient } from './test-app.ts'

/** What a kind of record has to say of itself for the behaviour that all kinds share. */
export type RecordKind = {
  /** Its path, such as `/api/founders`. */
  path: string
  /** A body that `POST` takes, with a name and own notes. */
  input: Record<string, unknown> & { name: string; notes: string }
  make: (db: Database, overrides: { creator: Account; name?: string; notes?: string }) => Promise<{ id: string }>
  /** A record whose creator came with an import, as text. */
  makeImported: (db: Database, creatorText: string) => Promise<{ id: string }>
}

const NOWHERE = '01900000-0000-7000-8000-000000000000'

/** The calls, rules and limits that founders and companies share, held against one kind. */
export function describeRecords(kind: RecordKind) {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp()
  })
  afterAll(() => test.close())

  const { path, input } = kind
  const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)
  const create = async (client: TestClient, overrides: Record<string, unknown> = {}) => {
    const answer = await client.post(path, { ...input, ...overrides })
    expect(answer.status).toBe(201)
    return answer.body
  }

  describe('Signed out', () => {
    it.each([
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${NOWHERE}`],
      ['PUT', `/${NOWHERE}`],
      ['DELETE', `/${NOWHERE}`],
      ['POST', `/${NOWHERE}/enrich`],
      ['POST', `/${NOWHERE}/refresh`],
    ] as const)('%s %s answers 401', async (method, rest) => {
      const answer = await test.visitor().call(method, path + rest, { body: method === 'GET' ? undefined : {} })
      expect(answer).toMatchObject({ status: 401, body: { error: 'Not authenticated' } })
    })
  })

  describe('Creating', () => {
    it('answers 201 with the record, by its creator, at version 1, and what the caller may do', async () => {
      const { account, client } = await fellow({ name: 'Ada Lovelace' })
      const record = await create(client)
      expect(record).toMatchObject({
        ...input,
        createdBy: 'Ada Lovelace',
        version: 1,
        additionalInfo: null,
        notesCount: 0,
        notesPreview: [],
      })
      expect(record.can).toEqual({ edit: true, delete: true })
      expect(Date.now() - Date.parse(record.createdAt)).toBeLessThan(60_000)
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(record)
      expect(account.id).not.toBe(record.createdBy)
    })

    it('takes the rating 5 when none is given', async () => {
      const { client } = await fellow()
      expect((await create(client, { rating: undefined })).rating).toBe(5)
    })

    it('shows the e-mail of a creator without a name', async () => {
      const { account, client } = await fellow({ name: '' })
      expect((await create(client)).createdBy).toBe(account.email)
    })

    it('accepts no creator, time or id', async () => {
      const { client } = await fellow({ name: 'Ada' })
      const record = await create(client, { createdBy: 'B', createdAt: '2001-01-01', id: NOWHERE, version: 9, can: {} })
      expect(record).toMatchObject({ createdBy: 'Ada', version: 1 })
      expect(record.id).not.toBe(NOWHERE)
      expect(record.createdAt).not.toContain('2001')
    })

    it.each([1, 10])('takes the rating %s', async (rating) => {
      const { client } = await fellow()
      expect((await create(client, { rating })).rating).toBe(rating)
    })

    it.each([0, 11, -1, 1.5, '5', null, true, 1e3, [5]])('answers 400 to the rating %j', async (rating) => {
      const { client } = await fellow()
      const sentence = 'Rating must be a whole number from 1 to 10'
      expect(await client.post(path, { ...input, rating })).toMatchObject({
        status: 400,
        body: { error: sentence, fields: { rating: sentence } },
      })
    })

    it.each([
      ['no name', { name: undefined }, { name: 'Name is required' }],
      ['a blank name', { name: ' \t ' }, { name: 'Name is required' }],
      ['a number for a name', { name: 7 }, { name: 'Name must be text' }],
      ['a name of 201 characters', { name: 'a'.repeat(201) }, { name: 'Name must be at most 200 characters' }],
      ['a name with NUL', { name: 'a\0b' }, { name: 'Name contains invalid characters' }],
      ['a name with half a character', { name: 'a\ud800' }, { name: 'Name contains invalid characters' }],
      ['no notes', { notes: undefined }, { notes: 'Notes are required' }],
      ['blank notes', { notes: '\n \u200b' }, { notes: 'Notes are required' }],
      ['notes of 10,001', { notes: 'n'.repeat(10_001) }, { notes: 'Notes must be at most 10,000 characters' }],
      ['notes with NUL', { notes: 'a\0b' }, { notes: 'Notes contains invalid characters' }],
    ])('answers 400 with a sentence at the field for %s', async (_what, wrong, fields) => {
      const { client } = await fellow()
      expect(await client.post(path, { ...input, ...wrong })).toMatchObject({ status: 400, body: { fields } })
    })

    it('counts characters as people do: 200 emoji fit into a name', async () => {
      const { client } = await fellow()
      expect((await create(client, { name: '\u{1f98a}'.repeat(200) })).name).toBe('\u{1f98a}'.repeat(200))
    })

    it('keeps what was typed as typed, trimmed only', async () => {
      const { client } = await fellow()
      const name = '<script>alert(1)</script> Ωμέγα 山田 \u{1f469}\u200d\u{1f4bb} ﷺ'
      const notes = '=1+1\n\n"quoted"\t${7*7} \'; drop table founders; --'
      expect(await create(client, { name: `  ${name} `, notes: `${notes}\n` })).toMatchObject({ name, notes })
    })

    it.each([
      ['a list', []],
      ['a string', '"text"'],
      ['null', null],
    ])('answers 400 to %s for a body', async (_what, body) => {
      const { client } = await fellow()
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') as string }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await client.raw({ method: 'POST', url: path, headers, payload })
      expect(answer).toMatchObject({ status: 400, body: { error: 'Send a JSON object' } })
    })
  })

  describe('Listing', () => {
    it('is a plain array, newest first', async () => {
      const { account, client } = await fellow()
      const ids = []
      for (const name of ['first', 'second', 'third'])
        ids.push((await kind.make(test.db, { creator: account, name })).id)
      const answer = await client.get(`${path}?mine=true`)
      expect(answer.body.map(({ id }: { id: string }) => id)).toEqual(ids.reverse())
      expect(answer.headers['cache-control']).toBe('no-store')
    })

    it('leads page by page through everything, once, by the Link header', async () => {
      const { account, client } = await fellow()
      const made = []
      for (let index = 0; index < 7; index += 1) made.push((await kind.make(test.db, { creator: account })).id)
      const seen: string[] = []
      let next: string | undefined = `${path}?mine=true&limit=3`
      for (let pages = 0; next !== undefined && pages < 9; pages += 1) {
        const answer = await client.get(next)
        expect(answer.headers['x-total-count']).toBe('7')
        seen.push(...answer.body.map(({ id }: { id: string }) => id))
        next = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
      }
      expect(seen).toEqual(made.reverse())
    })

    it('keeps its place when records come meanwhile', async () => {
      const { account, client } = await fellow()
      for (let index = 0; index < 4; index += 1) await kind.make(test.db, { creator: account, name: `old ${index}` })
      const first = await client.get(`${path}?mine=true&limit=2`)
      await kind.make(test.db, { creator: account, name: 'new' })
      const next = /<(.+)>/.exec(String(first.headers.link))?.[1] as string
      const second = await client.get(next)
      expect(second.body.map(({ name }: { name: string }) => name)).toEqual(['old 1', 'old 0'])
    })

    it.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=nonsense', 'cursor'],
      ['cursor=%00', 'cursor'],
      [`cursor=${Buffer.from('fffffffffffff.x').toString('base64url')}`, 'cursor'],
      ['mine=yes', 'mine'],
      ['search=a&search=b', 'search'],
      [`search=${'a'.repeat(201)}`, 'search'],
      ['search=%00', 'search'],
    ])('answers 400 at its field to %s', async (query, field) => {
      const { client } = await fellow()
      const answer = await client.get(`${path}?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body.fields[field]).toBeTypeOf('string')
    })

    it.each(['__proto__[x]=1', 'search[]=a', 'search[x]=1', 'unknown=1'])('is not thrown by %s', async (query) => {
      const { client } = await fellow()
      expect((await client.get(`${path}?${query}`)).status).toBe(200)
    })

    it('says the exact total without a search', async () => {
      const { account, client } = await fellow()
      const before = Number((await client.get(`${path}?limit=1`)).headers['x-total-count'])
      const made = await kind.make(test.db, { creator: account })
      expect((await client.get(`${path}?limit=1`)).headers['x-total-count']).toBe(String(before + 1))
      await client.delete(`${path}/${made.id}`)
      expect((await client.get(`${path}?limit=1`)).headers['x-total-count']).toBe(String(before))
    })
  })

  describe('Searching', () => {
    const namesFor = async (client: TestClient, search: string) => {
      const answer = await client.get(`${path}?mine=true&search=${encodeURIComponent(search)}`)
      expect(answer.status).toBe(200)
      expect(answer.headers['x-total-count']).toBe(String(answer.body.length))
      return answer.body.map(({ name }: { name: string }) => name).sort()
    }

    it('matches part of the name in another case', async () => {
      const { account, client } = await fellow()
      for (const name of ['Grace Hopper', 'Ada']) await kind.make(test.db, { creator: account, name })
      expect(await namesFor(client, 'CE HOP')).toEqual(['Grace Hopper'])
    })

    it("matches part of the record's own notes", async () => {
      const { account, client } = await fellow()
      await kind.make(test.db, { creator: account, name: 'A', notes: 'Ships rockets' })
      await kind.make(test.db, { creator: account, name: 'B', notes: 'Ships soup' })
      expect(await namesFor(client, 'rOCK')).toEqual(['A'])
    })

    it('does not match across the border of two fields', async () => {
      const { account, client } = await fellow()
      await kind.make(test.db, { creator: account, name: 'alpha', notes: 'beta' })
      for (const search of ['alphabeta', 'alpha beta', 'alpha\u001fbeta', 'a b']) {
        expect(await namesFor(client, search)).toEqual([])
      }
    })

    it('takes %, _ and \\ for what they are', async () => {
      const { account, client } = await fellow()
      for (const name of ['100%', 'a_c', 'abc', 'back\\slash']) await kind.make(test.db, { creator: account, name })
      expect(await namesFor(client, '%')).toEqual(['100%'])
      expect(await namesFor(client, '_')).toEqual(['a_c'])
      expect(await namesFor(client, '\\')).toEqual(['back\\slash'])
      expect(await namesFor(client, 'k\\s')).toEqual(['back\\slash'])
    })

    it('folds letters of every script alike, whatever the locale of the database', async () => {
      const { account, client } = await fellow()
      for (const name of ['ÉCOLE', 'ΣΊΣΥΦΟΣ', 'ＦＵＬＬ', 'ﬁne', 'ЖУК'])
        await kind.make(test.db, { creator: account, name })
      expect(await namesFor(client, 'école')).toEqual(['ÉCOLE'])
      expect(await namesFor(client, 'жук')).toEqual(['ЖУК'])
      expect(await namesFor(client, 'full')).toEqual(['ＦＵＬＬ'])
      expect(await namesFor(client, 'FINE')).toEqual(['ﬁne'])
      expect(await namesFor(client, 'ΣΊΣΥ')).toEqual(['ΣΊΣΥΦΟΣ'])
    })

    it.each(["'", '"', "';--", '$1', '\\x27', '${7*7}', "'||pg_sleep(3)||'", '(a+)+$', '%a%a%a%'])(
      'finds nothing for %s, and harms nothing',
      async (search) => {
        const { client } = await fellow()
        expect(await namesFor(client, search)).toEqual([])
      },
    )

    it('with a blank search lists everything', async () => {
      const { account, client } = await fellow()
      await kind.make(test.db, { creator: account, name: 'Only one' })
      expect(await namesFor(client, '  ')).toEqual(['Only one'])
    })

    it('finds notes as they are after an edit, and no more as they were', async () => {
      const { account, client } = await fellow()
      const { id } = await kind.make(test.db, { creator: account, name: 'Edited', notes: 'before' })
      await client.put(`${path}/${id}`, { notes: 'Afterwards' })
      expect(await namesFor(client, 'AFTERW')).toEqual(['Edited'])
      expect(await namesFor(client, 'before')).toEqual([])
      expect(await namesFor(client, 'edited')).toEqual(['Edited'])
    })
  })

  describe('Getting one', () => {
    it.each([NOWHERE, '0', '-1', '1e9', '9223372036854775808', 'NaN', "'%20OR%201=1--", '1.5', 'x'.repeat(90)])(
      'answers 404 to the id %s',
      async (id) => {
        const { client } = await fellow()
        for (const answer of [
          await client.get(`${path}/${id}`),
          await client.put(`${path}/${id}`, { rating: 7 }),
          await client.delete(`${path}/${id}`),
          await client.post(`${path}/${id}/refresh`),
          await client.post(`${path}/${id}/enrich`, {}),
        ]) {
          expect(answer).toMatchObject({ status: 404, body: { error: expect.stringMatching(/^There is no/) } })
        }
      },
    )
  })

  describe('Updating', () => {
    it('changes notes and rating, counts the version, and answers 200 with the record', async () => {
      const { client } = await fellow()
      const record = await create(client)
      const answer = await client.put(`${path}/${record.id}`, { notes: 'Better notes', rating: 9 })
      expect(answer).toMatchObject({ status: 200, body: { ...record, notes: 'Better notes', rating: 9, version: 2 } })
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(answer.body)
    })

    it('leaves what is absent as it was', async () => {
      const { client } = await fellow()
      const record = await create(client, { rating: 3 })
      expect((await client.put(`${path}/${record.id}`, { notes: 'x' })).body.rating).toBe(3)
      expect((await client.put(`${path}/${record.id}`, { rating: 4 })).body.notes).toBe('x')
    })

    it('ignores everything else', async () => {
      const { client } = await fellow({ name: 'Ada' })
      const record = await create(client)
      const answer = await client.put(`${path}/${record.id}`, {
        rating: 7,
        name: 'hax',
        linkedIn: 'javascript:1',
        website: 'javascript:1',
        createdBy: 'B',
        createdAt: '2001-01-01',
        id: NOWHERE,
        additionalInfo: '{}',
      })
      const edited = { ...record, rating: 7, version: 2 }
      expect(answer.body).toEqual(edited)
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(edited)
    })

    it.each([
      ['blank notes', { notes: ' ' }],
      ['notes of 10,001 characters', { notes: 'n'.repeat(10_001) }],
      ['a rating of 11', { rating: 11 }],
      ['a rating in text', { rating: '7' }],
      ['null for notes', { notes: null }],
      ['a version in text', { rating: 7, version: '1' }],
    ])('answers 400 to %s, and changes nothing', async (_what, patch) => {
      const { client } = await fellow()
      const record = await create(client)
      expect((await client.put(`${path}/${record.id}`, patch)).status).toBe(400)
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(record)
    })

    it('with a version that is no longer current answers 409 with the current record, changing nothing', async () => {
      const { client } = await fellow()
      const record = await create(client)
      const { body: current } = await client.put(`${path}/${record.id}`, { notes: 'by another', version: 1 })
      const answer = await client.put(`${path}/${record.id}`, { notes: 'mine', version: 1 })
      expect(answer).toMatchObject({
        status: 409,
        body: { error: 'Someone else changed this record while you were editing', current },
      })
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(current)
    })

    it('lets one of ten edits of the same version win', async () => {
      const { client } = await fellow()
      const { id } = await create(client)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => client.put(`${path}/${id}`, { notes: `n${index}`, version: 1 })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    })

    it('is for its creator: 403 for anyone else, who finds it unchanged', async () => {
      const [owner, stranger] = [await fellow(), await fellow()]
      const record = await create(owner.client)
      const answer = await stranger.client.put(`${path}/${record.id}`, { notes: 'mine now' })
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'Only its creator and fellows with a note on this record can edit it' },
      })
      const seen = (await stranger.client.get(`${path}/${record.id}`)).body
      expect(seen).toEqual({ ...record, can: { edit: false, delete: false } })
    })
  })

  describe('Deleting', () => {
    it('answers 204, and the record is gone', async () => {
      const { client } = await fellow()
      const { id } = await create(client)
      const answer = await client.delete(`${path}/${id}`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await client.get(`${path}/${id}`)).status).toBe(404)
    })

    it('is for its creator: 403 for anyone else, who finds it there', async () => {
      const [owner, stranger] = [await fellow(), await fellow()]
      const { id } = await create(owner.client)
      expect(await stranger.client.delete(`${path}/${id}`)).toMatchObject({
        status: 403,
        body: { error: 'Only the fellow who added this record can delete it' },
      })
      expect((await owner.client.get(`${path}/${id}`)).status).toBe(200)
    })
  })

  describe('Ownership follows the account', () => {
    it('never a name: who takes the name or the e-mail of another for a name gains nothing', async () => {
      const owner = await fellow({ name: 'Ada Lovelace' })
      const { id } = await create(owner.client)
      for (const name of ['Ada Lovelace', owner.account.email]) {
        const impostor = await fellow({ name })
        expect((await impostor.client.put(`${path}/${id}`, { rating: 1 })).status).toBe(403)
        expect((await impostor.client.delete(`${path}/${id}`)).status).toBe(403)
        expect((await impostor.client.get(`${path}?mine=true`)).body).toEqual([])
      }
    })

    it('an imported record belongs to the account with that e-mail once it is verified', async () => {
      const { id } = await kind.makeImported(test.db, 'Importer@MIT.edu')
      const claimed = await fellow({ email: 'importer@mit.edu' })
      expect((await claimed.client.get(`${path}/${id}`)).body).toMatchObject({
        createdBy: 'Importer@MIT.edu',
        can: { edit: false, delete: false },
      })
      await test.db.execute(`update accounts set email_verified = true where email = 'importer@mit.edu'`)
      expect((await claimed.client.get(`${path}?mine=true`)).body.map((record: { id: string }) => record.id)).toEqual([
        id,
      ])
      expect((await claimed.client.put(`${path}/${id}`, { rating: 2 })).status).toBe(200)
      expect((await claimed.client.delete(`${path}/${id}`)).status).toBe(204)
    })
  })

  describe('A manager', () => {
    it('edits and deletes the records of others, and is told so', async () => {
      const [owner, manager] = [await fellow(), await fellow({ role: 'manager' })]
      const { id } = await create(owner.client)
      const can = { edit: true, delete: true }
      expect((await manager.client.get(`${path}/${id}`)).body.can).toEqual(can)
      const [listed] = (await manager.client.get(path)).body
      expect(listed).toMatchObject({ id, can })
      expect(await manager.client.put(`${path}/${id}`, { rating: 2 })).toMatchObject({ status: 200, body: { can } })
      expect((await manager.client.get(`${path}?mine=true`)).body).toEqual([])
      expect((await manager.client.delete(`${path}/${id}`)).status).toBe(204)
    })

    it('deletes a record without a known creator', async () => {
      const { client } = await fellow({ role: 'manager' })
      const { id } = await kind.makeImported(test.db, 'left@mit.edu')
      expect((await client.delete(`${path}/${id}`)).status).toBe(204)
    })

    it('has those rights from the next request on, and only while being one', async () => {
      const [owner, other] = [await fellow(), await fellow()]
      const { id } = await create(owner.client)
      const setRole = (role: string) =>
        test.db.execute(`update accounts set role = '${role}' where id = '${other.account.id}'`)
      await setRole('manager')
      expect((await other.client.put(`${path}/${id}`, { rating: 2 })).status).toBe(200)
      await setRole('fellow')
      expect((await other.client.put(`${path}/${id}`, { rating: 3 })).status).toBe(403)
    })
  })

  describe('Refreshing and enriching', () => {
    it.each(['refresh', 'enrich'])('%s says plainly that no source is set up, to anyone signed in', async (verb) => {
      const [owner, other] = [await fellow(), await fellow()]
      const { id } = await create(owner.client)
      const answer = await other.client.post(`${path}/${id}/${verb}`, verb === 'enrich' ? { name: 'A' } : undefined)
      expect(answer).toMatchObject({
        status: 200,
        body: { success: false, error: 'No source of public data is set up' },
      })
    })
  })
}
