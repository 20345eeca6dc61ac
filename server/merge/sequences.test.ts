import { and, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { records } from '#server/db/schema.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { merge, type Row, undo } from './test/calls.ts'

/** `npm run test:long -- measured` does the larger number. */
const RUNS = process.env.LONG ? 200 : 25

let test: TestApp
let fellows: Awaited<ReturnType<typeof fellowOf>>[]
beforeAll(async () => {
  test = await startTestApp()
  fellows = await Promise.all([1, 2, 3].map(() => fellowOf(test)))
})
afterAll(() => test.close())

const PATH = '/api/founders'
const step = fc.record({
  act: fc.constantFrom('find', 'merge', 'merge', 'delete', 'delete own', 'delete own', 'undo'),
  ...{ by: fc.nat(2), one: fc.nat(2), other: fc.nat(2) },
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Fellow = (typeof fellows)[number]

/** One record of each fellow, in this order. Each step is by one of them. Returns who has deleted which record. */
async function takeAll(owned: string[], steps: Step[]): Promise<Map<string, Fellow>> {
  const deletedBy = new Map<string, Fellow>()
  const mergeIds: string[] = []
  for (const { act, by, one, other } of steps) {
    const caller = fellows[act === 'delete own' ? one : by] as Fellow
    const { client } = caller
    const [id, otherId] = [owned[one] as string, owned[other] as string]
    if (act === 'find') await client.post(`/api/records/${id}/finders`, {})
    else if (act.startsWith('delete')) {
      if ((await client.delete(`${PATH}/${id}`)).status === 204) deletedBy.set(id, caller)
    } else if (act === 'undo') {
      const mergeId = mergeIds[one % Math.max(mergeIds.length, 1)]
      if (mergeId !== undefined) await undo(client, mergeId)
    } else if (id !== otherId) {
      const versions = await versionsOf([id, otherId])
      const rowOf = (id: string): Row => ({ id, version: versions.get(id) ?? 1 })
      const { body } = await merge(client, rowOf(id), rowOf(otherId))
      if (body.mergeId) mergeIds.push(body.mergeId)
    }
  }
  return deletedBy
}

/** The versions of those records that exist, also as merged ones. */
async function versionsOf(ids: string[]): Promise<Map<string, number>> {
  const { id, version } = records
  const rows = await test.db.select({ id, version }).from(records).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row.version]))
}

/** Which of these records are deleted, by themselves or with the record that they are merged into. */
async function deletedOf(ids: string[]): Promise<string[]> {
  const isDeleted = sql`(select root.deleted_at is not null from records root where root.id = merged_root(records.id))`
  const rows = await test.db
    .select({ id: records.id })
    .from(records)
    .where(and(inArray(records.id, ids), isDeleted))
  return rows.map(({ id }) => id)
}

it('Whatever three fellows find, merge, delete and undo, only its first finder has deleted a record', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  let deleted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const owned: string[] = []
      for (const { account } of fellows) owned.push((await makeFounder(test.db, { creator: account })).id)
      const deletedBy = await takeAll(owned, steps)
      const gone = await deletedOf(owned)
      for (const [number, id] of owned.entries()) {
        if (gone.includes(id)) expect(deletedBy.get(id)).toBe(fellows[number])
      }
      deleted += deletedBy.size
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(deleted, 'some were deleted').toBeGreaterThan(RUNS / 10)
})
