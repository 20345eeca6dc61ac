import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stay } from '#contract/board.ts'
import { rowsOf } from '#server/db/database.ts'
import { passTime } from '#server/records/test/pipeline-world.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPipelineCalls, type PipelineCalls } from './test/calls.ts'

let test: TestApp
let ann: Awaited<ReturnType<typeof fellowOf>>
let calls: PipelineCalls
beforeAll(async () => {
  test = await startTestApp()
  ann = await fellowOf(test, { name: 'Ann', role: 'manager' })
  calls = await createPipelineCalls(test, ann.client)
})
afterAll(() => test.close())

const HOUR = 3_600_000
const RUNS = process.env.LONG ? 200 : 12
const founder = () => makeFounder(test.db, { creator: ann.account })
const staysOf = async (id: string): Promise<Stay[]> => (await ann.client.get(`/api/records/${id}/stays`)).body
const undo = (id: string) => ann.client.post(`/api/merges/${id}/undo`, {})
async function merge(survivorId: string, duplicateId: string): Promise<string> {
  const versionOf = async (id: string) => (await ann.client.get(`/api/founders/${id}`)).body.version
  const versions = { [survivorId]: await versionOf(survivorId), [duplicateId]: await versionOf(duplicateId) }
  const { status, body } = await ann.client.post('/api/records/merge', { survivorId, duplicateId, versions })
  expect(status).toBe(200)
  return body.mergeId
}

const step = fc.record({
  stage: fc.constantFrom(undefined, null, 'Contacted', 'Met', 'In review'),
  status: fc.constantFrom(undefined, 'active', 'on_hold', 'passed', 'advanced'),
  hours: fc.nat(100),
})

