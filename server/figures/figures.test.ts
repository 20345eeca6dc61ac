import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Calibration, Figures, MyFigures, Share } from '#contract/figures.ts'
import { kinds } from '#contract/kinds.ts'
import { rowsOf } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'
import { pagesOf } from '#server/records/test/list-world.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { randomFrom } from '../../scripts/seed/random.ts'
import { type Fellow, makeFiguresWorld } from './test/figures-world.ts'
import { type Counted, worldOf } from './test/recount.ts'

/** `npm run test:long -- measured` does the larger number. */
const RECORDS = process.env.LONG ? 280 : 160

let test: TestApp
let fellows: Fellow[]
beforeAll(async () => {
  test = await startTestApp()
  fellows = await Promise.all((['manager', 'fellow', 'fellow'] as const).map((role) => fellowOf(test, { role })))
  for (const { name: kind } of kinds) await makeFiguresWorld({ test, fellows, kind }, randomFrom(kind), RECORDS)
}, 240_000)
afterAll(() => test.close())

const cases = kinds.flatMap(({ name, path }) =>
  (['quarter', 'month'] as const).map((length) => ({ name, path, length })),
)

/** Compares a number and the list behind it with the ids that a recount found. */
async function expectCounted({ client }: Fellow, path: string, what: string, counted: Counted, ids: string[]) {
  expect([what, counted.count]).toEqual([what, ids.length])
  const listed = await pagesOf(client, `/api/${path}?cohort=${counted.cohort}&limit=40`)
  expect([what, listed.ids.toSorted()]).toEqual([what, ids])
}

const expectShare = ({ count, of, share }: Share, total: number) =>
  expect([of, share]).toEqual([total, total < 5 ? null : count / total])

const expectDays = (days: number | null, expected: number | null) =>
  expected === null ? expect(days).toBeNull() : expect(days).toBeCloseTo(expected, 3)

describe('The figures of the programme', () => {
  it.each(cases)(
    'equal a recount, each with its records: $name by $length',
    { tags: 'slow', timeout: 240_000 },
    async ({ name, path, length }) => {
      const [manager] = fellows as [Fellow]
      const world = await worldOf(test.db, name)
      const { status, body } = await manager.client.get(`/api/programme/figures?kind=${name}&period=${length}`)
      expect(status).toBe(200)
      const { added, worked, timeInStage, programme, fellows: rated } = body as Figures
      const check = (what: string, counted: Counted, ids: string[]) => expectCounted(manager, path, what, counted, ids)
      expect(added.length).toBeGreaterThan(4)
      expect(added[0]).toMatchObject({ period: null, added: { count: world.live.length } })
      for (const row of added) {
        const of = (step: string) => world.added(length, row.period, step)
        await check(`added ${row.period}`, row.added, of('all'))
        for (const step of ['advanced', 'passed', 'noted'] as const) {
          await check(`${row.period} ${step}`, row[step], of(step))
          expectShare(row[step], row.added.count)
        }
        for (const reached of row.reached) await check(`${row.period} reached`, reached, of(reached.stage.id))
        expectDays(row.daysToNote, world.daysToNote(length, row.period))
      }
      expect(worked.length).toBeGreaterThan(3)
      for (const row of worked) {
        const of = (step: string) => world.worked(length, row.period, step)
        await check(`worked ${row.period}`, row.worked, of('all'))
        for (const step of ['added', 'advanced', 'passed'] as const) {
          await check(`worked ${row.period} ${step}`, row[step], of(step))
          expectShare(row[step], row.worked.count)
        }
        for (const reached of row.reached) await check(`worked ${row.period}`, reached, of(reached.stage.id))
      }
      expect(timeInStage.some(({ days }) => days !== null)).toBe(true)
      for (const { stage, days, ...counted } of timeInStage) {
        await check(`stayed in ${stage.name}`, counted, world.stayed(stage.id))
        expectDays(days, world.daysInStage(stage.id))
      }
      await compareCalibration(manager, path, programme, (outcome) => world.rated(undefined, outcome))
      expect(rated.reduce((sum, one) => sum + one.rated.count, 0)).toBe(programme.rated.count)
      for (const { fellow, ...counts } of rated) {
        await compareCalibration(manager, path, counts, (outcome) => world.rated(fellow?.id ?? null, outcome))
      }
      expect(programme.rated.count).toBeGreaterThan(10)
    },
  )

  it('have every period of the numbers of now: the parts of periods add up to what was added in them', async () => {
    const [manager] = fellows as [Fellow]
    const { body } = await manager.client.get('/api/programme/figures?kind=founder&period=month')
    const { added } = body as Figures
    const [live] = await rowsOf<{ count: number }>(
      test.db,
      sql`select count(*)::int as count from records where kind = 'founder'
        and created_at >= date_trunc('month', now() at time zone 'UTC' - interval '11 months') at time zone 'UTC'`,
    )
    expect(added.slice(1).reduce((sum, row) => sum + row.added.count, 0)).toBe(live?.count)
  })

  it('are for managers: figures, their files, and the lists behind their numbers', async () => {
    const [manager, fellow] = fellows as [Fellow, Fellow]
    const { body } = await manager.client.get('/api/programme/figures')
    const { added, worked, timeInStage, programme } = body as Figures
    for (const path of ['figures', 'figures.csv', 'quality']) {
      expect((await fellow.client.get(`/api/programme/${path}`)).status).toBe(403)
    }
    for (const cohort of [
      ...[added[0]?.added.cohort, worked[0]?.worked.cohort, timeInStage[0]?.cohort, programme.rated.cohort],
    ]) {
      expect((await manager.client.get(`/api/founders?cohort=${cohort}`)).status).toBe(200)
      expect((await fellow.client.get(`/api/founders?cohort=${cohort}`)).status).toBe(403)
    }
  })

  it('come as a file, safe for spreadsheets, with too few said so', async () => {
    const [manager, fellow] = fellows as [Fellow, Fellow]
    await test.db.update(accounts).set({ name: '=1+1' }).where(eq(accounts.id, fellow.account.id))
    const { status, text, headers } = await manager.client.get('/api/programme/figures.csv?kind=founder')
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('\uFEFFfigure,period (UTC),of,count,among,percent,median days')
    const total = (await test.db.select().from(records)).filter(({ kind }) => kind === 'founder').length
    expect(lines[1]).toBe(`added,all,,${total},,,`)
    expect(lines.some((line) => line.includes(",'=1+1,"))).toBe(true)
    expect(lines.some((line) => line.includes('too few'))).toBe(true)
    const mine = await fellow.client.get('/api/figures/mine.csv?kind=founder')
    expect(mine.text.split('\r\n')[1]).toMatch(/^found,,,\d+,,,$/)
  })

  it('know the rating with which a record was added, whatever it is later; an import has none', async () => {
    const [, { account, client }] = fellows as [Fellow, Fellow]
    const ratedOf = async () => ((await client.get('/api/figures/mine')).body as MyFigures).calibration.rated.count
    const before = await ratedOf()
    const high = await makeFounder(test.db, { creator: account, rating: 9 })
    const low = await makeFounder(test.db, { creator: account, rating: 4 })
    expect(await ratedOf()).toBe(before + 1)
    await client.put(`/api/founders/${high.id}`, { rating: 2 })
    await client.put(`/api/founders/${low.id}`, { rating: 10 })
    expect(await ratedOf()).toBe(before + 1)
  })
})

