import { describe, expect, it } from 'vitest'
import { type RecordKind, recordWorld } from '#server/records/test/record-world.ts'
import { describeRecordLists } from './record-list-behaviour.ts'
import { describeRecordRights } from './record-rights-behaviour.ts'

const NOWHERE = '01900000-0000-7000-8000-000000000000'

/** Tests of the calls, rules and limits that all kinds share, for one kind. */
export function describeRecords(kind: RecordKind) {
  const world = recordWorld(kind)
  const { test, fellow, create } = world
  const { path, input } = kind

  describe('Signed out', () => {
    it.each([
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${NOWHERE}`],
      ['PUT', `/${NOWHERE}`],
      ['DELETE', `/${NOWHERE}`],
      ['POST', `/${NOWHERE}/enrich`],
      ['POST', `/${NOWHERE}/refresh`],
    ] as const)('%s %s returns 401', async (method, rest) => {
      const answer = await test()
        .visitor()
        .call(method, path + rest, { body: method === 'GET' ? undefined : {} })
      expect(answer).toMatchObject({ status: 401, body: { error: 'Not authenticated' } })
    })
  })

  describe('Creating', () => {
    it("returns 201 with the record, its creator, version 1, and the caller's rights", async () => {
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

    it('uses the rating 5 by default', async () => {
      const { client } = await fellow()
      expect((await create(client, { rating: undefined })).rating).toBe(5)
    })

    it('shows the e-mail of a creator without a name', async () => {
      const { account, client } = await fellow({ name: '' })
      expect((await create(client)).createdBy).toBe(account.email)
    })

    it('ignores a creator, a time and an id', async () => {
      const { client } = await fellow({ name: 'Ada' })
      const record = await create(client, { createdBy: 'B', createdAt: '2001-01-01', id: NOWHERE, version: 9, can: {} })
      expect(record).toMatchObject({ createdBy: 'Ada', version: 1 })
      expect(record.id).not.toBe(NOWHERE)
      expect(record.createdAt).not.toContain('2001')
    })

    it.each([1, 10])('accepts the rating %s', async (rating) => {
      const { client } = await fellow()
      expect((await create(client, { rating })).rating).toBe(rating)
    })

    it.each([0, 11, -1, 1.5, '5', null, true, 1e3, [5]])('returns 400 for the rating %j', async (rating) => {
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
    ])('returns 400 with a sentence at the field for %s', async (_what, wrong, fields) => {
      const { client } = await fellow()
      expect(await client.post(path, { ...input, ...wrong })).toMatchObject({ status: 400, body: { fields } })
    })

    it('counts characters like people: 200 emoji fit into a name', async () => {
      const { client } = await fellow()
      expect((await create(client, { name: '\u{1f98a}'.repeat(200) })).name).toBe('\u{1f98a}'.repeat(200))
    })

    it('stores typed text unchanged except for trimming', async () => {
      const { client } = await fellow()
      const name = '<script>alert(1)</script> Ωμέγα 山田 \u{1f469}\u200d\u{1f4bb} ﷺ'
      const notes = '=1+1\n\n"quoted"\t${7*7} \'; drop table founders; --'
      expect(await create(client, { name: `  ${name} `, notes: `${notes}\n` })).toMatchObject({ name, notes })
    })

    it.each([
      ['a list', []],
      ['a string', '"text"'],
      ['null', null],
    ])('returns 400 for %s as the body', async (_what, body) => {
      const { client } = await fellow()
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') as string }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await client.raw({ method: 'POST', url: path, headers, payload })
      expect(answer).toMatchObject({ status: 400, body: { error: 'Send a JSON object' } })
    })
  })

  describeRecordLists(kind, world)

  describe('Getting a record', () => {
    it.each([NOWHERE, '0', '-1', '1e9', '9223372036854775808', 'NaN', "'%20OR%201=1--", '1.5', 'x'.repeat(90)])(
      'returns 404 for the id %s',
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
    it('changes notes and rating, counts the version, and returns 200 with the record', async () => {
      const { client } = await fellow()
      const record = await create(client)
      const answer = await client.put(`${path}/${record.id}`, { notes: 'Better notes', rating: 9 })
      expect(answer).toMatchObject({ status: 200, body: { ...record, notes: 'Better notes', rating: 9, version: 2 } })
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(answer.body)
    })

    it('keeps absent fields unchanged', async () => {
      const { client } = await fellow()
      const record = await create(client, { rating: 3 })
      expect((await client.put(`${path}/${record.id}`, { notes: 'x' })).body.rating).toBe(3)
      expect((await client.put(`${path}/${record.id}`, { rating: 4 })).body.notes).toBe('x')
    })

    it('ignores all other fields', async () => {
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
    ])('returns 400 for %s, and changes nothing', async (_what, patch) => {
      const { client } = await fellow()
      const record = await create(client)
      expect((await client.put(`${path}/${record.id}`, patch)).status).toBe(400)
      expect((await client.get(`${path}/${record.id}`)).body).toEqual(record)
    })

    it('with an outdated version returns 409 with the current record, and changes nothing', async () => {
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

    it('accepts one of ten edits of the same version', async () => {
      const { client } = await fellow()
      const { id } = await create(client)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => client.put(`${path}/${id}`, { notes: `n${index}`, version: 1 })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    })

    it('is for its creator: 403 for anyone else, without a change', async () => {
      const [owner, stranger] = [await fellow(), await fellow()]
      const record = await create(owner.client)
      const answer = await stranger.client.put(`${path}/${record.id}`, { notes: 'mine now' })
      expect(answer).toMatchObject({
        status: 403,
        body: {
          error: 'Only fellows who have found this record, have a note on it or are responsible for it can edit it',
        },
      })
      const seen = (await stranger.client.get(`${path}/${record.id}`)).body
      const whyNotDelete = 'Only the fellow who added this record can delete it'
      const finders = { ...record.finders, mine: false }
      expect(seen).toEqual({ ...record, finders, can: { edit: false, delete: false, whyNotDelete } })
    })
  })

  describe('Deleting', () => {
    it('returns 204, and the record is gone', async () => {
      const { client } = await fellow()
      const { id } = await create(client)
      const answer = await client.delete(`${path}/${id}`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await client.get(`${path}/${id}`)).status).toBe(404)
    })

    it('is for its creator: 403 for anyone else, without a deletion', async () => {
      const [owner, stranger] = [await fellow(), await fellow()]
      const { id } = await create(owner.client)
      expect(await stranger.client.delete(`${path}/${id}`)).toMatchObject({
        status: 403,
        body: { error: 'Only the fellow who added this record can delete it' },
      })
      expect((await owner.client.get(`${path}/${id}`)).status).toBe(200)
    })
  })

  describeRecordRights(kind, world)

  describe('Refreshing and enriching', () => {
    it.each(['refresh', 'enrich'])('%s reports to anyone signed in that no source is set up', async (verb) => {
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
