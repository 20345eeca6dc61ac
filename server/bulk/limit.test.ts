import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BULK_MAX } from '#contract/bulk.ts'
import { rowsOf } from '#server/db/database.ts'
import type { Row } from '#server/merge/test/calls.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { bulkWorld, type Fellow } from './test/bulk-world.ts'

let test: TestApp
let [ann, bob, manager] = [] as unknown as [Fellow, Fellow, Fellow]
const world = bulkWorld(() => test)
const { bulk, undo, tag } = world
beforeAll(async () => {
  test = await startTestApp()
  ann = await world.fellow()
  bob = await world.fellow()
  manager = await world.fellow({ role: 'manager' })
})
afterAll(() => test.close())

/** Half of them founders, half companies. */
const make = (owner: Fellow, count: number) =>
  rowsOf<Row>(
    test.db,
    sql`insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text)
      select gen_random_uuid(), case number % 2 when 0 then 'founder' else 'company' end, 'Many', case number % 2 when 0 then 'x' end,
        'n', 5, ${owner.account.id}, 'many' from generate_series(1, ${count}) number returning id`,
  )

it('A fellow changes at most 1,000 records of others in bulk in 24 hours, while managers and own records have no limit', async () => {
  const [first, second, third] = [await make(bob, BULK_MAX), await make(bob, BULK_MAX), await make(bob, BULK_MAX)]
  const own = await make(ann, BULK_MAX)
  const set = { addTag: (await tag(ann)).id }
  const one = (await bulk(ann, first, set)).body
  expect(one.changed).toBe(BULK_MAX)
  // Own records, records that have the tag already, and unknown ones are not counted.
  expect((await bulk(ann, own, set)).body.changed).toBe(BULK_MAX)
  expect((await bulk(ann, first, set)).body.changed).toBe(0)
  const age = (hours: number) =>
    test.db.execute(
      sql`update bulk_acts set done_at = now() - make_interval(hours => ${hours}) where id = ${one.bulkId}`,
    )
  await age(20)
  const answers = await Promise.all([bulk(ann, second, set), bulk(ann, third, set)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body.error).toBe('You can change 1,000 records of others in 24 hours. Try again in 4 hours.')
  expect(Math.round(Number(refused?.headers['retry-after']) / 3600)).toBe(4)
  // Nothing of it is done, and an undo makes no room.
  const [some] = answers[0]?.status === 429 ? second : third
  await undo(ann, one.bulkId)
  expect((await bulk(ann, [some as Row], set)).status).toBe(429)
  expect((await bulk(ann, own, { responsible: ann.publicId })).status).toBe(200)
  expect((await bulk(manager, first, set)).body.changed).toBe(BULK_MAX)
  expect((await bulk(manager, second, { responsible: ann.publicId })).status).toBe(200)
  expect((await bulk(manager, third, { responsible: ann.publicId })).status).toBe(200)
  await age(25)
  expect((await bulk(ann, [some as Row], set)).body.changed).toBe(1)
}, 120_000)