async function compareCalibration(
  fellow: Fellow,
  path: string,
  { rated, advanced, passed }: Calibration,
  ids: (outcome: string) => string[],
) {
  await expectCounted(fellow, path, 'rated', rated, ids('rated'))
  await expectCounted(fellow, path, 'rated, advanced', advanced, ids('advanced'))
  await expectCounted(fellow, path, 'rated, passed', passed, ids('passed'))
  expectShare(advanced, rated.count)
  expectShare(passed, rated.count)
}

describe("A fellow's own figures", () => {
  it.each(kinds)(
    'equal a recount, each with its records: $name',
    { tags: 'slow', timeout: 120_000 },
    async ({ name, path }) => {
      const world = await worldOf(test.db, name)
      for (const fellow of fellows) {
        const me = fellow.account.id
        const [row] = await test.db.select().from(accounts).where(eq(accounts.id, me))
        const { status, body } = await fellow.client.get(`/api/figures/mine?kind=${name}`)
        expect(status).toBe(200)
        const { found, reached, advanced, passed, reasons, calibration } = body as MyFigures
        const check = (what: string, counted: Counted, ids: string[]) => expectCounted(fellow, path, what, counted, ids)
        await check('found', found, world.mine(me, 'all'))
        await check('advanced', advanced, world.mine(me, 'advanced'))
        await check('passed', passed, world.mine(me, 'passed'))
        for (const share of [advanced, passed, ...reached]) expectShare(share, found.count)
        for (const one of reached) await check(`reached ${one.stage.name}`, one, world.mine(me, one.stage.id))
        for (const one of reasons) await check('reason', one, world.myPassed(me, one.reason?.id ?? null))
        expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(passed.count)
        await compareCalibration(fellow, path, calibration, (outcome) => world.rated(row?.publicId, outcome))
        expect(found.count).toBeGreaterThan(10)
      }
    },
  )

  it('count a record that was met as having been contacted, and so does the filter of the lists', async () => {
    const { client, account } = await fellowOf(test)
    const { id } = await makeFounder(test.db, { creator: account })
    const stages: { id: string; name: string }[] = (await client.get('/api/stages')).body
    const [contacted, met] = ['Contacted', 'Met'].map((name) => stages.find((stage) => stage.name === name)?.id)
    const { version } = (await client.get(`/api/records/${id}/pipeline`)).body
    expect((await client.put(`/api/records/${id}/pipeline`, { stage: met, version })).status).toBe(200)
    const { reached } = (await client.get('/api/figures/mine')).body as MyFigures
    const countOf = (name: string) => reached.find(({ stage }) => stage.name === name)
    expect(['Contacted', 'Met', 'In review'].map((name) => countOf(name)?.count)).toEqual([1, 1, 0])
    for (const filter of [`cohort=${countOf('Contacted')?.cohort}`, `reached=${contacted}&limit=500`]) {
      const { body } = await client.get(`/api/founders?${filter}`)
      expect(body.map((one: { id: string }) => one.id)).toContain(id)
    }
  })

  it('are those of the caller alone, while managers share the links of the programme', async () => {
    const [manager, one, other] = fellows as [Fellow, Fellow, Fellow]
    const { found } = (await one.client.get('/api/figures/mine')).body as MyFigures
    expect((await other.client.get(`/api/founders?cohort=${found.cohort}`)).status).toBe(400)
    const { programme } = (await manager.client.get('/api/programme/figures')).body as Figures
    const second = await fellowOf(test, { role: 'manager' })
    expect((await second.client.get(`/api/founders?cohort=${programme.rated.cohort}`)).status).toBe(200)
  })
})
