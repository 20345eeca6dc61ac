import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MY_NOTES_MAX } from '#contract/limits.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { notes } from '#server/db/schema.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

const KINDS = [
  {
    kind: 'founder',
    records: '/api/founders',
    make: (creator?: Account) => makeFounder(test.db, creator && { creator }),
  },
  {
    kind: 'company',
    records: '/api/companies',
    make: (creator?: Account) => makeCompany(test.db, creator && { creator }),
  },
] as const

describe.each(KINDS)('Notes of a $kind', ({ kind, records, make }) => {
  const path = (id: string, noteId?: string) => `/api/notes/${kind}/${id}${noteId ? `/${noteId}` : ''}`

  describe('Adding a note', () => {
    it('returns 201 with note, totalNotes and message', async () => {
      const { account, client } = await fellow({ name: 'Ada Lovelace' })
      const { id } = await make()
      const answer = await client.post(path(id), { content: '  Call again in May. ' })
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({
        note: {
          id: expect.any(String),
          content: 'Call again in May.',
          author: 'Ada Lovelace',
          authorEmail: account.email,
          createdAt: expect.any(String),
        },
        totalNotes: 1,
        message: 'Note added successfully',
      })
    })

    it('is by the caller at the time of the server, whatever the body contains', async () => {
      const { account, client } = await fellow()
      const { id } = await make()
      const forged = { author: 'A', authorEmail: 'a@x.edu', createdAt: '2001-01-01T00:00:00Z', id: NOWHERE }
      const { note } = (await client.post(path(id), { content: 'x', ...forged })).body
      expect(note).toMatchObject({ author: account.name, authorEmail: account.email })
      expect(note.createdAt).not.toContain('2001')
      expect(note.id).not.toBe(NOWHERE)
    })

    it('accepts 1,000 characters as people count them, and refuses 1,001', async () => {
      const { client } = await fellow()
      const { id } = await make()
      expect((await client.post(path(id), { content: '\u{1f98a}'.repeat(1000) })).status).toBe(201)
      expect(await client.post(path(id), { content: 'a'.repeat(1001) })).toMatchObject({
        status: 400,
        body: {
          error: 'Note must be less than 1000 characters',
          fields: { content: 'Note must be less than 1000 characters' },
        },
      })
    })

    it.each([
      ['nothing', {}, 'Note is required'],
      ['blank text', { content: ' \n\t ' }, 'Note is required'],
      ['invisible text', { content: '\u200b\u2060' }, 'Note is required'],
      ['a number', { content: 5 }, 'Note must be text'],
      ['a list', { content: ['x'] }, 'Note must be text'],
      ['NUL', { content: 'a\0b' }, 'Note contains invalid characters'],
      ['half a character', { content: 'a\ud800' }, 'Note contains invalid characters'],
    ])('returns 400 for %s', async (_what, body, sentence) => {
      const { client } = await fellow()
      const { id } = await make()
      expect(await client.post(path(id), body)).toMatchObject({ status: 400, body: { fields: { content: sentence } } })
      expect((await client.get(path(id))).body).toEqual({ notes: [], totalNotes: 0 })
    })

    it('returns 404 for an unknown record', async () => {
      const { client } = await fellow()
      for (const id of [NOWHERE, 'x', '1 or 1=1']) {
        expect((await client.post(path(encodeURIComponent(id)), { content: 'x' })).status).toBe(404)
      }
    })

    it('by 100 at the same time is counted exactly', { tags: 'slow' }, async () => {
      const { client } = await fellow()
      const { id } = await make()
      await Promise.all(Array.from({ length: 100 }, (_, index) => client.post(path(id), { content: `n${index}` })))
      expect((await client.get(path(id))).body.totalNotes).toBe(100)
      expect((await client.get(`${records}/${id}`)).body.notesCount).toBe(100)
    })

    it('while its record is being deleted returns 404 from then on, and leaves no note', { tags: 'slow' }, async () => {
      const { account, client } = await fellow()
      for (let round = 0; round < 5; round += 1) {
        const { id } = await make(account)
        const add = (index: number) => client.post(path(id), { content: `n${index}` })
        const [deleted, ...added] = await Promise.all([
          client.delete(`${records}/${id}`),
          ...Array.from({ length: 10 }, (_, index) => add(index)),
        ])
        expect(deleted.status).toBe(204)
        for (const { status } of added) expect([201, 404]).toContain(status)
        expect((await add(10)).status).toBe(404)
        expect((await client.get('/api/notes/my-notes')).body).toEqual({ founderNotes: [], companyNotes: [] })
      }
    })
  })

  describe('Reading notes', () => {
    it('is for everyone signed in, newest first, with the total', async () => {
      const [writer, reader] = [await fellow(), await fellow()]
      const { id } = await make()
      for (const content of ['one', 'two', 'three']) await writer.client.post(path(id), { content })
      const { body } = await reader.client.get(path(id))
      expect(body.notes.map(({ content }: { content: string }) => content)).toEqual(['three', 'two', 'one'])
      expect(body.totalNotes).toBe(3)
    })

    it('is paged', async () => {
      const { account, client } = await fellow()
      const { id } = await make()
      for (let index = 0; index < 5; index += 1)
        await makeNote(test.db, { [kind]: id, author: account, content: `${index}` })
      const first = await client.get(`${path(id)}?limit=2`)
      expect(first.headers['x-total-count']).toBe('5')
      const next = /<(.+)>/.exec(String(first.headers.link))?.[1] as string
      const second = await client.get(next)
      const contents = [...first.body.notes, ...second.body.notes].map(({ content }) => content)
      expect(contents).toEqual(['4', '3', '2', '1'])
    })

    it('returns 404 for an unknown record, and 401 when signed out', async () => {
      const { client } = await fellow()
      expect((await client.get(path(NOWHERE))).status).toBe(404)
      expect((await test.visitor().get(path((await make()).id))).status).toBe(401)
    })

    it('shows the newest 2 and the count on the record and in its list', async () => {
      const { account, client } = await fellow({ name: 'Ada' })
      const record = await make(account)
      for (const content of ['one', 'two', 'three']) await client.post(path(record.id), { content })
      const { notes: all } = (await client.get(path(record.id))).body
      const expected = { notesCount: 3, notesPreview: all.slice(0, 2) }
      expect((await client.get(`${records}/${record.id}`)).body).toMatchObject(expected)
      expect((await client.get(`${records}?mine=true`)).body).toMatchObject([expected])
    })
  })

  describe('Deleting a note', () => {
    it('returns totalNotes and message to its author', async () => {
      const { client } = await fellow()
      const { id } = await make()
      const { note } = (await client.post(path(id), { content: 'x' })).body
      const answer = await client.delete(path(id, note.id))
      expect(answer).toMatchObject({ status: 200, body: { totalNotes: 0, message: 'Note deleted successfully' } })
      expect((await client.get(path(id))).body.notes).toEqual([])
    })

    it('returns 403 to anyone but its author, and keeps the note', async () => {
      const [author, other] = [await fellow({ name: 'Ada' }), await fellow({ name: 'Ada' })]
      const { id } = await make(other.account)
      const { note } = (await author.client.post(path(id), { content: 'x' })).body
      expect(await other.client.delete(path(id, note.id))).toMatchObject({
        status: 403,
        body: { error: 'Only the fellow who wrote this note can delete it' },
      })
      expect((await author.client.get(path(id))).body.totalNotes).toBe(1)
    })

    it('is allowed to a manager too', async () => {
      const [author, manager] = [await fellow(), await fellow({ role: 'manager' })]
      const { id } = await make()
      const { note } = (await author.client.post(path(id), { content: 'x' })).body
      expect((await manager.client.delete(path(id, note.id))).body).toMatchObject({ totalNotes: 0 })
    })

    it('returns 404 under another record, under the other kind, and twice', async () => {
      const { client } = await fellow()
      const [one, other] = [await make(), await make()]
      const { note } = (await client.post(path(one.id), { content: 'x' })).body
      const otherKind = kind === 'founder' ? 'company' : 'founder'
      expect((await client.delete(path(other.id, note.id))).status).toBe(404)
      expect((await client.delete(`/api/notes/${otherKind}/${one.id}/${note.id}`)).status).toBe(404)
      expect((await client.delete(path(one.id, 'x'))).status).toBe(404)
      expect(await test.db.select().from(notes).where(eq(notes.id, note.id))).toHaveLength(1)
      expect((await client.delete(path(one.id, note.id))).status).toBe(200)
      expect((await client.delete(path(one.id, note.id))).status).toBe(404)
    })
  })

  describe('A note by another fellow', () => {
    it("adds the record to its author's My Records, who may then edit but not delete it", async () => {
      const [owner, other] = [await fellow(), await fellow()]
      const { id } = await make(owner.account)
      expect((await other.client.get(`${records}?mine=true`)).body).toEqual([])
      await other.client.post(path(id), { content: 'x' })
      expect((await other.client.get(`${records}?mine=true`)).body).toMatchObject([
        { id, can: { edit: true, delete: false } },
      ])
      expect((await other.client.put(`${records}/${id}`, { rating: 3 })).status).toBe(200)
      expect((await other.client.delete(`${records}/${id}`)).status).toBe(403)
    })

    it('is not shown once its record is deleted', async () => {
      const [owner, other] = [await fellow(), await fellow()]
      const { id } = await make(owner.account)
      const { note } = (await other.client.post(path(id), { content: 'x' })).body
      expect((await owner.client.delete(`${records}/${id}`)).status).toBe(204)
      expect((await other.client.get(path(id))).status).toBe(404)
      expect((await other.client.delete(`${path(id)}/${note.id}`)).status).toBe(404)
      expect((await other.client.get('/api/notes/my-notes')).body).toEqual({ founderNotes: [], companyNotes: [] })
    })
  })
})

