import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { merge, preview, undo } from '#server/merge/test/calls.ts'
import { makeFounder } from '#server/test/factories.ts'
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

type Body = Record<string, unknown>
/** Two founders with these pipelines. */
async function two(...pipelines: [Body | undefined, Body | undefined]) {
  const founderWith = async (pipeline: Body | undefined) => {
    const record = await makeFounder(test.db, { creator: ann.account })
    if (pipeline) expect((await calls.put(record.id, { ...pipeline, version: 0 })).status).toBe(200)
    return record
  }
  return [await founderWith(pipelines[0]), await founderWith(pipelines[1])] as const
}
const passed = () => ({ status: 'passed', reason: { id: calls.reason.Team, text: 'Alone' } })
const pipelineOf = async ({ id }: { id: string }) => (await calls.get(id)).body

describe('The pipeline after a merge', () => {
  it('is that of the survivor, its empty values filled from the duplicate', { tags: 'slow' }, async () => {
    const responsible = await calls.fellowId(ann.account)
    const [survivor, duplicate] = await two(
      { nextStep: 'Call', version: 0 },
      { stage: calls.stage.Met, responsible, nextStep: 'Write', nextOn: '2030-01-01', ...passed() },
    )
    const shown = (await preview(ann.client, survivor, duplicate)).body.record.pipeline
    const { body } = await merge(ann.client, survivor, duplicate)
    const summary = await pipelineOf(survivor)
    expect(summary).toEqual({
      nextStep: 'Call',
      ...{ stage: { id: calls.stage.Met, name: 'Met' }, status: 'active', nextOn: null },
      ...{ responsible: { id: responsible, name: 'Ann' }, daysInStage: 0, version: 2 },
    })
    expect([shown, body.record.pipeline]).toEqual([summary, summary])
  })

  it('has status and reason of the duplicate where the survivor has nothing', async () => {
    const [survivor, duplicate] = await two(undefined, { stage: calls.stage.Met, ...passed() })
    const shown = (await preview(ann.client, survivor, duplicate)).body.record.pipeline
    await merge(ann.client, survivor, duplicate)
    const after = await pipelineOf(survivor)
    expect(after).toMatchObject({ status: 'passed', reason: { name: 'Team', text: 'Alone' }, version: 1 })
    expect(shown).toMatchObject({ status: 'passed', stage: { name: 'Met' }, version: 1, daysInStage: 0 })
  })

  it('is absent where neither has one', async () => {
    const [survivor, duplicate] = await two(undefined, undefined)
    expect((await merge(ann.client, survivor, duplicate)).body.record).not.toHaveProperty('pipeline')
  })

  it('is as before for both after the undo, but for what was changed since, which is listed', async () => {
    const theirs = { stage: calls.stage.Met, nextStep: 'Write', nextOn: '2030-01-01', ...passed() }
    const [survivor, duplicate] = await two(undefined, theirs)
    const before = await pipelineOf(duplicate)
    const { body } = await merge(ann.client, survivor, duplicate)
    await calls.put(survivor.id, { reason: { id: calls.reason.Market }, version: 1 })
    const undone = await undo(ann.client, body.mergeId)
    expect(undone.body.keptOnSurvivor).toEqual(
      ['status', 'reason', 'reasonText'].map((what) => ({ what, id: survivor.id, reason: 'Changed after the merge' })),
    )
    expect(await pipelineOf(duplicate)).toEqual(before)
    expect(await pipelineOf(survivor)).toMatchObject({
      ...{ stage: null, nextStep: null, nextOn: null, status: 'passed', version: 3 },
      reason: { name: 'Market' },
    })
  })

  it('is in the history of the merge and of its undo, in words', async () => {
    const [survivor, duplicate] = await two(undefined, { stage: calls.stage.Met })
    const { body } = await merge(ann.client, survivor, duplicate)
    await undo(ann.client, body.mergeId)
    const [undone, merged] = (await ann.client.get(`/api/founders/${survivor.id}/history`)).body
    expect(merged).toMatchObject({ action: 'merge' })
    expect(merged.changes).toContainEqual({ field: 'stage', before: null, after: 'Met' })
    expect(undone.changes).toContainEqual({ field: 'stage', before: 'Met', after: null })
  })
})

describe('The history of the pipeline', () => {
  it('names stages, fellows and reasons, and what was cleared', async () => {
    const boss = await fellowOf(test, { name: 'Bo', role: 'manager' })
    const { id } = await makeFounder(test.db, { creator: ann.account })
    const responsible = await calls.fellowId(boss.account)
    await calls.put(id, { stage: calls.stage.Met, responsible, nextStep: 'Call', nextOn: '2030-01-01', version: 0 })
    await calls.put(id, { ...passed(), version: 1 })
    await calls.put(id, { status: 'on_hold', version: 2 })
    await boss.client.patch(`/api/stages/${calls.stage.Met}`, { name: 'Met in person' })
    const [held, gone, first] = (await ann.client.get(`/api/founders/${id}/history`)).body
    expect(first).toMatchObject({ by: 'Ann', action: 'update-pipeline' })
    expect(first.changes).toEqual([
      { field: 'stage', before: null, after: 'Met in person' },
      { field: 'responsible', before: null, after: 'Bo' },
      { field: 'nextStep', before: null, after: 'Call' },
      { field: 'nextOn', before: null, after: '2030-01-01' },
    ])
    expect(gone.changes).toEqual([
      { field: 'status', before: 'active', after: 'passed' },
      { field: 'nextStep', before: 'Call', after: null },
      { field: 'nextOn', before: '2030-01-01', after: null },
      { field: 'reason', before: null, after: 'Team' },
      { field: 'reasonText', before: null, after: 'Alone' },
    ])
    expect(held.changes).toEqual([
      { field: 'status', before: 'passed', after: 'on hold' },
      { field: 'reason', before: 'Team', after: null },
      { field: 'reasonText', before: 'Alone', after: null },
    ])
    await boss.client.patch(`/api/stages/${calls.stage.Met}`, { name: 'Met' })
  })
})

describe('The responsible fellow', () => {
  it('may edit the record, which is not in My Records, and may not delete it', async () => {
    const bob = await fellowOf(test, { name: 'Bob' })
    const { id } = await makeFounder(test.db, { creator: ann.account })
    const put = () => bob.client.put(`/api/founders/${id}`, { rating: 9 })
    expect((await put()).status).toBe(403)
    await calls.put(id, { responsible: await calls.fellowId(bob.account), version: 0 })
    const { status, body } = await put()
    expect([status, body.rating, body.can]).toMatchObject([200, 9, { edit: true, delete: false }])
    expect((await bob.client.get('/api/founders?mine=true')).body).toEqual([])
    expect((await bob.client.delete(`/api/founders/${id}`)).status).toBe(403)
    await calls.put(id, { responsible: null, version: 1 })
    expect((await put()).status).toBe(403)
  })
})
