import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog, follows } from '#server/db/schema.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>>
let maya: Fellow
beforeAll(async () => {
  test = await startTestApp()
  maya = await fellowOf(test)
})
afterAll(() => test.close())

const founder = async () => (await makeFounder(test.db, { creator: maya.account })).id
const loaded = async (id: string) => (await maya.client.get(`/api/founders/${id}`)).body
const get = async (id: string, { client } = maya) => (await client.get(`/api/records/${id}/follow`)).body.state
const put = (id: string, state: unknown, { client } = maya) => client.put(`/api/records/${id}/follow`, { state })

describe('Following a record', () => {
  it('is follow, mute or none, and anything else is 400', async () => {
    const id = await founder()
    expect(await get(id)).toBe('none')
    for (const state of ['follow', 'follow', 'mute', 'none', 'mute']) {
      const { status, body } = await put(id, state)
      expect([status, body, await get(id)]).toEqual([200, { state }, state])
    }
    for (const state of ['watch', undefined, null]) {
      const { status, body } = await put(id, state)
      expect([status, body.fields]).toEqual([400, { state: 'State must be follow, mute or none' }])
    }
    expect(await get(id)).toBe('mute')
  })

  it("is one's own only: no one else sees it, managers included, and it has no entry in the history", async () => {
    const [id, manager] = [await founder(), await fellowOf(test, { role: 'manager' })]
    await put(id, 'follow')
    expect(await get(id, manager)).toBe('none')
    expect(await test.db.$count(auditLog, eq(auditLog.action, 'follow'))).toBe(0)
  })

  it('is muted after a merge if either was, and as before after its undo', async () => {
    const [survivor, duplicate] = [await founder(), await founder()]
    await put(survivor, 'follow')
    await put(duplicate, 'mute')
    const { body } = await merge(maya.client, await loaded(survivor), await loaded(duplicate))
    expect(await get(survivor)).toBe('mute')
    await undo(maya.client, body.mergeId)
    expect([await get(survivor), await get(duplicate)]).toEqual(['follow', 'mute'])
  })

  it('is chosen for everything that a record unites', async () => {
    const [survivor, duplicate] = [await founder(), await founder()]
    await put(duplicate, 'mute')
    await merge(maya.client, await loaded(survivor), await loaded(duplicate))
    await put(survivor, 'follow')
    expect(await get(survivor)).toBe('follow')
    await put(survivor, 'none')
    expect(await test.db.$count(follows, eq(follows.recordId, duplicate))).toBe(0)
  })

  it('is there again when a deleted record comes back', async () => {
    const [id, manager] = [await founder(), await fellowOf(test, { role: 'manager' })]
    await put(id, 'mute')
    await maya.client.delete(`/api/founders/${id}`)
    expect((await maya.client.get(`/api/records/${id}/follow`)).status).toBe(404)
    await manager.client.post(`/api/programme/deleted/${id}/restore`, {})
    expect(await get(id)).toBe('mute')
  })

  it('is 404 for a record that is not here', async () => {
    expect((await put('01900000-0000-7000-8000-000000000000', 'mute')).status).toBe(404)
  })
})