describe('GET /notes/my-notes', () => {
  it("returns only the caller's notes, by record, newest first", async () => {
    const [me, other] = [await fellow(), await fellow()]
    const [founder, company] = [await makeFounder(test.db), await makeCompany(test.db)]
    await makeNote(test.db, { founder: founder.id, author: other.account })
    for (const content of ['one', 'two']) await makeNote(test.db, { founder: founder.id, author: me.account, content })
    await makeNote(test.db, { company: company.id, author: me.account, content: 'three' })
    const { body } = await me.client.get('/api/notes/my-notes')
    expect(body).toEqual({
      founderNotes: [{ founderId: founder.id, notes: [{}, {}].map(() => expect.any(Object)) }],
      companyNotes: [{ companyId: company.id, notes: [expect.objectContaining({ content: 'three' })] }],
    })
    expect(body.founderNotes[0].notes.map(({ content }: { content: string }) => content)).toEqual(['two', 'one'])
  })

  it('leaves out notes on deleted records, however many they are', { tags: 'slow' }, async () => {
    const [me, owner] = [await fellow(), await fellow()]
    const company = await makeCompany(test.db)
    await makeNote(test.db, { company: company.id, author: me.account, content: 'kept' })
    const { id: recordId } = await makeFounder(test.db, { creator: owner.account })
    const note = { recordId, kind: 'founder' as const, authorId: me.account.id, content: 'gone' }
    await test.db.insert(notes).values(Array.from({ length: MY_NOTES_MAX }, () => ({ ...note, id: uuidv7() })))
    expect((await owner.client.delete(`/api/founders/${recordId}`)).status).toBe(204)
    expect((await me.client.get('/api/notes/my-notes')).body).toMatchObject({
      founderNotes: [],
      companyNotes: [{ companyId: company.id, notes: [{ content: 'kept' }] }],
    })
  })

  it('is empty for a caller without notes, and 401 when signed out', async () => {
    const { client } = await fellow()
    expect((await client.get('/api/notes/my-notes')).body).toEqual({ founderNotes: [], companyNotes: [] })
    expect((await test.visitor().get('/api/notes/my-notes')).status).toBe(401)
  })
})
