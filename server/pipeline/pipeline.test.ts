import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '#server/db/schema.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPipelineCalls, type PipelineCalls } from './test/calls.ts'

let test: TestApp
let ann: Awaited<ReturnType<typeof fellowOf>>
let bob: Awaited<ReturnType<typeof fellowOf>>
let calls: PipelineCalls
beforeAll(async () => {
  test = await startTestApp()
  ann = await fellowOf(test, { name: 'Ann' })
  bob = await fellowOf(test, { name: 'Bob' })
  calls = await createPipelineCalls(test, bob.client)
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
const EMPTY = {
  ...{ stage: null, status: 'active', responsible: null, nextStep: null, nextOn: null },
  ...{ version: 0, daysInStage: null },
}
const founder = () => makeFounder(test.db, { creator: ann.account })
const company = () => makeCompany(test.db, { creator: ann.account })

describe('The pipeline of a record', () => {
  it('is empty at first, and absent from the record and from lists', async () => {
    const { id } = await founder()
    expect(await calls.get(id)).toEqual({ status: 200, body: EMPTY })
    expect((await bob.client.get(`/api/founders/${id}`)).body).not.toHaveProperty('pipeline')
  })

  it('is changed by anyone signed in: what is absent stays, null clears, and the version of the record stays', async () => {
    const { id, version } = await founder()
    const first = await calls.put(id, {
      ...{ stage: calls.stage.Met, responsible: await calls.fellowId(ann.account), nextStep: ' Call ' },
      ...{ nextOn: '2030-02-28', version: 0 },
    })
    const after = {
      ...{ stage: { id: calls.stage.Met, name: 'Met' }, status: 'active', nextStep: 'Call', nextOn: '2030-02-28' },
      ...{ responsible: { id: await calls.fellowId(ann.account), name: 'Ann' }, version: 1, daysInStage: 0 },
    }
    expect(first).toEqual({ status: 200, body: after })
    const second = await calls.put(id, { nextOn: null, version: 1 })
    expect(second.body).toEqual({ ...after, nextOn: null, version: 2 })
    expect(await calls.get(id)).toEqual(second)
    const { body } = await bob.client.get(`/api/founders/${id}`)
    expect([body.version, body.createdBy, body.pipeline]).toEqual([version, 'Ann', second.body])
    const list = (await bob.client.get('/api/founders')).body
    expect(list.find((listed: { id: string }) => listed.id === id).pipeline).toEqual(second.body)
  })

  it('keeps its version where nothing changes', async () => {
    const { id } = await company()
    await calls.put(id, { stage: calls.stage.Met, version: 0 })
    const again = await calls.put(id, { stage: calls.stage.Met, status: 'active', nextStep: '', version: 1 })
    expect([again.status, again.body.version]).toEqual([200, 1])
  })

  it('answers an outdated version with 409 and the current pipeline', async () => {
    const { id } = await founder()
    const { body: current } = await calls.put(id, { stage: calls.stage.Met, version: 0 })
    const { status, body } = await calls.put(id, { stage: null, version: 0 })
    expect([status, body.id, body.current]).toEqual([409, id, current])
    expect((await calls.get(id)).body).toEqual(current)
  })

  it('refuses what is not there, at its field', async () => {
    const { id } = await founder()
    const left = await fellowOf(test)
    await test.db.execute(sql`update ${accounts} set disabled_at = now() where id = ${left.account.id}`)
    const wrong: [object, string][] = [
      [{ stage: NOWHERE }, 'stage'],
      [{ stage: 'Met' }, 'stage'],
      [{ status: 'won' }, 'status'],
      [{ responsible: NOWHERE }, 'responsible'],
      [{ responsible: await calls.fellowId(left.account) }, 'responsible'],
      [{ responsible: ann.account.id }, 'responsible'],
      [{ nextStep: 'x'.repeat(201) }, 'nextStep'],
      [{ nextStep: 'Call\nWrite' }, 'nextStep'],
      [{ nextOn: '2030-02-30' }, 'nextOn'],
      [{ nextOn: '0000-01-01' }, 'nextOn'],
      [{ nextOn: '2026-02-30' }, 'nextOn'],
      [{ nextOn: '0026-03-05' }, 'nextOn'],
      [{ nextOn: '2260-03-05' }, 'nextOn'],
      [{ status: 'passed' }, 'reason'],
      [{ status: 'passed', reason: { id: NOWHERE } }, 'reason'],
      [{ reason: { id: calls.reason['Too early'] } }, 'reason'],
      [{ lookAgainOn: '2030-01-01' }, 'lookAgainOn'],
      [{ status: 'on_hold', lookAgainOn: '2030-01-01' }, 'lookAgainOn'],
      [{ status: 'passed', reason: { id: calls.reason.Team }, lookAgainOn: '2030-02-30' }, 'lookAgainOn'],
      [{ status: 'passed', reason: { id: calls.reason.Team }, lookAgainOn: 'in May' }, 'lookAgainOn'],
      [{ version: undefined }, 'version'],
    ]
    for (const [part, field] of wrong) {
      const { status, body } = await calls.put(id, { version: 0, ...part })
      expect([part, status, Object.keys(body.fields ?? {})]).toEqual([part, 400, [field]])
    }
    expect((await calls.get(id)).body).toEqual(EMPTY)
  })

  it('has a reason while it is passed, and keeps its stage', async () => {
    const { id } = await founder()
    await calls.put(id, { stage: calls.stage.Met, version: 0 })
    const reason = { id: calls.reason['Too early'], text: 'In a year' }
    const passed = (await calls.put(id, { status: 'passed', reason, version: 1 })).body
    expect([passed.stage.name, passed.status]).toEqual(['Met', 'passed'])
    expect(passed.reason).toEqual({ ...reason, name: 'Too early' })
    const other = (await calls.put(id, { reason: { id: calls.reason.Team }, version: 2 })).body
    expect(other.reason).toEqual({ id: calls.reason.Team, name: 'Team' })
    expect((await calls.put(id, { status: 'active', version: 3 })).body).not.toHaveProperty('reason')
  })

  it('has a day to look again while it is passed, in the history too, but no next step', async () => {
    const { id } = await founder()
    const reason = { id: calls.reason['Too early'] }
    const passed = (await calls.put(id, { status: 'passed', reason, lookAgainOn: '2031-05-03', version: 0 })).body
    expect(passed).toMatchObject({ lookAgainOn: '2031-05-03', nextStep: null, nextOn: null })
    expect((await ann.client.get(`/api/founders/${id}`)).body.pipeline).toMatchObject({ lookAgainOn: '2031-05-03' })
    // Another reason leaves the day, and another day the reason.
    expect((await calls.put(id, { reason: { id: calls.reason.Team }, version: 1 })).body).toMatchObject({
      lookAgainOn: '2031-05-03',
    })
    expect((await calls.put(id, { lookAgainOn: '2031-06-01', version: 2 })).body).toMatchObject({
      ...{ lookAgainOn: '2031-06-01', reason: { name: 'Team' } },
    })
    expect((await calls.put(id, { lookAgainOn: null, version: 3 })).body).not.toHaveProperty('lookAgainOn')
    await calls.put(id, { lookAgainOn: '2031-06-01', version: 4 })
    expect((await calls.put(id, { status: 'active', version: 5 })).body).not.toHaveProperty('lookAgainOn')
    const [, last, , , , first] = (await ann.client.get(`/api/founders/${id}/history`)).body
    expect(last).toMatchObject({
      sentence: 'set when to look again',
      changes: [{ field: 'lookAgainOn', before: null, after: '2031-06-01' }],
    })
    expect(first.changes).toContainEqual({ field: 'lookAgainOn', before: null, after: '2031-05-03' })
  })

  it('of no record is 404, of a merged one 409 that names the survivor, and 308 to read', async () => {
    expect([(await calls.get(NOWHERE)).status, (await calls.put(NOWHERE, { version: 0 })).status]).toEqual([404, 404])
    const [survivor, duplicate] = [await founder(), await founder()]
    await bob.client.post('/api/records/merge', {
      ...{ survivorId: survivor.id, duplicateId: duplicate.id },
      versions: { [survivor.id]: survivor.version, [duplicate.id]: duplicate.version },
    })
    const { status, body } = await calls.put(duplicate.id, { version: 0 })
    expect([status, body.code, body.mergedInto]).toEqual([409, 'merged', survivor.id])
    expect((await calls.get(duplicate.id)).status).toBe(308)
    await ann.client.delete(`/api/founders/${survivor.id}`)
    expect((await calls.put(survivor.id, { version: 0 })).status).toBe(404)
  })
})
