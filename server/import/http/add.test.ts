import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { auditLog, imports } from '#server/db/schema.ts'
import { act, createEmptyApp, csv, IN, NONE, prepare, rowsOf, settled } from '#server/import/test/import-file.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

/** Rows 2 and 3 are similar to the record by their name alone, row 4 is new, and row 5 is its record. */
const FILE = csv(
  'Name,LinkedIn,Rating',
  'Katarina Berglund,,11',
  'Katharina Berglunds,,',
  'Xaver Zorn,,',
  `Katharina Berglund,${IN}kb,`,
)

async function world() {
  const { account, client } = await fellowOf(test, { name: 'Ada' })
  await makeFounder(test.db, { creator: account, name: 'Katharina Berglund', linkedIn: `${IN}kb`, notes: 'Known' })
  return { client, ready: await prepare(client, FILE) }
}

const add = (client: TestClient, id: string, rows: number[] | 'all', headers = {}) =>
  client.post(`/api/imports/${id}/add`, { rows }, { headers })

const outcomesOf = async (client: TestClient, id: string) =>
  (await rowsOf(client, id)).map(({ outcome, canAdd }) => `${outcome}${canAdd ? ', can be added' : ''}`)

const namesOf = async (client: TestClient) =>
  (await client.get('/api/founders')).body.map(({ name }: { name: string }) => name).sort()

describe('A row whose name alone is similar', () => {
  it('waits as maybe, and can be added', { tags: 'slow' }, async () => {
    const { client, ready } = await world()
    expect(ready.counts).toEqual({ ...NONE, maybe: 2, created: 1, same: 1 })
    expect(await outcomesOf(client, ready.id)).toEqual([
      'maybe, can be added',
      'maybe, can be added',
      'created',
      'same',
    ])
    const [row] = await rowsOf(client, ready.id, 'outcome=maybe')
    expect(row?.faults.at(-1)).toEqual({ sentence: 'Katharina Berglund may be the same' })
  })

  it('is created with the run when it is added before', { tags: 'slow' }, async () => {
    const { client, ready } = await world()
    const { status, body } = await add(client, ready.id, [2])
    expect([status, body.state]).toEqual([202, 'ready'])
    expect(body.counts).toEqual({ ...NONE, maybe: 1, created: 2, same: 1, marked: 1 })
    const [row] = await rowsOf(client, ready.id)
    expect(row).toMatchObject({ outcome: 'created', canAdd: false, faults: [{ column: 'Rating' }] })
    expect(row?.recordId).toBeUndefined()
    expect(await namesOf(client)).toEqual(['Katharina Berglund'])
    const done = await act(client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, maybe: 1, created: 2, same: 1, marked: 1 })
    expect(await namesOf(client)).toEqual(['Katarina Berglund', 'Katharina Berglund', 'Xaver Zorn'])
  })

  it('is created immediately when it is added after the run, and a revert takes it along', {
    tags: 'slow',
  }, async () => {
    const { client, ready } = await world()
    const done = await act(client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, maybe: 2, created: 1, same: 1 })
    expect((await add(client, ready.id, 'all')).status).toBe(202)
    const added = await settled(client, ready.id)
    expect(added).toMatchObject({ state: 'done', done: 2, total: 2 })
    expect(added.counts).toEqual({ ...NONE, created: 3, same: 1, marked: 1 })
    expect(await namesOf(client)).toHaveLength(4)
    const entries = await test.db.select().from(auditLog).where(eq(auditLog.action, 'add-rows'))
    expect(entries.find(({ objectId }) => objectId === ready.id)?.detail).toEqual({ name: 'people.csv', rows: 2 })
    expect((await act(client, ready.id, 'revert')).counts).toEqual({ ...NONE, same: 1, reverted: 3 })
    expect(await namesOf(client)).toEqual(['Katharina Berglund'])
  })

  it('leaves a cancelled import cancelled, and its other rows as they are', { tags: 'slow' }, async () => {
    const { client, ready } = await world()
    const cancelled = { state: 'cancelled' as const, startedAt: new Date(), counts: {}, lastRow: -1, done: 0 }
    await test.db.update(imports).set(cancelled).where(eq(imports.id, ready.id))
    expect((await add(client, ready.id, [3])).status).toBe(202)
    expect(await settled(client, ready.id)).toMatchObject({ state: 'cancelled' })
    expect(await namesOf(client)).toEqual(['Katharina Berglund', 'Katharina Berglunds'])
    await test.db.update(imports).set({ state: 'done' }).where(eq(imports.id, ready.id))
    await act(client, ready.id, 'revert')
    expect(await namesOf(client)).toEqual(['Katharina Berglund'])
  })
})

describe('Adding rows', () => {
  it('is 400 for a row that is none of these, and changes nothing', async () => {
    const { client, ready } = await world()
    for (const rows of [[2, 4], [99]]) {
      expect(await add(client, ready.id, rows)).toMatchObject({
        status: 400,
        body: { fields: { rows: `Row ${rows.at(-1)} cannot be added` } },
      })
    }
    for (const rows of [[], ['2'], 'some', undefined]) {
      expect((await client.post(`/api/imports/${ready.id}/add`, { rows })).status).toBe(400)
    }
    expect((await settled(client, ready.id)).counts).toMatchObject({ maybe: 2 })
  })

  it('is 409 in another state, and 403 for another fellow', async () => {
    const { client, ready } = await world()
    const { client: other } = await fellowOf(test)
    expect((await add(other, ready.id, 'all')).status).toBe(403)
    await test.db.update(imports).set({ state: 'reverted' }).where(eq(imports.id, ready.id))
    expect((await add(client, ready.id, 'all')).status).toBe(409)
    expect(await outcomesOf(client, ready.id)).not.toContain('maybe, can be added')
  })

  it('has no further effect when it is sent again with the same key', { tags: 'slow' }, async () => {
    const { client, ready } = await world()
    await act(client, ready.id, 'run')
    for (let sent = 0; sent < 2; sent += 1) {
      expect((await add(client, ready.id, [2], { 'idempotency-key': 'add-1' })).status).toBe(202)
      await settled(client, ready.id)
    }
    expect((await settled(client, ready.id)).counts).toMatchObject({ created: 2, maybe: 1 })
  })
})
