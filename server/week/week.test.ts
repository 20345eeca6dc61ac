import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_WEEK, WEEK_SHOWN, type Week, type WeekGroup } from '#contract/week.ts'
import { weekAfter, weekOf } from '#contract/weeks.ts'
import { pass } from '#server/inbox/test/world.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import { pagesOf } from '#server/records/test/list-world.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

type Fellow = Awaited<ReturnType<typeof fellowOf>>
let test: TestApp
let manager: Fellow
let tom: Fellow
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager', name: 'Priya' })
  tom = await fellowOf(test, { name: 'Tom' })
})
afterAll(() => test.close())

const DAY = 86_400_000
const NOW = weekOf(Date.now())
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

const founder = async (name: string, { days = 0, by = tom } = {}) =>
  (await makeFounder(test.db, { name, creator: by.account, createdAt: new Date(Date.now() + days * DAY) })).id

async function put({ client }: Fellow, id: string, change: object) {
  const { body } = await client.get(`/api/records/${id}/pipeline`)
  const answer = await client.put(`/api/records/${id}/pipeline`, { ...change, version: body.version })
  expect([answer.status, answer.body?.error]).toEqual([200, undefined])
}
const stageNamed = async (name: string): Promise<string> =>
  (await manager.client.get('/api/stages')).body.find((stage: { name: string }) => stage.name === name).id

async function weekNow(week = NOW): Promise<Week> {
  const { status, body } = await manager.client.get(`/api/programme/week/${week}`)
  expect(status).toBe(200)
  return body
}
/** The numbers of a part, each with the names behind its list. */
async function partOf(part: string, week = NOW): Promise<Record<string, string[]>> {
  const { groups } = await weekNow(week)
  const ofPart = groups.filter((group) => group.part === part)
  const listed = await Promise.all(ofPart.map(async (group) => [keyOf(group), await namesBehind(group)] as const))
  return Object.fromEntries(listed)
}
const keyOf = ({ kind, name }: WeekGroup) => `${kind} ${name}`
async function namesBehind({ kind, cohort, count, records: shown }: WeekGroup): Promise<string[]> {
  const path = kind === 'founder' ? 'founders' : 'companies'
  const { status, body } = await manager.client.get(`/api/${path}?cohort=${cohort}&limit=500`)
  expect([status, body.length]).toEqual([200, count])
  const names: string[] = body.map((record: { name: string }) => record.name)
  expect(names).toEqual(expect.arrayContaining(shown.map((record) => record.name)))
  return names.toSorted()
}
const clear = () =>
  test.db.execute(
    sql`update records set created_at = created_at - interval '400 days', kind = 'deleted-' || kind where kind in ('founder', 'company')`,
  )

