import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPINION_COMMENT_MAX } from '#contract/limits.ts'
import { rowsOf } from '#server/db/database.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { medianOf } from './present.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>>
let [maya, tom, noor, manager]: Fellow[] = []
beforeAll(async () => {
  test = await startTestApp()
  const fellows = await Promise.all(['Maya', 'Tom', 'Noor'].map((name) => fellowOf(test, { name })))
  ;[maya, tom, noor] = fellows
  manager = await fellowOf(test, { name: 'Priya', role: 'manager' })
})
afterAll(() => test.close())

const clientOf = (fellow: Fellow | undefined) => (fellow as Fellow).client
const give = async (fellow: Fellow | undefined, id: string, rating: number, comment?: string) => {
  const { status, body } = await clientOf(fellow).put(`/api/records/${id}/opinion`, { rating, comment })
  expect(status).toBe(200)
  return body
}
const read = async (fellow: Fellow | undefined, id: string) =>
  (await clientOf(fellow).get(`/api/records/${id}/opinions`)).body
const take = async (fellow: Fellow | undefined, id: string) =>
  expect((await clientOf(fellow).delete(`/api/records/${id}/opinion`)).status).toBe(204)
const reveal = (fellow: Fellow | undefined, id: string) =>
  clientOf(fellow).post(`/api/records/${id}/opinions/reveal`, {})
const isMarked = async (fellow: Fellow | undefined, id: string) => (await read(fellow, id)).mine.isAfterReading
const record = async () => (await makeFounder(test.db)).id

const BLIND = { others: null, median: null, spread: null }

describe.each([
  ['founder', makeFounder],
  ['company', makeCompany],
] as const)('Opinions on a %s', (_kind, make) => {
  it('are only counted until the caller has given one, for managers too', async () => {
    const { id } = await make(test.db)
    expect(await read(maya, id)).toEqual({ count: 0, mine: null, ...BLIND, revealedAt: null })
    await give(tom, id, 9, 'Ships')
    await give(noor, id, 4)
    for (const fellow of [maya, manager]) {
      expect(await read(fellow, id)).toEqual({ count: 2, mine: null, ...BLIND, revealedAt: null })
    }
    const seen = await give(maya, id, 7, '  Calm  ')
    expect(seen).toEqual(await read(maya, id))
    expect(seen).toMatchObject({ count: 3, mine: { rating: 7, comment: 'Calm', isAfterReading: false } })
    expect([seen.median, seen.spread]).toEqual([7, 5])
    const others = seen.others.map(({ fellow, rating, comment }: (typeof seen)['others'][number]) => [
      ...[fellow.name, rating, comment],
    ])
    expect(others).toEqual([
      ['Tom', 9, 'Ships'],
      ['Noor', 4, ''],
    ])
    expect(await read(manager, id)).toMatchObject({ count: 3, mine: null, ...BLIND })
  })
})

