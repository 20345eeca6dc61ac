import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { merge, preview, type Row, undo } from '#server/merge/test/calls.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager', name: 'Maya' })
})
afterAll(() => test.close())

let named = 0
const add = async (name?: string): Promise<Row> => {
  named += 1
  return (await manager.client.post('/api/tags', { name: name ?? `Tag ${named}` })).body
}
const founder = (name = 'Ada') => makeFounder(test.db, { creator: manager.account, name }) as Promise<Row>
const put = ({ id }: Row, ...tags: Row[]) =>
  manager.client.put(`/api/records/${id}/tags`, { tags: tags.map((tag) => tag.id) })
const load = async ({ id }: Row): Promise<Row> => (await manager.client.get(`/api/founders/${id}`)).body
const tagsOf = async (record: Row): Promise<string[]> => ((await load(record)).tags ?? []).map(({ id }: Row) => id)
const idsWith = async ({ id }: Row): Promise<string[]> =>
  (await manager.client.get(`/api/founders?tag=${id}`)).body.map((one: Row) => one.id)

describe('A merge', () => {
  it('unites the tags of both, one on both sides once, as its preview shows, and its undo gives both back', {
    tags: 'slow',
  }, async () => {
    const [both, ours, theirs] = [await add(), await add(), await add()]
    const [survivor, duplicate] = [await founder(), await founder()]
    await put(survivor, both, ours)
    await put(duplicate, both, theirs)
    const pair = [await load(survivor), await load(duplicate)] as const
    const united = [both, ours, theirs].map(({ id, name }) => ({ id, name }))
    expect((await preview(manager.client, ...pair)).body.record.tags).toEqual(united)
    const { body } = await merge(manager.client, ...pair)
    expect(body.record.tags).toEqual(united)
    for (const tag of [both, ours, theirs]) expect(await idsWith(tag)).toEqual([survivor.id])
    expect((await put(duplicate, both)).body).toMatchObject({ code: 'merged', mergedInto: survivor.id })

    const later = await add()
    await put(survivor, both, ours, theirs, later)
    const { keptOnSurvivor } = (await undo(manager.client, body.mergeId)).body
    expect(keptOnSurvivor).toEqual([{ what: 'tag', id: expect.any(String), reason: 'Added after the merge' }])
    expect(await tagsOf(survivor)).toEqual([both.id, ours.id, later.id])
    expect(await tagsOf(duplicate)).toEqual([both.id, theirs.id])
    expect((await idsWith(both)).toSorted()).toEqual([survivor.id, duplicate.id].toSorted())
  })

  it('whose survivor loses a tag afterwards gives it back to neither', { tags: 'slow' }, async () => {
    const [tag, survivor, duplicate] = [await add(), await founder(), await founder()]
    await put(survivor, tag)
    await put(duplicate, tag)
    const { mergeId } = (await merge(manager.client, await load(survivor), await load(duplicate))).body
    await put(survivor)
    await undo(manager.client, mergeId)
    expect([await tagsOf(survivor), await tagsOf(duplicate)]).toEqual([[], []])
  })

  it('keeps the records of a tag in the order of the list when the older record is merged away', {
    tags: 'slow',
  }, async () => {
    const [tag, older, between, newer] = [await add(), await founder(), await founder(), await founder()]
    for (const one of [older, between, newer]) await put(one, tag)
    const { mergeId } = (await merge(manager.client, await load(newer), await load(older))).body
    expect(await idsWith(tag)).toEqual([between.id, newer.id])
    await undo(manager.client, mergeId)
    expect(await idsWith(tag)).toEqual([newer.id, between.id, older.id])
  })

  it('writes no entries about tags, and a tag of both sides that is deleted is in the history once', async () => {
    const [tag, survivor, duplicate] = [await add(), await founder(), await founder()]
    await put(survivor, tag)
    await put(duplicate, tag)
    await merge(manager.client, await load(survivor), await load(duplicate))
    await manager.client.delete(`/api/tags/${tag.id}`)
    const { body } = await manager.client.get(`/api/founders/${survivor.id}/history`)
    expect(body.map(({ action }: Row) => action)).toEqual(['delete-tag', 'merge', 'add-tag', 'create'])
  })
})

describe('A deleted record', () => {
  it('comes back with its tags, without those that were deleted meanwhile', async () => {
    const [kept, gone, record] = [await add(), await add(), await founder()]
    await put(record, kept, gone)
    await manager.client.delete(`/api/founders/${record.id}`)
    expect(await idsWith(kept)).toEqual([])
    await manager.client.delete(`/api/tags/${gone.id}`)
    await manager.client.post(`/api/programme/deleted/${record.id}/restore`, {})
    expect([await tagsOf(record), await idsWith(kept)]).toEqual([[kept.id], [record.id]])
  })
})

describe('The data of a person', () => {
  const call = async (path: string, body: object): Promise<Row> =>
    (await manager.client.post(`/api/programme/privacy/${path}`, body)).body
  const rowsWith = (text: string) =>
    rowsOf<{ row: string }>(
      test.db,
      sql`select row from (
        select t::text as row from tags t union all select t::text from record_tags t union all select t::text from audit_log t
      ) rows where row like ${`%${text}%`}`,
    )

  it('in an access report has the tags of the record', async () => {
    const [tag, record] = [await add(), await founder('Zenobia Quillfeather')]
    await put(record, tag)
    const [{ ref }] = await call('search', { names: ['Zenobia Quillfeather'] })
    const { tables } = await call('report', { refs: [ref] })
    const rows = (name: string) => tables.find(({ table }: Row) => table === name).rows
    expect(rows('tags')).toMatchObject([{ id: tag.id, name: tag.name, createdBy: 'a manager' }])
    expect(rows('record_tags')).toMatchObject([{ recordId: record.id, tagId: tag.id, addedBy: 'a manager' }])
  })

  it('in the name of a tag is found, and erased with the tag and its entries in histories', {
    tags: 'slow',
  }, async () => {
    const [tag, record, former] = [await add('Friend of Xanthe Murgatroyd'), await founder(), await founder()]
    await put(record, tag)
    await put(former, tag)
    await put(former)
    const hits = await call('search', { names: ['Xanthe Murgatroyd'] })
    const hit = hits.find(({ kind }: Row) => kind === 'tags')
    expect(hit).toMatchObject({ where: 'Tags, name', excerpt: 'Friend of Xanthe Murgatroyd' })
    await call('erase', { refs: [hit.ref], reason: 'asked' })
    expect(await rowsWith('Murgatroyd')).toEqual([])
    expect(await tagsOf(record)).toEqual([])
    const { body } = await manager.client.get(`/api/founders/${former.id}/history`)
    expect(body.slice(0, 2)).toMatchObject([
      { action: 'delete-tag', changes: [] },
      { action: 'add-tag', changes: [] },
    ])
  })

  it('is erased with its record, and the tag stays for others', async () => {
    const [tag, record, other] = [await add(), await founder('Ysolde Trelawney'), await founder()]
    await put(record, tag)
    await put(other, tag)
    const [{ ref }] = await call('search', { names: ['Ysolde Trelawney'] })
    await call('erase', { refs: [ref], reason: 'asked' })
    const left = await rowsWith(record.id)
    expect(left.filter(({ row }) => row.includes(tag.id))).toEqual([])
    expect(await idsWith(tag)).toEqual([other.id])
  })
})
