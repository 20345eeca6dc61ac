import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { merge, type Row, undo } from './test/calls.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const KINDS = [
  {
    kind: 'founder',
    path: '/api/founders',
    input: { name: 'Maya Okafor', linkedIn: 'https://www.linkedin.com/in/maya', notes: 'Met at demo day', rating: 7 },
    other: { name: 'M. Okafor', linkedIn: 'https://www.linkedin.com/in/mokafor', notes: 'Second meeting', rating: 4 },
  },
  {
    kind: 'company',
    path: '/api/companies',
    input: { name: 'Acme Robotics', website: 'https://acme.example', notes: 'Met at demo day', rating: 7 },
    other: { name: 'Acme', description: 'Robots that fold', notes: 'Second meeting', rating: 4 },
  },
] as const

const create = async (client: TestClient, path: string, input: object): Promise<Row> =>
  (await client.post(path, input)).body
const get = async (client: TestClient, path: string, id: string): Promise<Row> =>
  (await client.get(`${path}/${id}`)).body
const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

describe.each(KINDS)('Merging two of kind $kind', ({ kind, path, input, other }) => {
  /** Two records by two fellows, the duplicate with a note by a third. */
  const makePair = async () => {
    const [ann, bob, cyd] = [await fellow(), await fellow(), await fellow()]
    const first = await create(ann.client, path, input)
    const second = await create(bob.client, path, other)
    await cyd.client.post(`/api/notes/${kind}/${second.id}`, { content: 'I met them in May' })
    await ann.client.post(`/api/notes/${kind}/${second.id}`, { content: 'The same person' })
    const load = async (id: string) => get(ann.client, path, id)
    return { ann, bob, cyd, first: await load(first.id), second: await load(second.id) }
  }

  it('keeps the survivor’s fields, or the chosen ones, and fills its empty fields', async () => {
    const { ann, first, second } = await makePair()
    const { status, body } = await merge(ann.client, first, second, { rating: 'duplicate', notes: 'both' })
    expect(status).toBe(200)
    expect(body.record).toMatchObject({
      ...{ id: first.id, name: first.name, rating: 4, notes: 'Met at demo day\n\nSecond meeting' },
      ...(kind === 'company' && { website: 'https://acme.example', description: 'Robots that fold' }),
      version: first.version + 1,
    })
  })

  it('moves the notes, and leaves one record in lists and counts', async () => {
    const { ann, cyd, first, second } = await makePair()
    const total = Number((await ann.client.get(path)).headers['x-total-count'])
    await merge(ann.client, first, second)
    const { body } = await cyd.client.get(`/api/notes/${kind}/${first.id}`)
    expect(body.totalNotes).toBe(2)
    const listed = await ann.client.get(path)
    expect(listed.body.map(({ id }: Row) => id)).not.toContain(second.id)
    expect(Number(listed.headers['x-total-count'])).toBe(total - 1)
    const found = await ann.client.get(`${path}?search=${encodeURIComponent(second.name)}`)
    expect(found.body.map(({ id }: Row) => id)).not.toContain(second.id)
  })

  it('makes the first finder the creator, and keeps all finders, each once', async () => {
    const { ann, bob, first, second } = await makePair()
    const done = await merge(ann.client, second, first)
    expect(done.body.record).toMatchObject({ id: second.id, createdBy: ann.account.name, createdAt: first.createdAt })
    const finders = (await ann.client.get(`/api/records/${second.id}/finders`)).body
    expect(finders.map((finder: Row) => [finder.fellow.name, finder.via, finder.foundAt])).toEqual([
      [ann.account.name, 'add', first.createdAt],
      [bob.account.name, 'merge', second.createdAt],
    ])
    const mine = async ({ client }: { client: TestClient }) =>
      (await client.get(`${path}?mine=true`)).body.map(({ id }: Row) => id)
    expect(await mine(ann)).toEqual([second.id])
    expect(await mine(bob)).toEqual([second.id])
    const { fellows } = (await ann.client.get('/api/dashboard')).body
    const added = (name: string) => fellows.find((row: Row) => row.createdBy === name)
    expect(added(ann.account.name)).toBeDefined()
    expect(added(bob.account.name)).toBeUndefined()
  })

  it('redirects the old address: 308 with no-store for reads, 409 with mergedInto for writes', {
    tags: 'slow',
  }, async () => {
    const { ann, first, second } = await makePair()
    await merge(ann.client, first, second)
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ann.client.raw({ method, url: `${path}/${second.id}` })
      expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([
        308,
        `${path}/${first.id}`,
        'no-store',
      ])
    }
    expect((await ann.client.get(`/api/notes/${kind}/${second.id}?limit=5`)).headers.location).toBe(
      `/api/notes/${kind}/${first.id}?limit=5`,
    )
    const refused = { status: 409, body: { code: 'merged', mergedInto: first.id } }
    expect(await ann.client.put(`${path}/${second.id}`, { rating: 1 })).toMatchObject(refused)
    expect(await ann.client.delete(`${path}/${second.id}`)).toMatchObject(refused)
    expect(await ann.client.post(`/api/notes/${kind}/${second.id}`, { content: 'x' })).toMatchObject(refused)
    expect(await ann.client.post(`/api/records/${second.id}/finders`, {})).toMatchObject(refused)
    expect(await merge(ann.client, first, second)).toMatchObject(refused)
  })

  it('is refused when one record has changed since, returns both, and changes nothing', async () => {
    const { ann, first, second } = await makePair()
    await ann.client.put(`${path}/${first.id}`, { rating: 9 })
    const { status, body } = await merge(ann.client, first, second)
    expect([status, body.current.map(({ id }: Row) => id)]).toEqual([409, [first.id, second.id]])
    expect((await get(ann.client, path, second.id)).version).toBe(second.version)
  })

  it('is refused for a record and itself, another kind, an unknown field, and notes that become too long', async () => {
    const { ann, first, second } = await makePair()
    expect((await merge(ann.client, first, first)).status).toBe(400)
    const [unlike] = KINDS.filter((one) => one.kind !== kind)
    const stranger = await create(ann.client, unlike?.path ?? '', unlike?.input ?? {})
    expect((await merge(ann.client, first, stranger)).body.fields).toHaveProperty('duplicateId')
    expect((await merge(ann.client, first, second, { creatorId: 'duplicate' })).body.fields).toHaveProperty('choices')
    await ann.client.put(`${path}/${first.id}`, { notes: 'x'.repeat(10_000) })
    const long = await merge(ann.client, await get(ann.client, path, first.id), second, { notes: 'both' })
    expect(long.body.fields).toHaveProperty('notes')
  })

  it('merges once for one idempotency key', async () => {
    const { ann, first, second } = await makePair()
    const ask = () =>
      ann.client.raw({
        method: 'POST',
        url: '/api/records/merge',
        headers: { 'idempotency-key': `merge-${first.id}`, 'x-xsrf-token': ann.client.cookies.get('XSRF-TOKEN') ?? '' },
        payload: {
          survivorId: first.id,
          duplicateId: second.id,
          versions: { [first.id]: first.version, [second.id]: second.version },
        },
      })
    const [one, again] = [await ask(), await ask()]
    expect([one.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(one.body)
  })

  it('is one entry in the history of each record, with its undo', async () => {
    const { ann, first, second } = await makePair()
    const { body } = await merge(ann.client, first, second)
    const [entry] = (await ann.client.get(`${path}/${first.id}/history`)).body
    expect(entry).toMatchObject({
      ...{ action: 'merge', by: ann.account.name },
      merge: { id: body.mergeId, duplicateId: second.id },
      other: { id: second.id, name: second.name },
    })
    const entries = await rowsOf<{ action: string }>(
      test.db,
      sql`select action from audit_log where object_id = ${second.id} and action like '%merge%'`,
    )
    expect(entries).toEqual([{ action: 'merge' }])
  })

  describe('Undo', () => {
    it('restores both records, with higher versions', { tags: 'slow' }, async () => {
      const { ann, bob, cyd, first, second } = await makePair()
      const done = await merge(ann.client, second, first, { notes: 'both', name: 'duplicate' })
      const undone = await undo(ann.client, done.body.mergeId)
      expect(undone).toMatchObject({ status: 200, body: { keptOnSurvivor: [] } })
      for (const was of [first, second]) {
        const now = await get(ann.client, path, was.id)
        expect(now).toEqual({ ...was, version: now.version })
        expect(now.version).toBeGreaterThan(was.version)
      }
      const mine = async ({ client }: { client: TestClient }) =>
        (await client.get(`${path}?mine=true`)).body.map(({ id }: Row) => id)
      expect([await mine(ann), await mine(bob), await mine(cyd)]).toEqual([
        [second.id, first.id],
        [second.id],
        [second.id],
      ])
      const kept = await counted()
      await test.db.execute(sql`select rebuild_derived()`)
      expect(await counted()).toEqual(kept)
    })

    it('keeps later changes and additions on the survivor, and lists them', async () => {
      const { ann, bob, first, second } = await makePair()
      const done = await merge(ann.client, first, second, { name: 'duplicate' })
      await bob.client.put(`${path}/${first.id}`, { rating: 10 })
      const note = await bob.client.post(`/api/notes/${kind}/${first.id}`, { content: 'After the merge' })
      const dee = await fellow()
      await dee.client.post(`/api/records/${first.id}/finders`, {})
      const { body } = await undo(ann.client, done.body.mergeId)
      expect(body.keptOnSurvivor.map(({ what, id }: Row) => [what, id])).toEqual([
        ['rating', first.id],
        ['note', note.body.note.id],
        ['finder', first.id],
      ])
      expect(body.records[0]).toMatchObject({ id: first.id, name: first.name, rating: 10, notesCount: 1 })
      expect(body.records[1]).toMatchObject({ id: second.id, notesCount: 2 })
    })

    it('works from the newest merge of a chain: 409 names the merge to undo first', { tags: 'slow' }, async () => {
      const { ann, first, second } = await makePair()
      const third = await create(ann.client, path, { ...other, ...(kind === 'founder' ? {} : { website: '' }) })
      const one = await merge(ann.client, first, second)
      const two = await merge(ann.client, third, one.body.record)
      expect(two.status).toBe(200)
      expect(await undo(ann.client, one.body.mergeId)).toMatchObject({
        status: 409,
        body: { undoFirst: two.body.mergeId },
      })
      expect((await ann.client.get(`${path}/${second.id}`)).headers.location).toBe(`${path}/${third.id}`)
      expect((await undo(ann.client, two.body.mergeId)).status).toBe(200)
      expect((await undo(ann.client, one.body.mergeId)).status).toBe(200)
      expect((await undo(ann.client, one.body.mergeId)).body.error).toBe('This merge has been undone')
      expect((await get(ann.client, path, second.id)).name).toBe(second.name)
    })

    it('is allowed to the fellow who merged, the first finder of either, and managers', { tags: 'slow' }, async () => {
      const { ann, bob, cyd, first, second } = await makePair()
      const { body } = await merge(ann.client, first, second)
      expect((await undo(cyd.client, body.mergeId)).status).toBe(403)
      expect((await undo(bob.client, body.mergeId)).status).toBe(200)
      const again = await merge(
        ann.client,
        await get(ann.client, path, first.id),
        await get(ann.client, path, second.id),
      )
      const manager = await fellow({ role: 'manager' })
      expect((await undo(manager.client, again.body.mergeId)).status).toBe(200)
    })

    it('is impossible once the survivor was deleted, with everything merged into it', async () => {
      const { ann, first, second } = await makePair()
      const { body } = await merge(ann.client, first, second)
      const manager = await fellow({ role: 'manager' })
      expect((await manager.client.delete(`${path}/${first.id}`)).status).toBe(204)
      expect(await undo(ann.client, body.mergeId)).toMatchObject({
        status: 409,
        body: { error: 'The record was deleted, so this merge cannot be undone' },
      })
      expect((await ann.client.get(`${path}/${second.id}`)).status).toBe(404)
    })
  })

  it('does not deadlock when fellows merge, undo, delete and note at the same time', { tags: 'slow' }, async () => {
    const { ann, bob, cyd } = await makePair()
    const records = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const { id } = await create((index % 2 ? ann : bob).client, path, { ...input, name: `${input.name} ${index}` })
        await ann.client.post(`/api/notes/${kind}/${id}`, { content: 'Noted' })
        return get(ann.client, path, id)
      }),
    )
    const answers = await Promise.all([
      merge(ann.client, records[0], records[1]).then(({ body }) => undo(ann.client, body.mergeId)),
      merge(ann.client, records[3], records[2]),
      merge(ann.client, records[4], records[5]).then(({ body }) => undo(ann.client, body.mergeId)),
      ...records.map(({ id }) => cyd.client.post(`/api/notes/${kind}/${id}`, { content: 'Meanwhile' })),
      ann.client.delete(`${path}/${records[1]?.id}`),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const kept = await counted()
    await test.db.execute(sql`select rebuild_derived()`)
    expect(await counted()).toEqual(kept)
  })
})

/** The data that triggers derive from records. */
const counted = () =>
  Promise.all(
    [
      sql`select creator_id, creator_text, kind, added::int, mine::int from counters where added <> 0 or mine <> 0 order by 1, 2, 3`,
      sql`select record_id, kind, account_id, created_at::text, is_owner, is_finder, notes_count from record_members order by 1, 3`,
      sql`select id, kind, notes_count from records order by 1`,
    ].map((query) => rowsOf(test.db, query)),
  )
