import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { merge, undo } from '#server/merge/test/calls.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { createPipelineCalls } from './test/calls.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** A manager with a step on a record, and another fellow. */
async function makeStep(make: typeof makeFounder | typeof makeCompany = makeFounder) {
  const ada = await fellowOf(test, { name: 'Ada', role: 'manager' })
  const bob = await fellowOf(test, { name: 'Bob' })
  const calls = await createPipelineCalls(test, ada.client)
  const [me, other] = [await calls.fellowId(ada.account), await calls.fellowId(bob.account)]
  const record = await make(test.db, { creator: ada.account, name: 'Maya Roe' })
  await calls.put(record.id, { responsible: me, nextStep: 'Call', nextOn: '2030-01-01', version: 0 })
  return { ada, bob, calls, me, other, record, path: make === makeFounder ? 'founders' : 'companies' }
}
type World = Awaited<ReturnType<typeof makeStep>>

/** The events of the calendar file of a fellow, by the id of their record. */
async function eventsOf(client: TestClient) {
  const { text } = await client.get('/api/next-steps.ics')
  const events = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1)
  const textIn = (event: string, name: string) => new RegExp(`^${name}[^:\r]*:(.+)\r$`, 'm').exec(event)?.[1]
  return new Map(
    events.map((event) => [
      textIn(event, 'UID')?.slice('next-step-'.length, -'@sourcebook'.length),
      {
        ...{ sequence: Number(textIn(event, 'SEQUENCE')), isCancelled: textIn(event, 'STATUS') === 'CANCELLED' },
        ...{ day: textIn(event, 'DTSTART'), summary: textIn(event, 'SUMMARY'), url: textIn(event, 'URL') },
      },
    ]),
  )
}
const current = async ({ ada, record, path }: World, id = record.id) =>
  (await ada.client.get(`/api/${path}/${id}`)).body
const put = async (world: World, change: object) => {
  const { version } = (await world.ada.client.get(`/api/records/${world.record.id}/pipeline`)).body
  expect((await world.calls.put(world.record.id, { ...change, version })).status).toBe(200)
}
/** Merges the record away, into one of the same kind that has a step of its own or not. */
async function mergeAway(world: World, step: object | undefined) {
  const survivor = await (world.path === 'founders' ? makeFounder : makeCompany)(test.db, {
    creator: world.ada.account,
    name: 'Maya R. Roe',
  })
  if (step) await world.calls.put(survivor.id, { ...step, version: 0 })
  const { status, body } = await merge(world.ada.client, await current(world, survivor.id), await current(world))
  expect(status).toBe(200)
  return { survivor, mergeId: body.mergeId as string }
}
const reasonOf = async ({ ada }: World) => ({ id: (await ada.client.get('/api/passing-reasons')).body[0].id })

/** What ends a step in the calendar of the fellow who was responsible. */
const ENDS: Record<string, (world: World) => Promise<unknown>> = {
  'is done': (world) => put(world, { nextStep: null, nextOn: null }),
  'loses its date': (world) => put(world, { nextOn: null }),
  'is passed on to another fellow': (world) => put(world, { responsible: world.other }),
  'is passed on to no one': (world) => put(world, { responsible: null }),
  'ends with a pass': async (world) => put(world, { status: 'passed', reason: await reasonOf(world) }),
  'ends with an advance': (world) => put(world, { status: 'advanced' }),
  'is moved by a merge': (world) => mergeAway(world, undefined),
  'is dropped by a merge': (world) => mergeAway(world, { nextStep: 'Write', nextOn: '2030-02-02' }),
  'is on a record that is deleted': ({ ada, record, path }) => ada.client.delete(`/api/${path}/${record.id}`),
  'is passed on with many others': ({ ada, record, other }) =>
    ada.client.post('/api/records/bulk', { ids: [record.id], set: { responsible: other } }),
}

describe.each([
  ['founder', makeFounder],
  ['company', makeCompany],
] as const)('The next step of a %s', (_name, make) => {
  it.each(Object.keys(ENDS))(
    'that %s is cancelled under its id, with a higher sequence',
    { tags: 'slow' },
    async (name) => {
      const world = await makeStep(make)
      const before = (await eventsOf(world.ada.client)).get(world.record.id)
      expect(before).toMatchObject({ isCancelled: false, day: '20300101', summary: 'Call (Maya Roe)' })
      await ENDS[name]?.(world)
      const after = (await eventsOf(world.ada.client)).get(world.record.id)
      const isDeleted = name.includes('deleted')
      expect(after).toMatchObject({ isCancelled: true, day: '20300101', url: before?.url })
      expect(after?.summary).toBe(isDeleted ? 'Next step' : 'Next step: Maya Roe')
      expect(after?.sequence).toBeGreaterThan(before?.sequence as number)
    },
  )
})