describe('The Monday list', () => {
  it('says what is new by stage, and who has found it, each number with exactly its records', async () => {
    const met = await stageNamed('Met')
    const [ada] = [await founder('Ada'), await founder('Bob'), await founder('Old', { days: -8 })]
    await makeCompany(test.db, { name: 'Acme', creator: manager.account })
    await put(manager, ada, { stage: met })
    expect(await partOf('new')).toEqual({ 'founder null': ['Bob'], 'founder Met': ['Ada'], 'company null': ['Acme'] })
    expect(await partOf('found')).toEqual({ 'founder Tom': ['Ada', 'Bob'], 'company Priya': ['Acme'] })
    expect(await partOf('new', weekOf(Date.now() - 8 * DAY))).toEqual({ 'founder null': ['Old'] })
    await clear()
  })

  it('says what has moved, and by a later act changes with it: a merge and its undo, a deletion', async () => {
    const [contacted, met] = [await stageNamed('Contacted'), await stageNamed('Met')]
    const [ada, bob] = [await founder('Ada'), await founder('Bob')]
    await put(manager, ada, { stage: met })
    await put(manager, bob, { stage: contacted })
    const moved = { 'founder Contacted': ['Bob'], 'founder Met': ['Ada'] }
    expect(await partOf('moved')).toEqual(moved)
    const whole = async (id: string) => (await manager.client.get(`/api/founders/${id}`)).body
    const { mergeId } = (await merge(manager.client, await whole(ada), await whole(bob))).body
    expect(await partOf('moved')).not.toEqual(moved)
    await undo(manager.client, mergeId)
    expect(await partOf('moved')).toEqual(moved)
    expect((await manager.client.delete(`/api/founders/${bob}`)).status).toBe(204)
    expect(await partOf('moved')).toEqual({ 'founder Met': ['Ada'] })
    await clear()
  })

  it('says what was advanced, and what was passed by reasons, while it stands', async () => {
    const met = await stageNamed('Met')
    const reasons: { id: string; name: string }[] = (await manager.client.get('/api/passing-reasons')).body
    const [first, second] = reasons as [{ id: string; name: string }, { id: string; name: string }]
    const [ada, bob, eve] = [await founder('Ada'), await founder('Bob'), await founder('Eve')]
    for (const id of [ada, bob]) await put(manager, id, { stage: met })
    await put(manager, ada, { status: 'advanced' })
    await put(manager, bob, { status: 'passed', reason: { id: first.id, text: 'Not now' } })
    await put(manager, eve, { status: 'passed', reason: { id: second.id } })
    expect(await partOf('advanced')).toEqual({ 'founder null': ['Ada'] })
    // One that never had a stage is passed all the same.
    expect(await partOf('passed')).toEqual({ [`founder ${first.name}`]: ['Bob'], [`founder ${second.name}`]: ['Eve'] })
    // One that was merged into an active one is not passed.
    const of = async (id: string) => (await manager.client.get(`/api/founders/${id}`)).body
    const [dan, fay] = [await founder('Dan'), await founder('Fay')]
    await put(manager, fay, { stage: met })
    await put(manager, dan, { status: 'passed', reason: { id: first.id } })
    expect((await merge(manager.client, await of(fay), await of(dan))).status).toBe(200)
    expect((await of(fay)).pipeline.status).toBe('active')
    expect(await partOf('passed')).toEqual({ [`founder ${first.name}`]: ['Bob'], [`founder ${second.name}`]: ['Eve'] })
    await put(manager, ada, { status: 'active' })
    await put(manager, bob, { status: 'active' })
    expect([await partOf('advanced'), await partOf('passed')]).toEqual([{}, { [`founder ${second.name}`]: ['Eve'] }])
    await clear()
  })

  it('says which passed records are back on the table, and what is late in the running week alone', async () => {
    const [ada, bob] = [await founder('Ada'), await founder('Bob')]
    await pass(manager, ada, day(0))
    await put(tom, bob, { nextStep: 'Call', nextOn: day(-3) })
    expect(await partOf('back')).toEqual({ 'founder null': ['Ada'] })
    expect(await partOf('late')).toEqual({ 'founder Tom': ['Bob'] })
    const { groups } = await weekNow()
    expect(groups.find(({ part }) => part === 'late')?.records).toEqual([{ id: bob, name: 'Bob', number: 3 }])
    expect(await partOf('late', weekAfter(NOW, -1))).toEqual({})
    await clear()
  })

  it('says where revealed opinions differ most, and nothing of others', async () => {
    const [ada, bob, eve] = [await founder('Ada'), await founder('Bob'), await founder('Eve')]
    const give = ({ client }: Fellow, id: string, rating: number) =>
      client.put(`/api/records/${id}/opinion`, { rating })
    for (const id of [ada, bob, eve]) await give(tom, id, 2)
    const other = await fellowOf(test)
    for (const [id, rating] of [
      [ada, 5],
      [bob, 9],
    ] as const)
      await give(other, id, rating)
    await give(other, eve, 10)
    const solo = await founder('Solo')
    await give(tom, solo, 9)
    const [part, whole] = [await founder('Part'), await founder('Whole')]
    for (const by of [tom, other]) await give(by, part, by === tom ? 1 : 10)
    await give(other, whole, 4)
    for (const id of [ada, bob, solo, part]) await manager.client.post(`/api/records/${id}/opinions/reveal`)
    // One that unites several is revealed when each of them is.
    const of = async (id: string) => (await manager.client.get(`/api/founders/${id}`)).body
    expect((await merge(manager.client, await of(whole), await of(part))).status).toBe(200)
    const { groups } = await weekNow()
    expect(groups.filter(({ part }) => part === 'spread')).toMatchObject([
      {
        count: 2,
        records: [
          { name: 'Bob', number: 7 },
          { name: 'Ada', number: 3 },
        ],
      },
    ])
    expect(await partOf('spread')).toEqual({ 'founder null': ['Ada', 'Bob'] })
    await clear()
  })

  it(`names ${WEEK_SHOWN} records beside a number, and has their text nowhere`, async () => {
    for (let at = 0; at <= WEEK_SHOWN; at += 1) await founder(`Ada ${at}`)
    const { groups, ...week } = await weekNow()
    expect(week).toMatchObject({ week: NOW, isRunning: true })
    expect(groups.find(({ part }) => part === 'new')).toMatchObject({ count: WEEK_SHOWN + 1 })
    expect(groups.find(({ part }) => part === 'new')?.records).toHaveLength(WEEK_SHOWN)
    await clear()
  })

  it('comes as a file, which is an export in the history, with safe cells', async () => {
    await founder('=1+1')
    const { status, text, headers } = await manager.client.get(`/api/programme/week/${NOW}.csv`)
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      ...[200, 'text/csv; charset=utf-8', `attachment; filename="week-${NOW}.csv"`],
    ])
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('\uFEFFpart,kind,of,count,record,number,id')
    expect(lines[1]).toMatch(/^New,founders,,1,'=1\+1,,[0-9a-f-]{36}$/)
    const { body } = await manager.client.get('/api/programme/history?limit=1')
    expect(body[0]).toMatchObject({ action: 'export' })
    expect(JSON.stringify(body[0])).toContain(NOW)
    await clear()
  })

  it('is for managers, and so are the lists behind its numbers', async () => {
    await founder('Ada')
    const { groups } = await weekNow()
    for (const path of [`programme/week/${NOW}`, `programme/week/${NOW}.csv`, `founders?cohort=${groups[0]?.cohort}`]) {
      expect((await tom.client.get(`/api/${path}`)).status).toBe(403)
    }
    const { ids } = await pagesOf(manager.client, `/api/founders?cohort=${groups[0]?.cohort}&limit=1`)
    expect(ids).toHaveLength(1)
    await clear()
  })

  it.each(['2026-W54', '2025-W53', '2026-48', 'now', '%00'])('GET /api/programme/week/%s is 404', async (week) => {
    const { status, body } = await manager.client.get(`/api/programme/week/${week}`)
    expect([status, body.error]).toEqual([404, NO_WEEK])
  })
})
