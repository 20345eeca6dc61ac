import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stay } from '#contract/board.ts'
import type { Figures } from '#contract/figures.ts'
import { kinds } from '#contract/kinds.ts'
import { bulkWorld, type Fellow } from '#server/bulk/test/bulk-world.ts'
import { records } from '#server/db/schema.ts'
import { csv, importFile, NONE, act as revert } from '#server/import/test/import-file.ts'
import { merge, undo as undoMerge } from '#server/merge/test/calls.ts'
import { passTime } from '#server/records/test/pipeline-world.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPipelineCalls, type PipelineCalls } from './test/calls.ts'

let test: TestApp
let [ann, bob] = [] as unknown as [Fellow, Fellow]
let calls: Record<'ann' | 'bob', PipelineCalls>
let stage: Record<string, string>
const world = bulkWorld(() => test)
beforeAll(async () => {
  test = await startTestApp()
  ann = await world.fellow({ role: 'manager', name: 'Ann' })
  bob = await world.fellow({ role: 'manager', name: 'Bob' })
  calls = { ann: await createPipelineCalls(test, ann.client), bob: await createPipelineCalls(test, bob.client) }
  stage = calls.ann.stage
})
afterAll(() => test.close())

type Record_ = { id: string; kind: string }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

async function put(by: 'ann' | 'bob', { id }: Record_, to: { stage?: string | null; status?: string }) {
  const { version, status } = (await calls[by].get(id)).body
  const reason = to.status === 'passed' && status !== 'passed' ? { reason: { id: calls[by].reason.Team } } : {}
  const named = to.stage ? { stage: stage[to.stage] } : {}
  expect((await calls[by].put(id, { version, ...to, ...named, ...reason })).status).toBe(200)
}
const bulkMove = async (by: Fellow, record: Record_, to: string | null): Promise<string> =>
  (await world.bulk(by, [record], { stage: to && stage[to] })).body.bulkId
