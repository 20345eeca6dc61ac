import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PastAct } from '#contract/programme-history.ts'
import { makeFounder } from '#server/test/factories.ts'
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