describe('The time in a stage', () => {
  it('is the sum of the stays in it while the record is active or on hold, as a plain sum says', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { id } = await founder()
        /** The hours in each stage. */
        const spent: Record<string, number> = {}
        let [stage, status, version]: [string | null, string, number] = [null, 'active', 0]
        for (const { hours, ...to } of steps) {
          const reason = { id: calls.reason['Too early'] }
          const { body } = await calls.put(id, {
            ...(to.stage !== undefined && { stage: to.stage && calls.stage[to.stage] }),
            ...(to.status !== undefined && { status: to.status }),
            ...(to.status === 'passed' && { reason }),
            version,
          })
          ;[stage, status, version] = [to.stage === undefined ? stage : to.stage, to.status ?? status, body.version]
          const runs = stage !== null && ['active', 'on_hold'].includes(status)
          if (runs) spent[stage as string] = (spent[stage as string] ?? 0) + hours
          await passTime(test, id, hours * HOUR)
          const expected = stage === null ? null : Math.floor(((spent[stage] ?? 0) + 0.001) / 24)
          expect([steps, (await calls.get(id)).body.daysInStage]).toEqual([steps, expected])
        }
        const sums: Record<string, number> = {}
        for (const { stage, enteredAt, leftAt } of await staysOf(id)) {
          const ms = (leftAt === null ? Date.now() : Date.parse(leftAt)) - Date.parse(enteredAt)
          sums[stage.name] = (sums[stage.name] ?? 0) + ms / HOUR
        }
        for (const [name, hours] of Object.entries(spent)) expect(sums[name] ?? 0).toBeCloseTo(hours, 1)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('of a merged record is shown with the survivor, and not added', async () => {
    const [a, b] = [await founder(), await founder()]
    for (const { id } of [a, b]) await calls.put(id, { stage: calls.stage.Met, version: 0 })
    await passTime(test, a.id, 50 * HOUR)
    await passTime(test, b.id, 500 * HOUR)
    await merge(a.id, b.id)
    expect((await calls.get(a.id)).body.daysInStage).toBe(2)
    expect(await staysOf(a.id)).toMatchObject([
      { stage: { name: 'Met' }, leftAt: null, by: 'Ann' },
      { of: { id: b.id, name: b.name }, leftAt: null },
    ])
  })

  it('begins with a merge that brings the record into a stage, and that stay goes with the undo', async () => {
    const [a, b] = [await founder(), await founder()]
    await calls.put(b.id, { stage: calls.stage.Met, version: 0 })
    await passTime(test, b.id, 500 * HOUR)
    const id = await merge(a.id, b.id)
    expect((await calls.get(a.id)).body).toMatchObject({ stage: { name: 'Met' }, daysInStage: 0 })
    await undo(id)
    expect(await staysOf(a.id)).toEqual([])
    expect((await calls.get(a.id)).body).toMatchObject({ stage: null, daysInStage: null })
    expect((await calls.get(b.id)).body.daysInStage).toBe(20)
  })

  it('goes on while a record is deleted, so that it is as before once it is back', async () => {
    const { id } = await founder()
    const { body: before } = await calls.put(id, { stage: calls.stage.Met, version: 0 })
    await ann.client.delete(`/api/founders/${id}`)
    await passTime(test, id, 50 * HOUR)
    await ann.client.post(`/api/programme/deleted/${id}/restore`, {})
    expect((await calls.get(id)).body).toEqual({ ...before, daysInStage: 2 })
    expect(await staysOf(id)).toHaveLength(1)
  })
})

describe('At the same time', () => {
  it('of ten moves of a record with one version one is made, and the others get the current pipeline', async () => {
    const { id } = await founder()
    const stages = Object.values(calls.stage)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => calls.put(id, { stage: stages[at % 3], nextStep: `${at}`, version: 0 })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    const { body: current } = await calls.get(id)
    for (const { status, body } of answers) expect(status === 200 ? body : body.current).toEqual(current)
    expect(await staysOf(id)).toHaveLength(1)
  })

  it('moves, moves with a company, merges, undos and deletions do not wait for each other for ever', {
    tags: 'slow',
  }, async () => {
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        // One of them has the smaller id, in turn.
        const [one, other] = at % 2 === 0 ? [founder, company] : [company, founder]
        const [first, second] = [await one(), await other()]
        const pair = at % 2 === 0 ? { founder: first, company: second } : { founder: second, company: first }
        await ann.client.put(`/api/founders/${pair.founder.id}/companies/${pair.company.id}`, {})
        return pair
      }),
    )
    const stages = Object.values(calls.stage)
    const statuses: number[] = []
    const act = async (number: number) => {
      const { founder, company } = pairs[number % 6] as (typeof pairs)[number]
      const { founder: other } = pairs[(number + 2) % 6] as (typeof pairs)[number]
      const stage = stages[number % 3]
      const ofFounder = (await calls.get(founder.id)).body
      const ofCompany = (await calls.get(company.id)).body
      const withCompany = { id: company.id, version: ofCompany.version }
      const answers = await Promise.all([
        calls.put(founder.id, { stage, version: ofFounder.version, withCompany }),
        calls.put(company.id, { stage: stages[(number + 1) % 3], version: ofCompany.version }),
        number % 4 === 0 ? mergeAtOnce(founder, other) : undefined,
      ])
      statuses.push(...answers.flatMap((answer) => answer?.status ?? []))
    }
    const mergeAtOnce = async (one: { id: string }, other: { id: string }) => {
      const [a, b] = await Promise.all([one, other].map(({ id }) => ann.client.get(`/api/founders/${id}`)))
      const merged = await ann.client.post('/api/records/merge', {
        ...{ survivorId: one.id, duplicateId: other.id },
        versions: { [one.id]: a?.body?.version, [other.id]: b?.body?.version },
      })
      if (merged.status === 200) await undo(merged.body.mergeId)
      return merged
    }
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, number) => act(number + round)))
    }
    const deletions = await Promise.all(pairs.map(({ founder: { id } }) => ann.client.delete(`/api/founders/${id}`)))
    statuses.push(...deletions.map(({ status }) => status))
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(statuses).toContain(200)
    await expectCounted()
  })
})

const company = () => makeCompany(test.db, { creator: ann.account })

/** The counts of the board are those of the table. */
async function expectCounted() {
  const counted = await rowsOf(
    test.db,
    sql`
    select kind, stage_id, status, count::int from pipeline_counts where count <> 0
    except select kind, stage_id, status, count(*)::int from records
    where pipeline_version > 0 and kind not like '%-%' group by kind, stage_id, status`,
  )
  expect(counted).toEqual([])
}
