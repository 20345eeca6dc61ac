import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { merge, type Row, undo } from '#server/merge/test/calls.ts'
import { makeImport } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

type Fellow = Awaited<ReturnType<typeof fellowOf>>
const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)
let added = 0
const add = async ({ client }: Fellow, name = `Ada ${added}`): Promise<Row> => {
  added += 1
  const linkedIn = `https://www.linkedin.com/in/n${added}`
  return (await client.post('/api/founders', { name, linkedIn, notes: 'Met' })).body
}
const changes = async (client: TestClient): Promise<Row[]> => (await client.get('/api/changes')).body
const change = async (client: TestClient, id: string): Promise<Row> =>
  (await changes(client)).find((one) => one.id === id)

async function runImport({ account }: Fellow, values: { state?: string; hoursAgo?: number } = {}): Promise<string> {
  const { id } = await makeImport(test.db, { importer: account })
  await test.db.execute(sql`update imports set state = ${values.state ?? 'done'}, counts = '{"created": 3, "updated": 1, "same": 5}',
    started_at = now() - make_interval(hours => ${values.hoursAgo ?? 0}) where id = ${id}`)
  return id
}

describe('Recent changes', () => {
  it('have the merges of all: what, who, when, and whether the caller may undo them', { tags: 'slow' }, async () => {
    const [ann, bob, cyd] = [await fellow(), await fellow(), await fellow()]
    const [first, second] = [await add(ann, 'Ada'), await add(bob, 'Ada O.')]
    const { mergeId } = (await merge(ann.client, second, first)).body
    const [row] = await rowsOf<{ id: string; at: string }>(
      test.db,
      sql`select public_id as id, merged_at as at from accounts, merges where accounts.id = ${ann.account.id} and merges.id = ${mergeId}`,
    )
    const seen = {
      ...{ id: mergeId, act: 'merge', what: 'founder', count: 2, by: { id: row?.id, name: ann.account.name } },
      records: [
        { id: second.id, name: 'Ada' },
        { id: first.id, name: 'Ada' },
      ],
      at: new Date(row?.at ?? '').toISOString(),
    }
    for (const { client } of [ann, bob, await fellow({ role: 'manager' })]) {
      expect(await change(client, mergeId)).toEqual({ ...seen, can: { undo: true } })
    }
    expect((await change(cyd.client, mergeId)).can).toEqual({
      undo: false,
      whyNotUndo: 'Only the fellow who merged these records, their first finders and managers can undo this',
    })
    expect((await undo(cyd.client, mergeId)).status).toBe(403)
    expect((await undo(bob.client, mergeId)).status).toBe(200)
    const undone = await change(ann.client, mergeId)
    expect(undone).toMatchObject({ can: { undo: false }, undoneAt: expect.any(String) })
    expect(undone.can).not.toHaveProperty('whyNotUndo')
  })

  it('name the reason for a merge that cannot be undone', { tags: 'slow' }, async () => {
    const ann = await fellow()
    const [first, second, third] = [await add(ann), await add(ann), await add(ann)]
    const one = (await merge(ann.client, first, second)).body
    const two = (await merge(ann.client, third, one.record)).body
    expect((await change(ann.client, one.mergeId)).can.whyNotUndo).toBe('Undo the newer merge of this record first')
    expect((await change(ann.client, two.mergeId)).can).toEqual({ undo: true })
    await undo(ann.client, two.mergeId)
    expect((await change(ann.client, one.mergeId)).can).toEqual({ undo: true })
    expect((await ann.client.delete(`/api/founders/${first.id}`)).status).toBe(204)
    expect(await change(ann.client, one.mergeId)).toMatchObject({
      records: [],
      can: { undo: false, whyNotUndo: 'The record was deleted, so this merge cannot be undone' },
    })
  })

  it('have the dismissals of all, which anyone may undo', { tags: 'slow' }, async () => {
    const [ann, bob] = [await fellow(), await fellow()]
    const pair = [await add(ann, 'Ada'), await add(ann, 'Ida')].toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const [a, b] = pair.map(({ id }) => id)
    await ann.client.post('/api/duplicates/dismiss', { a, b })
    const [seen] = await changes(bob.client)
    expect(seen).toMatchObject({ act: 'dismissal', what: 'founder', count: 2, by: { name: ann.account.name } })
    expect(seen.records).toEqual(pair.map(({ id, name }) => ({ id, name })))
    expect(seen.can).toEqual({ undo: true })
    await bob.client.delete('/api/duplicates/dismiss', { body: { a, b } })
    expect(await change(bob.client, seen.id)).toMatchObject({ can: { undo: false }, undoneAt: expect.any(String) })

    await ann.client.post('/api/duplicates/dismiss', { a, b })
    const [again] = await changes(bob.client)
    await test.db.execute(sql`update duplicate_pairs set dismissed = null where a = ${a}`)
    expect((await change(bob.client, again.id)).can.whyNotUndo).toBe('A new match has listed this pair again')
    await merge(ann.client, ...(pair as [Row, Row]))
    expect((await change(bob.client, again.id)).can.whyNotUndo).toBe('One of these records was merged into another one')
  })

  it('have the imports that the caller has run, for a manager those of all', async () => {
    const [ann, bob, manager] = [await fellow(), await fellow(), await fellow({ role: 'manager' })]
    const id = await runImport(ann)
    const idle = (await makeImport(test.db, { importer: ann.account })).id
    for (const { client } of [ann, manager]) {
      const seen = { act: 'import', what: 'people.csv', count: 4, records: [], by: { name: ann.account.name } }
      expect(await change(client, id)).toMatchObject({ ...seen, can: { undo: true } })
      expect(await change(client, idle)).toBeUndefined()
    }
    expect(await change(bob.client, id)).toBeUndefined()
    for (const [state, why] of [
      ['running', 'This import is still running'],
      ['reverting', 'This import is being reverted'],
      ['reverted', 'This import has been reverted'],
    ]) {
      await test.db.execute(sql`update imports set state = ${state} where id = ${id}`)
      expect((await change(ann.client, id)).can).toEqual({ undo: false, whyNotUndo: why })
    }
    await test.db.execute(sql`update imports set reverted_at = now() where id = ${id}`)
    expect(await change(ann.client, id)).toMatchObject({ can: { undo: false }, undoneAt: expect.any(String) })
  })

  it('name the first two records of an act on many that are still here', async () => {
    const [ann, bob] = [await fellow(), await fellow()]
    const all = [await add(bob, 'Ada'), await add(ann, 'Bea'), await add(ann, 'Cyd'), await add(ann, 'Dan')]
    const tag = (await ann.client.post('/api/tags', { name: 'Climate' })).body.id
    await ann.client.put(`/api/records/${all[0]?.id}/tags`, { tags: [tag] })
    const ids = all.map(({ id }) => id)
    const { bulkId } = (await ann.client.post('/api/records/bulk', { ids, set: { addTag: tag } })).body
    const named = async () => {
      const { count, records } = await change(ann.client, bulkId)
      return [count, records]
    }
    const of = (at: number) => ({ id: all[at]?.id, name: all[at]?.name })
    // The first one had the tag.
    expect(await named()).toEqual([3, [of(1), of(2)]])
    await ann.client.delete(`/api/founders/${ids[1]}`)
    expect(await named()).toEqual([3, [of(2), of(3)]])
  })

  it("have one's own deletions, for a manager those of all, who may undo them", async () => {
    const [ann, bob, manager] = [await fellow(), await fellow(), await fellow({ role: 'manager' })]
    const record = await add(ann, 'Ada')
    await ann.client.delete(`/api/founders/${record.id}`)
    const seen = { act: 'deletion', what: 'founder', count: 1, records: [{ id: record.id, name: 'Ada' }] }
    const by = { name: ann.account.name }
    const whyNotUndo = 'A manager or the operator can bring it back'
    expect(await change(ann.client, record.id)).toMatchObject({ ...seen, by, can: { undo: false, whyNotUndo } })
    expect(await change(bob.client, record.id)).toBeUndefined()
    expect(await change(manager.client, record.id)).toMatchObject({ ...seen, by, can: { undo: true } })
    await manager.client.post(`/api/programme/deleted/${record.id}/restore`, {})
    expect(await change(manager.client, record.id)).toBeUndefined()
  })

  it('are those of the last 30 days', { tags: 'slow' }, async () => {
    const ann = await fellow()
    const { mergeId } = (await merge(ann.client, await add(ann), await add(ann))).body
    await ann.client.post('/api/duplicates/dismiss', { a: (await add(ann)).id, b: (await add(ann)).id })
    const [dismissal] = await changes(ann.client)
    const ids = [mergeId, dismissal.id, await runImport(ann, { hoursAgo: 30 * 24 - 1 })]
    const age = (days: number) =>
      Promise.all([
        test.db.execute(
          sql`update merges set merged_at = now() - make_interval(hours => ${days * 24 - 1}) where id = ${mergeId}`,
        ),
        test.db.execute(
          sql`update dismissals set dismissed_at = now() - make_interval(hours => ${days * 24 - 1}) where id = ${dismissal.id}`,
        ),
        test.db.execute(
          sql`update imports set started_at = now() - make_interval(hours => ${days * 24 - 1}) where id = ${ids[2]}`,
        ),
      ])
    const listed = async () => (await changes(ann.client)).filter(({ id }) => ids.includes(id)).length
    await age(30)
    expect(await listed()).toBe(3)
    await age(31)
    expect(await listed()).toBe(0)
  })

  it('are newest first, and paged without gaps or repetitions while there are new ones', { tags: 'slow' }, async () => {
    const ann = await fellow()
    for (let number = 1; number <= 4; number += 1) {
      await merge(ann.client, await add(ann), await add(ann))
      await ann.client.post('/api/duplicates/dismiss', { a: (await add(ann)).id, b: (await add(ann)).id })
      await runImport(ann, { hoursAgo: number })
    }
    // Changes of one moment are in the order of their ids.
    await test.db.execute(sql`update merges set merged_at = date_trunc('second', merged_at)`)
    await test.db.execute(sql`update dismissals set dismissed_at = date_trunc('second', dismissed_at)`)
    const all = await changes(ann.client)
    expect(all.length).toBeGreaterThanOrEqual(12)
    const order = (one: Row) => `${one.at} ${one.id}`
    expect(all.map(order)).toEqual(all.map(order).toSorted().toReversed())
    const paged: Row[] = []
    let next: string | undefined = '/api/changes?limit=5'
    while (next !== undefined) {
      const { body, headers } = await ann.client.get(next)
      paged.push(...body)
      next = /^<(.+)>/.exec(String(headers.link))?.[1]
      if (paged.length === 5) await merge(ann.client, await add(ann), await add(ann))
    }
    expect(paged).toEqual(all)
    expect((await ann.client.get('/api/changes?cursor=x')).body.fields).toHaveProperty('cursor')
  })
})
