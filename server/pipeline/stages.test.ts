import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stages } from '#server/db/schema.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPipelineCalls } from './test/calls.ts'

let test: TestApp
let boss: Awaited<ReturnType<typeof fellowOf>>
let bob: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  boss = await fellowOf(test, { role: 'manager' })
  bob = await fellowOf(test)
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
type Stage = { id: string; name: string; archived: boolean }
const list = async (): Promise<Stage[]> => (await bob.client.get('/api/stages')).body
const names = async () => (await list()).filter(({ archived }) => !archived).map(({ name }) => name)
const stageNamed = async (wanted: string) => (await list()).find(({ name }) => name === wanted) as Stage
const patch = async (name: string, body: object) =>
  boss.client.patch(`/api/stages/${(await stageNamed(name)).id}`, body)
const reasons = async (): Promise<{ id: string; name: string }[]> => (await bob.client.get('/api/passing-reasons')).body

describe('Stages', () => {
  it('are Contacted, Met and In review to begin with, for anyone signed in', async () => {
    expect(await list()).toMatchObject([
      { name: 'Contacted', position: 1, archived: false, limitDays: null },
      { name: 'Met', position: 2 },
      { name: 'In review', position: 3 },
    ])
  })

  it('are changed by managers only', async () => {
    const { id } = await stageNamed('Met')
    const answers = [
      await bob.client.post('/api/stages', { name: 'Closed' }),
      await bob.client.patch(`/api/stages/${id}`, { name: 'Closed' }),
      await bob.client.put('/api/passing-reasons', []),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await names()).toEqual(['Contacted', 'Met', 'In review'])
  })

  it('are added once by a repeated request with a key', async () => {
    const post = () =>
      boss.client.post('/api/stages', { name: 'Once' }, { headers: { 'idempotency-key': 'stage-once' } })
    const [one, other] = [await post(), await post()]
    expect([other.status, other.body]).toEqual([201, one.body])
    expect((await boss.client.post('/api/stages', { name: 'Once' })).status).toBe(409)
    await test.db.delete(stages).where(eq(stages.id, one.body.id))
  })

  it('are added at the end, ordered, renamed and limited', async () => {
    const added = await boss.client.post('/api/stages', { name: ' Committee ', limitDays: 14 })
    expect([added.status, added.body]).toEqual([
      201,
      { id: added.body.id, name: 'Committee', position: 4, archived: false, limitDays: 14 },
    ])
    expect((await patch('Committee', { position: 1, limitDays: null })).body).toMatchObject({
      position: 1,
      limitDays: null,
    })
    expect(await names()).toEqual(['Committee', 'Contacted', 'Met', 'In review'])
    await patch('Committee', { position: 20, name: 'Board' })
    expect(await names()).toEqual(['Contacted', 'Met', 'In review', 'Board'])
  })

  it('have different names, whatever the case', async () => {
    expect((await boss.client.post('/api/stages', { name: 'MET' })).status).toBe(409)
    expect((await patch('Contacted', { name: 'met' })).status).toBe(409)
    expect((await patch('Met', { name: 'MET' })).status).toBe(200)
    expect((await patch('MET', { name: 'Met' })).status).toBe(200)
  })

  it('refuse what is not valid at its field, and are 404 where there is none', async () => {
    const wrong: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(61) }, 'name'],
      [{ name: 'A\nB' }, 'name'],
      [{ position: 0 }, 'position'],
      [{ position: 1.5 }, 'position'],
      [{ limitDays: 0 }, 'limitDays'],
      [{ limitDays: '7' }, 'limitDays'],
      [{ archived: 'yes' }, 'archived'],
    ]
    for (const [body, field] of wrong) {
      const { status, body: answer } = await patch('Met', body)
      expect([body, status, Object.keys(answer.fields)]).toEqual([body, 400, [field]])
    }
    expect((await boss.client.patch(`/api/stages/${NOWHERE}`, { name: 'X' })).status).toBe(404)
    expect((await boss.client.patch('/api/stages/x', { name: 'X' })).status).toBe(404)
  })

  it('take no more records once archived, keep those they have, and can be brought back', {
    tags: 'slow',
  }, async () => {
    const calls = await createPipelineCalls(test, bob.client)
    const { id } = await makeFounder(test.db)
    const other = await makeFounder(test.db)
    await calls.put(id, { stage: calls.stage.Board, version: 0 })
    await patch('Board', { archived: true })
    expect((await list()).at(-1)).toMatchObject({ name: 'Board', archived: true })
    const { status, body } = await calls.put(other.id, { stage: calls.stage.Board, version: 0 })
    expect([status, body.fields]).toEqual([400, { stage: '“Board” was archived. Choose another stage.' }])
    expect((await calls.put(id, { stage: calls.stage.Board, nextStep: 'Call', version: 1 })).status).toBe(200)
    expect((await boss.client.post('/api/stages', { name: 'board' })).body.error).toBe(
      'An archived stage has this name',
    )
    await patch('Contacted', { position: 3 })
    await patch('Board', { archived: false })
    expect(await names()).toEqual(['Met', 'In review', 'Contacted', 'Board'])
    expect((await calls.put(other.id, { stage: calls.stage.Board, version: 0 })).status).toBe(200)
  })

  it('cannot all be archived: the last one stays, also when two managers archive at once', async () => {
    const open = (await list()).filter(({ archived }) => !archived)
    const [last, other, ...more] = open as [Stage, Stage, ...Stage[]]
    for (const { name } of more) expect((await patch(name, { archived: true })).status).toBe(200)
    const answers = await Promise.all(
      [last, other].map(({ id }) => boss.client.patch(`/api/stages/${id}`, { archived: true })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe(
      'This is the last stage. Add another or bring one back first.',
    )
    const [left] = await names()
    expect((await patch(left as string, { name: left, limitDays: 7 })).status).toBe(200)
    for (const { id } of open) await boss.client.patch(`/api/stages/${id}`, { archived: false })
    for (const [place, { id }] of open.entries())
      await boss.client.patch(`/api/stages/${id}`, { position: place + 1, limitDays: null })
    expect(await names()).toEqual(open.map(({ name }) => name))
  })

  it('are 20 at most, without archived ones', async () => {
    for (let more = (await names()).length; more < 20; more += 1) {
      expect((await boss.client.post('/api/stages', { name: `More ${more}` })).status).toBe(201)
    }
    expect((await boss.client.post('/api/stages', { name: 'One more' })).status).toBe(409)
    await patch('More 5', { archived: true })
    expect((await boss.client.post('/api/stages', { name: 'One more' })).status).toBe(201)
    expect((await patch('More 5', { archived: false })).status).toBe(409)
  })

  it('added by several at once have one number each', async () => {
    for (const name of ['More 6', 'More 7', 'More 8', 'More 9', 'More 10']) await patch(name, { archived: true })
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, at) => boss.client.post('/api/stages', { name: `At once ${at % 5}` })),
    )
    expect(added.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 409, 409, 409, 409, 409])
    const open = (await bob.client.get('/api/stages')).body.filter(({ archived }: Stage) => !archived)
    expect(open.map(({ position }: { position: number }) => position)).toEqual(
      open.map((_: unknown, at: number) => at + 1),
    )
  })
})