describe('An opinion', () => {
  it('is refused without a rating from 1 to 10 or with a comment that is too long', async () => {
    const id = await record()
    for (const [body, field] of [
      [{}, 'rating'],
      [{ rating: 0 }, 'rating'],
      [{ rating: 11 }, 'rating'],
      [{ rating: 5.5 }, 'rating'],
      [{ rating: 5, comment: 'x'.repeat(OPINION_COMMENT_MAX + 1) }, 'comment'],
    ] as const) {
      const { status, body: refused } = await clientOf(maya).put(`/api/records/${id}/opinion`, body)
      expect([status, Object.keys(refused.fields)]).toEqual([400, [field]])
    }
    expect((await give(maya, id, 5, '🦊'.repeat(OPINION_COMMENT_MAX))).mine.rating).toBe(5)
  })

  it('replaces the one before, and of two at the same time one stays', async () => {
    const id = await record()
    await Promise.all([1, 2, 3, 4, 5, 6].map((rating) => give(maya, id, rating)))
    const { count, mine } = await give(maya, id, 8, 'Again')
    expect([count, mine.rating, mine.comment]).toEqual([1, 8, 'Again'])
    expect((await give(maya, id, 8)).mine.comment).toBe('')
    const rows = await rowsOf(test.db, sql`select id from opinions where record_id = ${id}`)
    expect(rows).toHaveLength(1)
  })

  it('is counted in the own answer of its record, which has no number without one, and in no list', async () => {
    const id = await record()
    const answer = async () => (await clientOf(maya).get(`/api/founders/${id}`)).body
    expect(await answer()).not.toHaveProperty('opinionCount')
    await give(tom, id, 5)
    await give(noor, id, 5)
    expect((await answer()).opinionCount).toBe(2)
    expect((await clientOf(manager).put(`/api/founders/${id}`, { rating: 6 })).body.opinionCount).toBe(2)
    const { body: list } = await clientOf(maya).get('/api/founders?limit=1')
    expect([list[0].id, list[0].opinionCount]).toEqual([id, undefined])
    await take(tom, id)
    await take(noor, id)
    expect(await answer()).not.toHaveProperty('opinionCount')
  })

  it('is 404 on an unknown or deleted record, 401 signed out, and goes on to the record that it was merged into', async () => {
    const [one, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    expect((await merge(clientOf(maya), one, other)).status).toBe(200)
    const { status, body } = await clientOf(maya).put(`/api/records/${other.id}/opinion`, { rating: 5 })
    expect([status, body.code, body.mergedInto]).toEqual([409, 'merged', one.id])
    expect((await clientOf(maya).get(`/api/records/${other.id}/opinions`)).status).toBe(308)
    const gone = await record()
    await clientOf(manager).delete(`/api/founders/${gone}`)
    for (const id of [gone, '01900000-0000-7000-8000-000000000009', 'x']) {
      expect((await clientOf(maya).get(`/api/records/${id}/opinions`)).status).toBe(404)
      expect((await clientOf(maya).put(`/api/records/${id}/opinion`, { rating: 5 })).status).toBe(404)
      expect((await clientOf(maya).delete(`/api/records/${id}/opinion`)).status).toBe(404)
      expect((await reveal(manager, id)).status).toBe(404)
    }
    expect((await test.visitor().get(`/api/records/${gone}/opinions`)).status).toBe(401)
  })

  it('leaves who and when in the audit log, without values, and nothing in the history of its record', async () => {
    const id = await record()
    await give(tom, id, 9, 'A secret')
    await give(tom, id, 8, 'Another secret')
    await give(tom, id, 8, 'Another secret')
    await take(tom, id)
    await take(tom, id)
    await give(noor, id, 3)
    await reveal(manager, id)
    const entries = await rowsOf<{ action: string; values: unknown }>(
      test.db,
      sql`select action, coalesce(before, after, detail) as values from audit_log
        where object_id = ${id} and action like '%opinion%' order by at, id`,
    )
    const actions = ['give-opinion', 'change-opinion', 'delete-opinion', 'give-opinion', 'reveal-opinions']
    expect(entries).toEqual(actions.map((action) => ({ action, values: null })))
    const { body: history } = await clientOf(tom).get(`/api/founders/${id}/history`)
    expect(history.map(({ action }: { action: string }) => action)).toEqual(['create'])
  })
})

describe('What is given after reading', () => {
  it('is marked: a change, and one given again after a deletion, which is blind until then', async () => {
    const id = await record()
    await give(tom, id, 9)
    await give(maya, id, 4)
    expect([await isMarked(maya, id), await isMarked(tom, id)]).toEqual([false, false])
    await give(maya, id, 4)
    expect(await isMarked(maya, id)).toBe(false)
    await give(maya, id, 8)
    expect(await isMarked(maya, id)).toBe(true)
    await take(maya, id)
    expect(await read(maya, id)).toMatchObject({ count: 1, mine: null, ...BLIND })
    await give(maya, id, 4)
    expect(await isMarked(maya, id)).toBe(true)
    expect((await read(tom, id)).others[0].isAfterReading).toBe(true)
  })

  it('is not marked while there was nothing to read', async () => {
    const id = await record()
    await give(maya, id, 4)
    await give(maya, id, 5)
    await take(maya, id)
    await give(maya, id, 6)
    expect(await isMarked(maya, id)).toBe(false)
    // From now on she can read one.
    await give(tom, id, 9)
    await give(maya, id, 7)
    expect([await isMarked(maya, id), await isMarked(tom, id)]).toEqual([true, false])
  })

  it('is marked after all others took theirs back', async () => {
    const id = await record()
    await give(tom, id, 9)
    await give(maya, id, 4)
    await take(tom, id)
    await take(maya, id)
    await give(maya, id, 5)
    expect(await isMarked(maya, id)).toBe(true)
  })

  it('is marked after the record was deleted and restored', async () => {
    const id = await record()
    await give(tom, id, 9)
    await give(maya, id, 4)
    await take(maya, id)
    await clientOf(manager).delete(`/api/founders/${id}`)
    expect((await clientOf(manager).post(`/api/programme/deleted/${id}/restore`, {})).status).toBe(200)
    expect(await read(maya, id)).toMatchObject({ count: 1, ...BLIND })
    await give(maya, id, 4)
    expect(await isMarked(maya, id)).toBe(true)
  })

  it('is marked after a merge and its undo, on both records if both were read, else on the one that was', {
    tags: 'slow',
  }, async () => {
    const [one, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    await give(tom, one.id, 9)
    await give(noor, other.id, 2)
    // Maya reads the first, then both as one; Tom and Noor can read each other's once they are one.
    await give(maya, one.id, 5)
    const merged = await merge(clientOf(maya), one, other)
    expect((await read(maya, one.id)).count).toBe(3)
    await undo(clientOf(maya), merged.body.mergeId)
    expect(await read(maya, other.id)).toMatchObject({ count: 1, mine: null, ...BLIND })
    for (const [fellow, id] of [
      [maya, other.id],
      [tom, other.id],
      [noor, one.id],
    ] as const) {
      await give(fellow, id, 6)
      expect(await isMarked(fellow, id)).toBe(true)
    }
    const [third, fourth] = [await makeFounder(test.db), await makeFounder(test.db)]
    await give(tom, third.id, 9)
    await give(maya, third.id, 5)
    await take(maya, third.id)
    await give(noor, fourth.id, 2)
    const again = await merge(clientOf(maya), third, fourth)
    await undo(clientOf(maya), again.body.mergeId)
    // She has never been able to read that one.
    await give(maya, fourth.id, 6)
    expect(await isMarked(maya, fourth.id)).toBe(false)
  })
})

describe('Two opinions of one fellow that a merge brings together', () => {
  it('count as the newer one, and an undo gives both back', async () => {
    const [one, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    await give(maya, other.id, 3, 'Older')
    await give(maya, one.id, 8, 'Newer')
    const merged = await merge(clientOf(tom), one, other)
    expect(await read(maya, one.id)).toMatchObject({ count: 1, mine: { rating: 8 }, others: [], spread: 0 })
    await undo(clientOf(tom), merged.body.mergeId)
    expect((await read(maya, one.id)).mine).toMatchObject({ rating: 8, comment: 'Newer' })
    expect((await read(maya, other.id)).mine).toMatchObject({ rating: 3, comment: 'Older' })
  })

  it('stay as they were where it is changed in between; the later one stays on the survivor and is listed', async () => {
    const [one, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    await give(maya, other.id, 3)
    const merged = await merge(clientOf(tom), one, other)
    await give(maya, one.id, 8)
    const { body } = await undo(clientOf(tom), merged.body.mergeId)
    expect(body.keptOnSurvivor).toEqual([{ what: 'opinion', id: expect.any(String), reason: 'Added after the merge' }])
    expect([(await read(maya, one.id)).mine.rating, (await read(maya, other.id)).mine.rating]).toEqual([8, 3])
  })
})

describe('Reveal', () => {
  it('is for managers, shows everyone all opinions, once, and marks what is given afterwards', async () => {
    const id = await record()
    expect((await reveal(manager, id)).body.error).toBe('There are no opinions to reveal yet')
    await give(tom, id, 9)
    await give(noor, id, 2)
    expect((await reveal(maya, id)).status).toBe(403)
    const first = await reveal(manager, id)
    expect([first.status, first.body.median, first.body.spread]).toEqual([200, 5.5, 7])
    const again = await reveal(manager, id)
    expect([again.status, again.body.revealedAt]).toEqual([200, first.body.revealedAt])
    expect(await read(maya, id)).toMatchObject({ count: 2, mine: null, median: 5.5 })
    await give(maya, id, 5)
    expect([await isMarked(maya, id), await isMarked(tom, id)]).toEqual([true, false])
  })

  it('holds for a record that unites several only if each of them was revealed: a merge reveals nothing', async () => {
    const [one, other] = [await makeFounder(test.db), await makeFounder(test.db)]
    await give(tom, one.id, 9)
    await give(noor, other.id, 2)
    await reveal(manager, one.id)
    const merged = await merge(clientOf(maya), one, other)
    expect(await read(maya, one.id)).toMatchObject({ count: 2, ...BLIND, revealedAt: null })
    // She could read one of the two.
    await give(maya, one.id, 5)
    expect(await isMarked(maya, one.id)).toBe(true)
    await undo(clientOf(maya), merged.body.mergeId)
    expect((await read(maya, one.id)).others).toHaveLength(1)
    expect(await read(manager, one.id)).toMatchObject({ revealedAt: expect.any(String) })
    expect(await read(manager, other.id)).toMatchObject({ count: 1, ...BLIND, revealedAt: null })
  })
})

it.each([
  [[], null],
  [[4], 4],
  [[4, 7], 5.5],
  [[1, 4, 10], 4],
])('The median of %j is %j', (ratings, median) => expect(medianOf(ratings)).toBe(median))
