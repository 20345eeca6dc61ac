import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UNUSED_TAGS_MAX } from '#contract/tags.ts'
import { merge } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { deleteUnusedTags } from './unused.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>>
let manager: Fellow
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager' })
})
afterAll(() => test.close())

let named = 0
const add = ({ client }: Fellow) => {
  named += 1
  return client.post('/api/tags', { name: `Tag ${named}` })
}
const put = ({ client }: Fellow, { id }: { id: string }, ...tags: string[]) =>
  client.put(`/api/records/${id}/tags`, { tags })
const exists = async (id: string) =>
  (await manager.client.get('/api/tags')).body.some((tag: { id: string }) => tag.id === id)
/** Two rounds of upkeep, a day and an hour apart. */
async function aDayLater() {
  await deleteUnusedTags(test.db)
  await test.db.execute(sql`update tags set unused_since = unused_since - interval '25 hours'`)
  await deleteUnusedTags(test.db)
}

describe('Unused tags', () => {
  it('of a fellow are at most 50, also at the same time; a manager has no limit', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const ann = await fellowOf(test)
    const founder = await makeFounder(test.db, { creator: ann.account })
    const first = (await add(ann)).body
    for (let count = 2; count < UNUSED_TAGS_MAX; count += 1) expect((await add(ann)).status).toBe(201)
    const both = await Promise.all([add(ann), add(ann)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
    const { status, body } = await add(ann)
    expect([status, body.fields]).toEqual([400, { name: expect.stringContaining('50 tags that no record has') }])
    // Once a record has one of them there is room again.
    expect((await put(ann, founder, first.id)).status).toBe(200)
    expect((await add(ann)).status).toBe(201)
    for (let count = 0; count < UNUSED_TAGS_MAX + 1; count += 1) expect((await add(manager)).status).toBe(201)
  })

  it('go a day later, of fellows only, with an entry in the audit log', async () => {
    const bob = await fellowOf(test)
    const [own, used, ofManager] = [(await add(bob)).body.id, (await add(bob)).body.id, (await add(manager)).body.id]
    await put(bob, await makeFounder(test.db), used)
    await deleteUnusedTags(test.db)
    expect(await exists(own)).toBe(true)
    await aDayLater()
    expect([await exists(own), await exists(used), await exists(ofManager)]).toEqual([false, true, true])
    const entries = await test.db.execute(
      sql`select detail from audit_log where action = 'delete' and object_id = ${own}`,
    )
    expect(JSON.stringify(entries)).toContain('unused')
  })

  it('are not those that were used meanwhile', async () => {
    const bob = await fellowOf(test)
    const { id } = (await add(bob)).body
    await deleteUnusedTags(test.db)
    const founder = await makeFounder(test.db, { creator: bob.account })
    await put(bob, founder, id)
    await deleteUnusedTags(test.db)
    await put(bob, founder)
    await test.db.execute(sql`update tags set unused_since = unused_since - interval '25 hours' where id <> ${id}`)
    await deleteUnusedTags(test.db)
    expect(await exists(id)).toBe(true)
    await aDayLater()
    expect(await exists(id)).toBe(false)
  })

  it.each(['founder', 'company'] as const)(
    'are not those of a deleted or a merged %s',
    { tags: 'slow' },
    async (kind) => {
      const bob = await fellowOf(test)
      const make = () => (kind === 'founder' ? makeFounder : makeCompany)(test.db, { creator: bob.account })
      const path = kind === 'founder' ? 'founders' : 'companies'
      const [deleted, survivor, duplicate] = [await make(), await make(), await make()]
      const [ofDeleted, ofMerged] = [(await add(bob)).body.id, (await add(bob)).body.id]
      await put(bob, deleted, ofDeleted)
      await put(bob, duplicate, ofMerged)
      expect((await bob.client.delete(`/api/${path}/${deleted.id}`)).status).toBe(204)
      const get = async ({ id }: { id: string }) => (await bob.client.get(`/api/${path}/${id}`)).body
      expect((await merge(bob.client, await get(survivor), await get(duplicate))).status).toBe(200)
      await aDayLater()
      expect([await exists(ofDeleted), await exists(ofMerged)]).toEqual([true, true])
    },
  )

  it('are not those of an act on many records that can still be undone', async () => {
    const bob = await fellowOf(test)
    const { id } = (await add(bob)).body
    const founder = await makeFounder(test.db, { creator: bob.account })
    const act = await bob.client.post('/api/records/bulk', { ids: [founder.id], set: { addTag: id } })
    expect(act.status).toBe(200)
    await put(bob, founder)
    await aDayLater()
    expect(await exists(id)).toBe(true)
    await test.db.execute(sql`update bulk_acts set done_at = done_at - interval '31 days'`)
    await aDayLater()
    expect(await exists(id)).toBe(false)
  })
})