/** Moves a record by an import. Returns its id. */
async function importMove(by: Fellow, record: Record_, to: string): Promise<string> {
  const { name, linkedIn, version } = await world.load(by, record)
  // A company is found by its website.
  const website = `https://${record.id}.example`
  const isCompany = record.kind === 'company'
  if (isCompany) await by.client.call('PATCH', `/api/companies/${record.id}`, { body: { website, version } })
  const file = isCompany
    ? csv('Name,Website,Stage', `${name},${website},${to}`)
    : csv('Name,LinkedIn,Stage', `${name},${linkedIn},${to}`)
  const { id, counts } = await importFile(by.client, file, { duplicates: 'update' })
  expect(counts).toEqual({ ...NONE, updated: 1 })
  return id
}
async function revertImport(by: Fellow, id: string) {
  expect((await revert(by.client, id, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
}
async function undoBulk(by: Fellow, id: string) {
  expect(await world.undo(by, id)).toMatchObject({ status: 200, body: { restored: 1, kept: [] } })
}
const staysOf = async ({ id }: Record_): Promise<Stay[]> => (await ann.client.get(`/api/records/${id}/stays`)).body
const namesOf = async (record: Record_) => (await staysOf(record)).map(({ stage }) => stage.name)

/** What a record shows of its moves. */
async function shownOf(record: Record_) {
  const { version: _, ...pipeline } = (await calls.ann.get(record.id)).body
  const [row] = await test.db.select({ reached: records.reached }).from(records).where(eq(records.id, record.id))
  return { pipeline, reached: row?.reached, stays: await staysOf(record) }
}

const figuresOf = async (kind: string): Promise<Figures> =>
  (await ann.client.get(`/api/programme/figures?period=month&kind=${kind}`)).body

/** A record in each state. What happens to it later happens days after it came there. */
const states = {
  'not started': [],
  'in a stage': [{ stage: 'Contacted' }],
  'on hold': [{ stage: 'Contacted', status: 'on_hold' }],
  passed: [{ stage: 'Contacted' }, { status: 'passed' }],
  advanced: [{ stage: 'Contacted' }, { status: 'advanced' }],
  'advanced without a stage': [{ status: 'advanced' }],
}
type State = keyof typeof states

async function recordIn(state: State, kind: 'founder' | 'company'): Promise<Record_> {
  const record = { ...(await world[kind](ann)), kind }
  for (const to of states[state]) {
    await put('ann', record, to)
    await passTime(test, record.id, 40 * DAY)
  }
  return record
}

type Act = (record: Record_) => Promise<void>
/** Acts that leave a record as it was. */
const acts: Record<string, Act> = {
  'a move put back': async (record) => {
    const before = (await calls.bob.get(record.id)).body
    await put('bob', record, { stage: 'Met' })
    await passTime(test, record.id, 9 * MINUTE)
    await calls.bob.put(record.id, { stage: before.stage?.id ?? null, version: before.version + 1 })
  },
  'two moves and one back': async (record) => {
    const before = (await calls.bob.get(record.id)).body
    await put('bob', record, { stage: 'Met' })
    await put('bob', record, { stage: 'In review' })
    await calls.bob.put(record.id, { stage: before.stage?.id ?? null, version: before.version + 2 })
  },
  'a stage that is cleared and given again': async (record) => {
    const before = (await calls.bob.get(record.id)).body
    if (before.stage === null) return
    await put('bob', record, { stage: null })
    await calls.bob.put(record.id, { stage: before.stage.id, version: before.version + 1 })
  },
  'another status taken back': async (record) => {
    const { status, version, reason } = (await calls.bob.get(record.id)).body
    await put('bob', record, { status: ['passed', 'advanced'].includes(status) ? 'active' : 'advanced' })
    const why = reason && { reason: { id: reason.id } }
    expect((await calls.bob.put(record.id, { status, version: version + 1, ...why })).status).toBe(200)
  },
  'another stage and status taken back': async (record) => {
    const { status, stage: was, version, reason } = (await calls.bob.get(record.id)).body
    await put('bob', record, { stage: 'Met', status: status === 'active' ? 'advanced' : 'active' })
    const why = reason && { reason: { id: reason.id } }
    await calls.bob.put(record.id, { stage: was?.id ?? null, status, version: version + 1, ...why })
  },
  'a bulk act undone': async (record) => undoBulk(bob, await bulkMove(bob, record, 'Met')),
  'a bulk act undone days later by another': async (record) => {
    const id = await bulkMove(bob, record, 'Met')
    await passTime(test, record.id, 20 * DAY)
    await undoBulk(ann, id)
  },
  'a bulk act that clears the stage undone': async (record) => {
    if ((await calls.bob.get(record.id)).body.stage === null) return
    const id = await bulkMove(bob, record, null)
    await passTime(test, record.id, 20 * DAY)
    await undoBulk(bob, id)
  },
  'two bulk acts undone': async (record) => {
    const one = await bulkMove(bob, record, 'Met')
    const two = await bulkMove(bob, record, 'In review')
    await passTime(test, record.id, DAY)
    await undoBulk(bob, two)
    await undoBulk(bob, one)
  },
  'an import reverted': async (record) => revertImport(bob, await importMove(bob, record, 'Met')),
  'an import reverted days later by another': async (record) => {
    const id = await importMove(bob, record, 'Met')
    await passTime(test, record.id, 20 * DAY)
    await revertImport(ann, id)
  },
  'an import and a bulk act undone': async (record) => {
    const one = await importMove(bob, record, 'Met')
    const two = await bulkMove(bob, record, 'In review')
    await undoBulk(bob, two)
    await revertImport(bob, one)
  },
  'a merge undone': async (record) => {
    const other = { ...(await world[record.kind as 'founder'](ann)), kind: record.kind }
    await put('bob', other, { stage: 'Met' })
    await put('bob', other, { status: 'passed' })
    const { mergeId } = (await merge(bob.client, await world.load(bob, record), await world.load(bob, other))).body
    await passTime(test, record.id, DAY)
    expect((await undoMerge(bob.client, mergeId)).status).toBe(200)
    await ann.client.delete(`/api/${record.kind === 'company' ? 'companies' : 'founders'}/${other.id}`)
  },
}

describe('What was undone never counts', () => {
  // The kinds take turns: triggers and acts know none.
  const cases = Object.keys(acts)
    .flatMap((act) => Object.keys(states).map((state) => ({ act, state: state as State })))
    .map((one, at) => ({ ...one, kind: kinds[at % kinds.length]?.name ?? 'founder' }))
  it.each(cases)('$act: $kind $state', { tags: 'slow' }, async ({ kind, act, state }) => {
    const [record, twin] = await Promise.all([recordIn(state, kind), recordIn(state, kind)])
    const began = (await staysOf(record)).at(-1)
    await acts[act]?.(record)
    const passed = Date.parse(began?.enteredAt ?? '') - Date.parse((await staysOf(record)).at(-1)?.enteredAt ?? '')
    const counted = await shownOf(record)
    // The twin had only the time that has passed.
    if (passed > 0) await passTime(test, twin.id, passed)
    const expected = await shownOf(twin)
    const daysOf = ({ stays }: typeof counted) =>
      stays.map(({ stage, enteredAt, leftAt }) => [
        stage.name,
        ...[enteredAt, leftAt].map((at) => at && Math.round((Date.now() - Date.parse(at)) / DAY)),
      ])
    expect(daysOf(counted)).toEqual(daysOf(expected))
    expect(counted.pipeline).toEqual(expected.pipeline)
    expect(counted.reached).toEqual(expected.reached)
  })

  it('leaves the figures as they were', { tags: 'slow' }, async () => {
    for (const { name: kind } of kinds) {
      const all = await Promise.all(Object.keys(states).map((state) => recordIn(state as State, kind)))
      const { timeInStage, ...before } = await figuresOf(kind)
      for (const record of all) {
        // These act at once: days would move what happened to another month.
        for (const act of ['two moves and one back', 'another stage and status taken back', 'a bulk act undone']) {
          await acts[act]?.(record)
        }
        await acts['an import reverted']?.(record)
      }
      const { timeInStage: times, ...after } = await figuresOf(kind)
      expect(after).toEqual(before)
      for (const [at, { days, ...counted }] of times.entries()) {
        expect(counted).toMatchObject({ count: timeInStage[at]?.count })
        expect(days ?? 0).toBeCloseTo(timeInStage[at]?.days ?? 0, 1)
      }
    }
  })
})

describe('Of several moves', () => {
  it('by one person within ten minutes only the last counts, and the stay before it goes on until then', async () => {
    const record = await recordIn('in a stage', 'founder')
    await put('bob', record, { stage: 'Met' })
    await passTime(test, record.id, 5 * MINUTE)
    await put('bob', record, { stage: 'In review' })
    const [last, before] = (await staysOf(record)) as [Stay, Stay]
    expect(await namesOf(record)).toEqual(['In review', 'Contacted'])
    expect([before.leftAt, Date.now() - Date.parse(last.enteredAt) < MINUTE]).toEqual([last.enteredAt, true])
    const { body } = await ann.client.get(`/api/founders/${record.id}/history`)
    expect(JSON.stringify(body)).toContain('Met')
  })

  it.each([
    ['after ten minutes', 'bob', 11 * MINUTE],
    ['by another person', 'ann', 0],
  ] as const)('each counts %s', async (_what, by, time) => {
    const record = await recordIn('in a stage', 'founder')
    await put('bob', record, { stage: 'Met' })
    await passTime(test, record.id, time)
    await put(by, record, { stage: 'Contacted' })
    expect(await namesOf(record)).toEqual(['Contacted', 'Met', 'Contacted'])
  })

  it('one into a stage and a pass there both count', async () => {
    const record = await recordIn('not started', 'founder')
    await put('bob', record, { stage: 'Met' })
    await put('bob', record, { status: 'passed' })
    expect(await staysOf(record)).toMatchObject([{ stage: { name: 'Met' }, leftAt: expect.any(String) }])
  })

  it('one just before a bulk act counts again when that is undone', async () => {
    const record = await recordIn('in a stage', 'founder')
    await put('bob', record, { stage: 'Met' })
    const before = await staysOf(record)
    const id = await bulkMove(bob, record, 'In review')
    expect(await namesOf(record)).toEqual(['In review', 'Contacted'])
    await undoBulk(bob, id)
    expect(await staysOf(record)).toEqual(before)
  })

  it('a later one stays when the import before it is reverted, whose stay goes', { tags: 'slow' }, async () => {
    const record = await recordIn('in a stage', 'founder')
    const id = await importMove(bob, record, 'Met')
    await put('ann', record, { stage: 'In review' })
    expect((await revert(bob.client, id, 'revert')).counts).toEqual({ ...NONE, kept: 1 })
    expect(await namesOf(record)).toEqual(['In review', 'Contacted'])
  })

  it('a later one stays when the bulk act before it is undone, whose stay goes', async () => {
    const record = await recordIn('in a stage', 'founder')
    const id = await bulkMove(bob, record, 'Met')
    await put('ann', record, { stage: 'In review' })
    expect((await world.undo(bob, id)).body.kept).toEqual([{ id: record.id, reason: 'The stage was changed since' }])
    expect(await namesOf(record)).toEqual(['In review', 'Contacted'])
  })
})
