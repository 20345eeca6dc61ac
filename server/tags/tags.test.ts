import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECORD_TAGS_MAX, TAG_NAME_MAX, TAGS_MAX } from '#contract/tags.ts'
import { rowsOf } from '#server/db/database.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>>
let [ann, bob, manager] = [] as unknown as [Fellow, Fellow, Fellow]
beforeAll(async () => {
  test = await startTestApp()
  ann = await fellowOf(test, { name: 'Ann' })
  bob = await fellowOf(test, { name: 'Bob' })
  manager = await fellowOf(test, { role: 'manager', name: 'Maya' })
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
let named = 0
const nameOf = (name = 'Tag') => {
  named += 1
  return `${name} ${named}`
}
type Tag = { id: string; name: string }
const add = async (by = ann, name = nameOf()): Promise<Tag> => (await by.client.post('/api/tags', { name })).body
const put = ({ client }: Fellow, { id }: { id: string }, ...tags: Tag[]) =>
  client.put(`/api/records/${id}/tags`, { tags: tags.map((tag) => tag.id) })
const listed = async ({ client }: Fellow, { id }: Tag) =>
  (await client.get('/api/tags')).body.find((tag: Tag) => tag.id === id)
const founder = (by = ann) => makeFounder(test.db, { creator: by.account })
const tagsOf = async ({ id }: { id: string }, client: TestClient = bob.client) =>
  (await client.get(`/api/founders/${id}`)).body.tags
const history = async ({ id }: { id: string }) => (await bob.client.get(`/api/founders/${id}/history`)).body
const ofTag = ({ id }: Tag) =>
  rowsOf<{ action: string; kind: string; before: unknown; after: unknown }>(
    test.db,
    sql`select action, kind, before, after from audit_log where object_id = ${id} order by at, id`,
  )

describe('Tags', () => {
  it('are added by anyone signed in, and listed for everyone by name', async () => {
    const [second, first] = [await add(ann, 'Éb list'), await add(bob, 'ea list')]
    const { body } = await manager.client.get('/api/tags')
    const ids = body.map(({ id }: Tag) => id)
    expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id))
    expect(await listed(bob, second)).toEqual({ id: second.id, name: 'Éb list', can: { edit: false } })
    expect(await listed(ann, second)).toMatchObject({ can: { edit: true } })
    expect(await listed(manager, second)).toMatchObject({ can: { edit: true } })
  })

  it('have different names, whatever the case, the accents and the spaces', async () => {
    await add(ann, 'Énergie  solaire')
    for (const name of ['énergie solaire', 'ENERGIE SOLAIRE', ' E\u0301nergie solaire ', 'Ｅnergie Solaire']) {
      const { status, body } = await bob.client.post('/api/tags', { name })
      expect([name, status, body.error]).toEqual([name, 409, 'There is already a tag with this name'])
    }
    const other = await add(ann, 'Energie solaires')
    expect((await ann.client.patch(`/api/tags/${other.id}`, { name: 'énergie solaire' })).status).toBe(409)
    // Vowel signs are no accents.
    expect([(await add(ann, 'कि')).name, (await add(ann, 'का')).name]).toEqual(['कि', 'का'])
    const both = await Promise.all([0, 1].map(() => ann.client.post('/api/tags', { name: 'At one time' })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it.each([
    ['without a name', {}],
    ['with an empty name', { name: ' ' }],
    ['of two lines', { name: 'a\nb' }],
    ['with a name that is too long', { name: 'x'.repeat(TAG_NAME_MAX + 1) }],
    ['with a number', { name: 5 }],
  ])('are refused %s', async (_what, body) => {
    const answers = [await ann.client.post('/api/tags', body), await manager.client.patch(`/api/tags/${NOWHERE}`, body)]
    for (const answer of answers) expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['name']])
    expect((await ann.client.post('/api/tags', { name: 'x'.repeat(TAG_NAME_MAX) })).status).not.toBe(400)
  })

  it('are added once by a repeated request with a key', async () => {
    const name = nameOf()
    const post = () =>
      ann.client.post('/api/tags', { name }, { headers: { 'idempotency-key': name.replace(' ', '-') } })
    const [one, other] = [await post(), await post()]
    expect([other.status, other.body]).toEqual([201, one.body])
    await ann.client.delete(`/api/tags/${one.body.id}`)
    expect((await post()).status).toBe(404)
  })

  it(`are at most ${TAGS_MAX}`, async () => {
    const [row] = await rowsOf<{ count: number }>(test.db, sql`select count(*)::int as count from tags`)
    await test.db.execute(sql`insert into tags (id, name, key)
      select gen_random_uuid(), 'Many ' || number, 'many ' || number from generate_series(${row?.count}::int + 1, ${TAGS_MAX}) number`)
    const { status, body } = await ann.client.post('/api/tags', { name: nameOf() })
    expect([status, body.error]).toEqual([409, `There are ${TAGS_MAX} tags already. Delete one first.`])
    await test.db.execute(sql`delete from tags where key like 'many %'`)
    expect((await ann.client.post('/api/tags', { name: nameOf() })).status).toBe(201)
  })

  it('are renamed and deleted by their creator while only their own records have them, and by managers', async () => {
    const tag = await add()
    const rename = (by: Fellow, name = nameOf()) => by.client.patch(`/api/tags/${tag.id}`, { name })
    const remove = (by: Fellow) => by.client.delete(`/api/tags/${tag.id}`)
    const why = 'Only a manager can change a tag that others have created, or that records of others have'
    for (const act of [rename, remove]) expect(await act(bob)).toMatchObject({ status: 403, body: { error: why } })
    await put(bob, await founder(ann), tag)
    expect(await rename(ann, 'Renamed by Ann')).toMatchObject({
      ...{ status: 200, body: { id: tag.id, name: 'Renamed by Ann', can: { edit: true } } },
    })
    const ofBob = await founder(bob)
    await put(ann, ofBob, tag)
    for (const act of [rename, remove]) expect(await act(ann)).toMatchObject({ status: 403, body: { error: why } })
    expect(await listed(ann, tag)).toMatchObject({ can: { edit: false } })
    expect((await rename(manager)).status).toBe(200)
    await bob.client.delete(`/api/founders/${ofBob.id}`)
    // It may come back.
    expect((await rename(ann)).status).toBe(403)
    expect((await remove(manager)).status).toBe(204)
    expect(await listed(ann, tag)).toBeUndefined()
    for (const act of [rename, remove]) expect((await act(manager)).status).toBe(404)
    const own = await add()
    await put(bob, await founder(ann), own)
    expect((await ann.client.delete(`/api/tags/${own.id}`)).status).toBe(204)
  })

  it('are in the history with their names', async () => {
    const tag = await add(ann, 'Before')
    await ann.client.patch(`/api/tags/${tag.id}`, { name: 'After' })
    await ann.client.patch(`/api/tags/${tag.id}`, { name: 'After' })
    await ann.client.delete(`/api/tags/${tag.id}`)
    const values = (name: string) => ({ id: tag.id, name })
    expect(await ofTag(tag)).toEqual([
      { action: 'create', kind: 'tag', before: null, after: values('Before') },
      { action: 'update', kind: 'tag', before: values('Before'), after: values('After') },
      { action: 'delete', kind: 'tag', before: values('After'), after: null },
    ])
  })
})

describe('The tags of a record', () => {
  it('are put by anyone signed in, and shown with the record and in lists, by name, only where there are some', async () => {
    const [record, plain] = [await founder(), await founder()]
    const [b, a] = [await add(ann, nameOf('b shown')), await add(ann, nameOf('A shown'))]
    const shown = [a, b].map(({ id, name }) => ({ id, name }))
    const { status, body } = await put(bob, record, b, a, b)
    expect([status, body]).toEqual([200, shown])
    expect(await tagsOf(record)).toEqual(shown)
    const list = (await bob.client.get('/api/founders')).body
    const inList = (of: { id: string }) => list.find(({ id }: Tag) => id === of.id)
    expect(inList(record).tags).toEqual(shown)
    expect(inList(plain)).not.toHaveProperty('tags')
    expect((await put(bob, record, a)).body).toEqual([shown[0]])
    expect((await put(bob, record)).body).toEqual([])
    expect((await bob.client.get(`/api/founders/${record.id}`)).body).not.toHaveProperty('tags')
  })

  it('do not count as an edit of the record', async () => {
    const record = await founder()
    await put(bob, record, await add())
    expect((await ann.client.get(`/api/founders/${record.id}`)).body.version).toBe(1)
  })

  it('of companies are the same', async () => {
    const [company, tag] = [await makeCompany(test.db, { creator: ann.account }), await add()]
    expect((await put(bob, company, tag)).body).toEqual([{ id: tag.id, name: tag.name }])
    const { body } = await bob.client.get(`/api/companies?tag=${tag.id}`)
    expect(body).toMatchObject([{ id: company.id, tags: [{ id: tag.id }] }])
    expect((await bob.client.get(`/api/founders?tag=${tag.id}`)).body).toEqual([])
  })

  it('are refused at their field for an unknown tag, and nothing is changed', async () => {
    const [record, tag] = [await founder(), await add()]
    await put(bob, record, tag)
    for (const tags of [[NOWHERE], ['x'], 'x', undefined, [tag.id, NOWHERE], Array(TAGS_MAX + 1).fill(tag.id)]) {
      const { status, body } = await bob.client.put(`/api/records/${record.id}/tags`, { tags })
      expect([status, Object.keys(body.fields)]).toEqual([400, ['tags']])
    }
    expect(await tagsOf(record)).toEqual([{ id: tag.id, name: tag.name }])
  })

  it(`are at most ${RECORD_TAGS_MAX}, unless a merge has brought more together, which then only become fewer`, {
    tags: 'slow',
  }, async () => {
    const record = await founder()
    const tags = await Promise.all(Array.from({ length: RECORD_TAGS_MAX + 2 }, () => add()))
    expect((await put(bob, record, ...tags.slice(0, RECORD_TAGS_MAX + 1))).body.fields).toEqual({
      tags: `A record has at most ${RECORD_TAGS_MAX} tags`,
    })
    await put(bob, record, ...tags.slice(0, RECORD_TAGS_MAX))
    const [row] = await rowsOf<{ id: string }>(test.db, sql`select id from records where id = ${record.id}`)
    await test.db.execute(sql`insert into record_tags (id, record_id, kind, tag_id, created_at)
      select ${uuidv7()}, id, kind, ${tags[RECORD_TAGS_MAX]?.id}, created_at from records where id = ${row?.id}`)
    expect((await put(bob, record, ...tags.slice(0, RECORD_TAGS_MAX + 1))).status).toBe(200)
    expect((await put(bob, record, ...tags)).status).toBe(400)
    expect((await put(bob, record, ...tags.slice(1, RECORD_TAGS_MAX + 1))).body).toHaveLength(RECORD_TAGS_MAX)
  })

  it('of a deleted or unknown record are 404', async () => {
    const [record, tag] = [await founder(), await add()]
    await put(bob, record, tag)
    await ann.client.delete(`/api/founders/${record.id}`)
    for (const id of [record.id, NOWHERE, 'x']) expect((await put(bob, { id }, tag)).status).toBe(404)
    expect((await bob.client.get(`/api/founders?tag=${tag.id}`)).body).toEqual([])
  })

  it('are in its history, with the name that the tag had', async () => {
    const [record, tag] = [await founder(), await add(ann, nameOf('Old name'))]
    await put(bob, record, tag)
    await put(bob, record, tag)
    await ann.client.patch(`/api/tags/${tag.id}`, { name: nameOf('New name') })
    const { name } = await listed(ann, tag)
    await put(manager, record)
    await put(bob, record, tag)
    await manager.client.delete(`/api/tags/${tag.id}`)
    const entry = (by: string, before: string | null, after: string | null) => ({
      ...{ by, action: after ? 'add-tag' : 'delete-tag', changes: [{ field: 'tag', before, after }] },
    })
    expect(await history(record)).toMatchObject([
      entry('Maya', name, null),
      entry('Bob', null, name),
      entry('Maya', name, null),
      entry('Bob', null, tag.name),
      { action: 'create' },
    ])
  })
})

describe('The filter by a tag', () => {
  it('is empty for an unknown tag, and 400 for what is no id', async () => {
    for (const path of ['founders', 'companies']) {
      expect(await ann.client.get(`/api/${path}?tag=${NOWHERE}`)).toMatchObject({ status: 200, body: [] })
      const { status, body } = await ann.client.get(`/api/${path}?tag=climate`)
      expect([status, body.fields]).toEqual([400, { tag: 'Tag must be the id of a tag' }])
    }
  })

  it('limits an export too', async () => {
    const [record, tag] = [await founder(), await add()]
    await put(ann, record, tag)
    const { text } = await ann.client.get(`/api/founders/export?mine=true&format=jsonl&tag=${tag.id}`)
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(text).toContain(record.name)
  })
})