describe('Reasons for passing', () => {
  it('are replaced as a list; one that is removed keeps its name on old records, and new ones cannot have it', async () => {
    const calls = await createPipelineCalls(test, bob.client)
    const { id } = await makeFounder(test.db)
    const reason = { id: calls.reason.Team as string }
    await calls.put(id, { status: 'passed', reason, version: 0 })
    const before = await reasons()
    const wanted = [{ name: 'Pivoted' }, ...before.filter(({ name }) => name !== 'Team').map((one) => ({ ...one }))]
    const { status, body } = await boss.client.put('/api/passing-reasons', wanted)
    expect([status, body.map(({ name }: { name: string }) => name)]).toEqual([200, wanted.map(({ name }) => name)])
    expect(await reasons()).toEqual(body)
    expect((await calls.get(id)).body.reason).toEqual({ id: reason.id, name: 'Team' })
    const other = await makeFounder(test.db)
    expect((await calls.put(other.id, { status: 'passed', reason, version: 0 })).body.fields).toHaveProperty('reason')
    expect((await calls.put(id, { reason: { ...reason, text: 'Alone' }, version: 1 })).status).toBe(200)
  })

  it('cannot all be removed', async () => {
    const before = await reasons()
    const { status, body } = await boss.client.put('/api/passing-reasons', [])
    expect([status, body.error]).toEqual([409, 'There must be at least one reason for passing'])
    expect(await reasons()).toEqual(before)
  })

  it('are eight at most, with different names, and known ids', async () => {
    const before = await reasons()
    const put = (body: unknown) => boss.client.put('/api/passing-reasons', body as object)
    expect((await put(Array.from({ length: 9 }, (_, at) => ({ name: `R ${at}` })))).status).toBe(400)
    expect((await put([{ name: 'A' }, { name: 'a' }])).status).toBe(409)
    expect((await put([{ id: NOWHERE, name: 'A' }])).status).toBe(400)
    expect((await put([before[0], before[0]])).status).toBe(409)
    expect((await put([{ name: '' }])).status).toBe(400)
    expect((await put({ name: 'A' })).status).toBe(400)
    expect(await reasons()).toEqual(before)
  })
})

describe('The status advanced', () => {
  it('is set and taken back by managers, and without one by anyone', async () => {
    const rights = async ({ client }: typeof bob) => (await client.get('/api/pipeline-rights')).body
    const calls = await createPipelineCalls(test, bob.client)
    const ofBoss = await createPipelineCalls(test, boss.client)
    const { id } = await makeFounder(test.db)
    expect([await rights(bob), await rights(boss)]).toEqual([{ advance: false }, { advance: true }])
    expect((await calls.put(id, { status: 'advanced', version: 0 })).status).toBe(403)
    expect((await ofBoss.put(id, { status: 'advanced', version: 0 })).status).toBe(200)
    expect((await calls.put(id, { status: 'active', version: 1 })).status).toBe(403)
    expect((await calls.put(id, { status: 'advanced', nextStep: 'Welcome', version: 1 })).status).toBe(200)
    await test.db.execute("update accounts set role = 'fellow'")
    expect(await rights(bob)).toEqual({ advance: true })
    expect((await calls.put(id, { status: 'active', version: 2 })).status).toBe(200)
    expect((await calls.put(id, { status: 'advanced', version: 3 })).status).toBe(200)
  })
})