describe('A next step', () => {
  it('that another fellow takes over is in the calendar of that fellow', async () => {
    const world = await makeStep()
    await put(world, { responsible: world.other })
    expect((await eventsOf(world.bob.client)).get(world.record.id)).toMatchObject({ isCancelled: false })
  })

  it('of a merged record goes on under the id of the survivor', async () => {
    const world = await makeStep()
    const { survivor } = await mergeAway(world, undefined)
    expect((await eventsOf(world.ada.client)).get(survivor.id)).toMatchObject({
      ...{ isCancelled: false, day: '20300101', summary: 'Call (Maya R. Roe)' },
    })
  })

  it.each([
    ['set again', (world: World) => put(world, { responsible: world.me, nextStep: 'Call', nextOn: '2031-01-01' })],
    ['moved to another day', (world: World) => put(world, { nextOn: '2031-01-01' })],
  ])('that is %s is in the calendar with a higher sequence, and not cancelled', async (name, change) => {
    const world = await makeStep()
    if (name === 'set again') await put(world, { nextStep: null, nextOn: null })
    const before = (await eventsOf(world.ada.client)).get(world.record.id)
    await change(world)
    const after = (await eventsOf(world.ada.client)).get(world.record.id)
    expect(after).toMatchObject({ isCancelled: false, day: '20310101' })
    expect(after?.sequence).toBeGreaterThan(before?.sequence as number)
  })

  it.each(['an undone merge', 'a restored record'])(
    'comes back with %s, with a higher sequence',
    { tags: 'slow' },
    async (name) => {
      const world = await makeStep()
      const { ada, record } = world
      let back: () => Promise<unknown>
      if (name === 'an undone merge') {
        const { mergeId } = await mergeAway(world, undefined)
        back = () => undo(ada.client, mergeId)
      } else {
        await ada.client.delete(`/api/founders/${record.id}`)
        back = () => ada.client.post(`/api/programme/deleted/${record.id}/restore`, {})
      }
      const cancelled = (await eventsOf(ada.client)).get(record.id)
      await back()
      const after = (await eventsOf(ada.client)).get(record.id)
      expect([cancelled?.isCancelled, after?.isCancelled, after?.summary]).toEqual([true, false, 'Call (Maya Roe)'])
      expect(after?.sequence).toBeGreaterThan(cancelled?.sequence as number)
    },
  )

  it('is cancelled for 90 days', async () => {
    const world = await makeStep()
    await put(world, { nextStep: null, nextOn: null })
    const endedAgo = (days: number) =>
      test.db.execute(sql`update ended_steps set ended_at = now() - make_interval(days => ${days}) + interval '1 minute'
        where record_id = ${world.record.id}`)
    await endedAgo(90)
    expect((await eventsOf(world.ada.client)).has(world.record.id)).toBe(true)
    await endedAgo(91)
    expect((await eventsOf(world.ada.client)).has(world.record.id)).toBe(false)
  })

  it('without a date, or of which no one was in charge, is cancelled for no one', async () => {
    const world = await makeStep()
    await put(world, { nextOn: null })
    await test.db.execute(sql`delete from ended_steps`)
    await put(world, { nextStep: null })
    await put(world, { responsible: null })
    expect((await eventsOf(world.ada.client)).size).toBe(0)
  })
})

describe('Passing and advancing', () => {
  const decide = async (world: World, status: string, more: object = {}) =>
    put(world, { status, ...(status === 'passed' && { reason: await reasonOf(world) }), ...more })
  const stepOf = async ({ ada, record }: World) => {
    const { nextStep, nextOn } = (await ada.client.get(`/api/records/${record.id}/pipeline`)).body
    return [nextStep, nextOn]
  }

  it.each(['passed', 'advanced'])('end the next step (%s): it is cleared, and in the history', async (status) => {
    const world = await makeStep()
    await decide(world, status)
    expect(await stepOf(world)).toEqual([null, null])
    const [entry] = (await world.ada.client.get(`/api/founders/${world.record.id}/history`)).body
    expect(entry.changes.map(({ field, before, after }: Record<string, unknown>) => [field, before, after])).toEqual(
      expect.arrayContaining([
        ['nextStep', 'Call', null],
        ['nextOn', '2030-01-01', null],
      ]),
    )
  })

  it('leave a step that the same call sets, whole or in part', async () => {
    const world = await makeStep()
    await decide(world, 'passed', { nextStep: 'Ask again', nextOn: '2031-01-01' })
    expect(await stepOf(world)).toEqual(['Ask again', '2031-01-01'])
    await decide(world, 'advanced', { nextOn: '2032-01-01' })
    expect(await stepOf(world)).toEqual(['Ask again', '2032-01-01'])
    await decide(world, 'passed', { nextOn: null })
    expect(await stepOf(world)).toEqual([null, null])
  })

  it('leave a step that is set afterwards, and any step where the status stays or is active again', async () => {
    const world = await makeStep()
    await put(world, { status: 'on_hold' })
    expect(await stepOf(world)).toEqual(['Call', '2030-01-01'])
    await decide(world, 'passed')
    await put(world, { nextStep: 'Ask again' })
    await decide(world, 'passed')
    await put(world, { status: 'active' })
    expect(await stepOf(world)).toEqual(['Ask again', null])
  })
})

describe('A next step where no one is responsible', () => {
  it.each([{ nextStep: 'Call' }, { nextOn: '2030-01-01' }, { nextStep: 'Call', responsible: null }])(
    'makes its author responsible: %o',
    async (step) => {
      const { bob, other } = await makeStep()
      const { id } = await makeFounder(test.db)
      const { body } = await bob.client.put(`/api/records/${id}/pipeline`, { ...step, version: 0 })
      expect(body.responsible).toEqual({ id: other, name: 'Bob' })
      const [entry] = (await bob.client.get(`/api/founders/${id}/history`)).body
      expect(entry.changes).toContainEqual({ field: 'responsible', before: null, after: 'Bob' })
    },
  )

  it('leaves who is responsible already, and no one without a step', async () => {
    const { bob, record, me } = await makeStep()
    const { id } = await makeFounder(test.db)
    const set = { nextStep: null, nextOn: null, status: 'on_hold', version: 0 }
    expect((await bob.client.put(`/api/records/${id}/pipeline`, set)).body.responsible).toBeNull()
    const step = { nextStep: 'Write', version: 1 }
    expect((await bob.client.put(`/api/records/${record.id}/pipeline`, step)).body.responsible.id).toBe(me)
  })
})
