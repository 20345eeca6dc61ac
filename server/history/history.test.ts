import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { auditLog } from '#server/db/schema.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
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
  { kind: 'founder', path: '/api/founders', make: (creator: Account) => makeFounder(test.db, { creator, rating: 5 }) },
  { kind: 'company', path: '/api/companies', make: (creator: Account) => makeCompany(test.db, { creator, rating: 5 }) },
] as const

describe.each(KINDS)('The history of a $kind', ({ kind, path, make }) => {
  it('shows everyone signed in who did what, newest first, with old and new values', async () => {
    const [ada, bob] = [await fellow({ name: 'Ada' }), await fellow({ name: 'Bob' })]
    const record = await make(ada.account)
    await ada.client.put(`${path}/${record.id}`, { rating: 8, notes: 'Better' })
    await bob.client.post(`/api/notes/${kind}/${record.id}`, { content: 'Call' })
    const { status, body } = await bob.client.get(`${path}/${record.id}/history`)
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { by: 'Bob', action: 'add-note', changes: [{ field: 'note', before: null, after: 'Call' }] },
      {
        by: 'Ada',
        action: 'update',
        changes: [
          { field: 'notes', before: record.notes, after: 'Better' },
          { field: 'rating', before: 5, after: 8 },
        ],
      },
      { by: 'Ada', action: 'create' },
    ])
    expect(body[2].changes).toContainEqual({ field: 'rating', before: null, after: 5 })
    expect(Object.keys(body[0])).toEqual(['id', 'at', 'by', 'action', 'sentence', 'changes'])
  })

  it('shows who wrote and who deleted a deleted note, and not its content', async () => {
    const [author, reader] = [await fellow({ name: 'Ada' }), await fellow()]
    const { id } = await make(reader.account)
    const { note } = (await author.client.post(`/api/notes/${kind}/${id}`, { content: 'Regretted' })).body
    await author.client.delete(`/api/notes/${kind}/${id}/${note.id}`)
    for (const { client } of [author, reader]) {
      const { body, text } = await client.get(`${path}/${id}/history?limit=2`)
      expect(body).toMatchObject([
        { by: 'Ada', action: 'delete-note', changes: [] },
        { by: 'Ada', action: 'add-note', changes: [] },
      ])
      expect(text).not.toContain('Regretted')
    }
  })

  it('never shows addresses, sign-ins or denied requests', async () => {
    const [owner, stranger] = [await fellow({ name: 'Ada' }), await fellow({ name: 'Bob' })]
    const { id } = await make(owner.account)
    await stranger.client.put(`${path}/${id}`, { rating: 1 })
    await stranger.client.delete(`${path}/${id}`)
    const { body, text } = await owner.client.get(`${path}/${id}/history`)
    expect(body.map(({ action }: { action: string }) => action)).toEqual(['create'])
    for (const kept of [owner.account.email, owner.account.id, '127.0.0.1']) expect(text).not.toContain(kept)
    const refused = await test.db.select().from(auditLog).where(eq(auditLog.objectId, id))
    expect(refused.map(({ result }) => result).sort()).toEqual(['done', 'refused', 'refused'])
  })

  it('names no actor for a change made directly in the database', async () => {
    const { account, client } = await fellow()
    const { id } = await make(account)
    await test.db.execute(`update records set rating = 2 where id = '${id}'`)
    expect((await client.get(`${path}/${id}/history?limit=1`)).body).toMatchObject([{ by: null, action: 'update' }])
  })

  it('lists every entry once, page by page, by the Link header', async () => {
    const { account, client } = await fellow()
    const { id } = await make(account)
    for (let rating = 1; rating <= 6; rating += 1) await client.put(`${path}/${id}`, { rating })
    const seen: unknown[] = []
    let next: string | undefined = `${path}/${id}/history?limit=3`
    while (next !== undefined) {
      const answer = await client.get(next)
      for (const { changes } of answer.body) {
        seen.push(changes.find(({ field }: { field: string }) => field === 'rating')?.after)
      }
      next = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 5])
  })

  it('returns 404 for an unknown or deleted record, and 401 when signed out', async () => {
    const { account, client } = await fellow()
    const { id } = await make(account)
    await client.delete(`${path}/${id}`)
    for (const nowhere of [id, NOWHERE, 'x', '1%20or%201=1']) {
      expect(await client.get(`${path}/${nowhere}/history`)).toMatchObject({
        status: 404,
        body: { error: expect.stringMatching(/^There is no/) },
      })
    }
    expect((await test.visitor().get(`${path}/${NOWHERE}/history`)).status).toBe(401)
  })

  it.each(['limit=0', 'limit=501', 'cursor=nonsense'])('returns 400 for %s', async (query) => {
    const { account, client } = await fellow()
    const { id } = await make(account)
    expect((await client.get(`${path}/${id}/history?${query}`)).status).toBe(400)
  })
})
