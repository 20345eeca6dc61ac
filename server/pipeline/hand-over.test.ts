import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withActor } from '#server/audit-log/actor.ts'
import { rowsOf } from '#server/db/database.ts'
import { founderKind } from '#server/founders/kind.ts'
import { insertRecords } from '#server/records/write/write.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { countHandOver, handOver } from './hand-over.ts'
import { createPipelineCalls, type PipelineCalls } from './test/calls.ts'

/** Several statements' worth. `npm run test:long -- measured` does the larger number. */
const MANY = process.env.LONG ? 10_000 : 1_250

let test: TestApp
let boss: Awaited<ReturnType<typeof fellowOf>>
let calls: PipelineCalls
beforeAll(async () => {
  test = await startTestApp()
  boss = await fellowOf(test, { name: 'Boss', role: 'manager' })
  calls = await createPipelineCalls(test, boss.client)
})
afterAll(() => test.close())

type Fellow = Awaited<ReturnType<typeof fellowOf>>
const give = async (id: string, to: Fellow) =>
  calls.put(id, { responsible: await calls.fellowId(to.account), version: 0 })
const responsibleOf = async (id: string) => (await calls.get(id)).body.responsible?.name ?? null
const leave = (leavers: Fellow[], to: Fellow | null) =>
  withActor(test.db, boss.account, (tx) =>
    handOver(
      tx,
      boss.account,
      leavers.map(({ account }) => account.id),
      to?.account.id ?? null,
    ),
  )

/** A leaver with a record of each case. */
async function leaver() {
  const [gone, other] = [await fellowOf(test, { name: 'Gone' }), await fellowOf(test, { name: 'Other' })]
  const own = await makeFounder(test.db, { creator: gone.account })
  const given = await makeCompany(test.db, { creator: other.account })
  const ownGiven = await makeFounder(test.db, { creator: gone.account })
  const ofOther = await makeFounder(test.db, { creator: gone.account })
  const noted = await makeFounder(test.db, { creator: other.account })
  await makeNote(test.db, { founder: noted.id, author: gone.account })
  await give(given.id, gone)
  await give(ownGiven.id, gone)
  await give(ofOther.id, other)
  return { gone, other, own, given, ownGiven, ofOther, noted }
}

describe('Who takes responsibility when a fellow leaves', () => {
  it('is one fellow, where the leaver was responsible, or was the creator and no one is', {
    tags: 'slow',
  }, async () => {
    const { gone, own, given, ownGiven, ofOther, noted } = await leaver()
    const next = await fellowOf(test, { name: 'Next' })
    const counts = await countHandOver(test.db, [gone.account.id])
    expect(counts).toEqual({ founder: { responsible: 1, created: 1 }, company: { responsible: 1, created: 0 } })
    expect(await leave([gone], next)).toEqual(counts)
    const all = await Promise.all([own, given, ownGiven, ofOther, noted].map(({ id }) => responsibleOf(id)))
    expect(all).toEqual(['Next', 'Next', 'Next', 'Other', null])
    expect((await boss.client.get(`/api/founders/${own.id}`)).body.createdBy).toBe('Gone')
    const [latest] = (await boss.client.get(`/api/companies/${given.id}/history`)).body
    expect(latest).toMatchObject({
      ...{ by: 'Boss', action: 'update-pipeline' },
      changes: [{ field: 'responsible', before: 'Gone', after: 'Next' }],
    })
    expect(await countHandOver(test.db, [gone.account.id])).toMatchObject({ founder: { responsible: 0, created: 0 } })
  })

  it('is no one, and records without a responsible fellow stay as they are', async () => {
    const { gone, own, given } = await leaver()
    await leave([gone], null)
    expect(await Promise.all([own, given].map(({ id }) => responsibleOf(id)))).toEqual([null, null])
    expect((await calls.get(own.id)).body.version).toBe(0)
    expect((await calls.get(given.id)).body.version).toBe(2)
  })

  it('is the same for several leavers at once', { tags: 'slow' }, async () => {
    const [one, other] = [await leaver(), await leaver()]
    const next = await fellowOf(test, { name: 'Next' })
    expect((await leave([one.gone, other.gone], next)).founder).toEqual({ responsible: 2, created: 2 })
    expect(await responsibleOf(other.own.id)).toBe('Next')
  })

  it('takes thousands of records in one transaction, and all or none', { tags: 'slow', timeout: 300_000 }, async () => {
    const [gone, next] = [await fellowOf(test, { name: 'Gone' }), await fellowOf(test, { name: 'Next' })]
    const fields = { name: 'Many', notes: 'n', rating: 5, linkedIn: 'https://www.linkedin.com/in/many' }
    for (let batch = 0; batch < MANY / 250; batch += 1) {
      const made = Array.from({ length: 250 }, () => ({
        id: uuidv7(),
        fields,
        info: null,
        creatorId: gone.account.id,
      }))
      await insertRecords(test.db, founderKind, made)
    }
    const count = async () => {
      const [row] = await rowsOf<{ count: number }>(
        test.db,
        sql`select count(*)::int as count from records where responsible_id = ${next.account.id}`,
      )
      return row?.count
    }
    const failing = test.db.transaction(async (tx) => {
      await handOver(tx, boss.account, [gone.account.id], next.account.id)
      throw new Error('later')
    })
    await expect(failing).rejects.toThrow('later')
    expect(await count()).toBe(0)
    expect((await leave([gone], next)).founder).toEqual({ responsible: 0, created: MANY })
    expect(await count()).toBe(MANY)
  })
})
