import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTape } from '#server/db/test/statement-tape.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPipelineCalls, type PipelineCalls } from './test/calls.ts'

let test: TestApp
let ann: Awaited<ReturnType<typeof fellowOf>>
let calls: PipelineCalls
beforeAll(async () => {
  test = await startTestApp()
  ann = await fellowOf(test, { name: 'Ann' })
  calls = await createPipelineCalls(test, ann.client)
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
const link = (founder: { id: string }, company: { id: string }) =>
  ann.client.put(`/api/founders/${founder.id}/companies/${company.id}`, {})
async function pair() {
  const [founder, company] = [await makeFounder(test.db), await makeCompany(test.db)]
  await link(founder, company)
  return { founder, company }
}
const both = async ({ founder, company }: Awaited<ReturnType<typeof pair>>) =>
  Promise.all([founder, company].map(async ({ id }) => (await calls.get(id)).body))

describe('A founder with a linked company', () => {
  it('takes it along to the same stage, which keeps its own status', async () => {
    const linked = await pair()
    await calls.put(linked.company.id, { status: 'on_hold', version: 0 })
    const withCompany = { id: linked.company.id, version: 1 }
    const moved = await calls.put(linked.founder.id, { stage: calls.stage.Met, withCompany, version: 0 })
    expect(moved.status).toBe(200)
    const [founder, company] = await both(linked)
    expect(founder).toEqual(moved.body)
    expect(company).toMatchObject({ stage: { name: 'Met' }, status: 'on_hold', version: 2 })
  })

  it('reads neither record in full', async () => {
    const { founder, company } = await pair()
    const tape = startTape()
    tape.begin()
    const withCompany = { id: company.id, version: 0 }
    const { status } = await calls.put(founder.id, { stage: calls.stage.Met, withCompany, version: 0 })
    const statements = tape.end().flat()
    tape.stop()
    expect(status).toBe(200)
    expect(statements.filter(({ name }) => name?.endsWith('_by_ids'))).toEqual([])
  })

  it('moves neither where one has changed, and the answer says which', async () => {
    const linked = await pair()
    const { founder, company } = linked
    await calls.put(company.id, { nextStep: 'Call', version: 0 })
    const before = await both(linked)
    const move = (version: number, ofCompany: number) =>
      calls.put(founder.id, { stage: calls.stage.Met, withCompany: { id: company.id, version: ofCompany }, version })
    const stale = await move(0, 0)
    expect([stale.status, stale.body.id, stale.body.current]).toEqual([409, company.id, before[1]])
    const other = await move(1, 1)
    expect([other.status, other.body.id, other.body.current]).toEqual([409, founder.id, before[0]])
    expect(await both(linked)).toEqual(before)
  })

  it('is 400 for one that is not linked, not there, or without a stage to move to', async () => {
    const linked = await pair()
    const { founder, company } = linked
    const stranger = await makeCompany(test.db)
    const at = (id: string) => ({ stage: calls.stage.Met, withCompany: { id, version: 0 } })
    const wrong: [string, object][] = [
      [founder.id, at(stranger.id)],
      [founder.id, at(NOWHERE)],
      [founder.id, at(founder.id)],
      [founder.id, { withCompany: { id: company.id, version: 0 } }],
      [company.id, at(company.id)],
      [founder.id, { stage: calls.stage.Met, withCompany: company.id }],
    ]
    for (const [id, body] of wrong) {
      const { status, body: answer } = await calls.put(id, { ...body, version: 0 })
      expect([body, status, Object.keys(answer.fields ?? {})]).toEqual([body, 400, ['withCompany']])
    }
    expect((await both(linked)).map(({ version }) => version)).toEqual([0, 0])
  })

  it('goes back to not started with it', async () => {
    const linked = await pair()
    for (const { id } of Object.values(linked)) await calls.put(id, { stage: calls.stage.Met, version: 0 })
    const withCompany = { id: linked.company.id, version: 1 }
    expect((await calls.put(linked.founder.id, { stage: null, withCompany, version: 1 })).status).toBe(200)
    expect((await both(linked)).map(({ stage }) => stage)).toEqual([null, null])
  })
})
