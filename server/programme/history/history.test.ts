import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PastAct } from '#contract/programme-history.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const acts = async (client: TestClient, query: string): Promise<PastAct[]> =>
  (await client.get(`/api/programme/history?${query}`)).body

describe('The history of the programme', () => {
  it('has what everyone did, newest first: who, what, before and after, without network addresses', async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    const { id } = await makeFounder(test.db, { creator: ann.account, name: 'Ada', rating: 5 })
    await ann.client.put(`/api/founders/${id}`, { rating: 9 })
    await manager.client.delete(`/api/founders/${(await makeFounder(test.db, { creator: ann.account })).id}`)
    const [deletion, edit] = await acts(manager.client, 'limit=3')
    expect(deletion).toMatchObject({ by: manager.account.email, action: 'delete', kind: 'founder', name: null })
    expect(await acts(manager.client, `record=${id}&limit=1`)).toEqual([
      {
        ...{ id: expect.any(String), at: expect.any(String), by: ann.account.email, action: 'update', kind: 'founder' },
        ...{ objectId: id, name: 'Ada', isRefused: false, before: { rating: 5 }, after: { rating: 9 }, detail: null },
        sentence: `${ann.account.name} edited the founder Ada`,
      },
    ])
    expect(Date.parse(deletion?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(edit?.at ?? ''))
  })

  it('is searched by person, act, record and days', async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    const { id } = await makeFounder(test.db, { creator: ann.account })
    await ann.client.put(`/api/founders/${id}`, { rating: 9 })
    const today = new Date().toISOString().slice(0, 10)
    const person = `person=${ann.account.email.toUpperCase()}`
    const [act] = await acts(manager.client, `${person}&action=update&record=${id}&after=${today}&before=${today}`)
    expect(act).toMatchObject({ objectId: id })
    for (const none of ['action=merge', 'before=2020-01-01', 'after=2100-01-01', `record=${act?.id}`]) {
      expect(await acts(manager.client, `${person}&${none}`)).toEqual([])
    }
    for (const [name, value] of [
      ['record', 'x'],
      ['after', 'yesterday'],
      ['before', '2026-13-01'],
      ['person', ''],
    ]) {
      const { status, body } = await manager.client.get(`/api/programme/history?${name}=${value}`)
      expect([status, Object.keys(body.fields)]).toEqual([400, [name]])
    }
  })

  it('says in sentences who did what, with names instead of ids', async () => {
    const [ann, manager] = [
      await fellowOf(test, { name: 'Ann' }),
      await fellowOf(test, { name: 'Mia', role: 'manager' }),
    ]
    const bob = await fellowOf(test, { name: 'Bob' })
    const [ada, eve] = [
      await makeFounder(test.db, { creator: ann.account, name: 'Ada' }),
      await makeFounder(test.db, { creator: ann.account, name: 'Eve' }),
    ]
    const acme = await makeCompany(test.db, { creator: ann.account, name: 'Acme' })
    await ann.client.put(`/api/founders/${ada.id}/companies/${acme.id}`, { role: 'CEO' })
    const tag = (await ann.client.post('/api/tags', { name: 'Climate' })).body
    await ann.client.put(`/api/records/${ada.id}/tags`, { tags: [tag.id] })
    await ann.client.post('/api/duplicates/dismiss', { a: ada.id, b: eve.id })
    await bob.client.delete(`/api/founders/${ada.id}`)
    await ann.client.delete(`/api/founders/${eve.id}`)
    const [{ id: person }] = (await manager.client.get('/api/programme/people?search=Bob')).body
    await manager.client.post(`/api/programme/people/${person}/disable`)
    await ann.client.post(`/api/programme/people/${person}/enable`)
    await ann.client.patch('/api/account', { name: 'Ann Lee' })
    const sentences = (await acts(manager.client, 'limit=15')).map(({ sentence }) => sentence)
    expect(sentences).toEqual(
      expect.arrayContaining([
        'Ann Lee changed their own name from “Ann” to “Ann Lee”',
        'Ann Lee was refused: return of an account (Bob’s account)',
        'Mia disabled Bob’s account',
        'Ann Lee deleted the founder Eve',
        'Bob was refused: deletion (the founder Ada)',
        expect.stringMatching(/^Ann Lee marked the founder (Eve|Ada) as not the same as the founder (Ada|Eve)$/),
        'Ann Lee added the tag “Climate” to the founder Ada',
        'Ann Lee added the tag “Climate”',
        'Ann Lee linked the company Acme to the founder Ada',
        'Ann Lee linked the founder Ada to the company Acme',
      ]),
    )
  })

  it('is searched by several acts, and has nothing of an act that there is not', async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    const { id } = await makeFounder(test.db, { creator: ann.account })
    for (const rating of [2, 3]) await ann.client.put(`/api/founders/${id}`, { rating })
    await ann.client.post(`/api/notes/founder/${id}`, { content: 'Met' })
    const found = async (query: string) =>
      (await acts(manager.client, `record=${id}&${query}`)).map(({ action }) => action)
    expect(await found('action=add-note,create')).toEqual(['add-note', 'create'])
    expect(await found('action=create,%20update&limit=2')).toEqual(['update', 'update'])
    expect(await found('action=create,nothing')).toEqual(['create'])
    expect(await found('action=nothing')).toEqual([])
    for (const wrong of ['create,', Array(21).fill('create').join()]) {
      const { status, body } = await manager.client.get(`/api/programme/history?action=${wrong}`)
      expect([status, Object.keys(body.fields)]).toEqual([400, ['action']])
    }
  })

  it('is exported oldest first, safe for spreadsheets, and the export is in the history', async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    const { id } = await makeFounder(test.db, { creator: ann.account })
    await ann.client.put(`/api/founders/${id}`, { notes: '=1+1' })
    const { status, text, headers } = await manager.client.get(`/api/programme/history/export?record=${id}`)
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('\uFEFFat,accountEmail,action,kind,objectId,result,before,after,detail')
    expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(['create', 'update', undefined])
    expect(lines.some((line) => /,=/.test(line))).toBe(false)
    const [exported] = await acts(manager.client, `person=${manager.account.email}&action=export`)
    expect(exported).toMatchObject({ kind: 'history', detail: { record: id } })
  })

  it('asks for the password before an export, and is for managers only', async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    for (const path of ['', '/export']) {
      expect((await ann.client.get(`/api/programme/history${path}`)).status).toBe(403)
    }
    await test.db.execute(sql`update sessions set confirmed_at = now() - interval '16 minutes'`)
    const { status, body } = await manager.client.get('/api/programme/history/export')
    expect([status, body.code]).toEqual([403, 'confirm'])
    expect((await manager.client.get('/api/programme/history')).status).toBe(200)
  })
})
