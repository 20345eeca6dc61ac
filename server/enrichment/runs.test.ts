import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { type EnrichedApp, startEnrichedApp } from '#server/enrichment/test/enriched-app.ts'
import { makeFounder } from '#server/test/factories.ts'
import type { ServedReply } from '#server/test/provider-server.ts'

// The timing of runs: slow and failing providers, many at once, and retries.

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic' })
})
afterAll(() => world.close())

/** Providers and postponed jobs of one test must not affect the next. */
beforeEach(async () => {
  world.outside.requests.length = 0
  await world.test.db.execute(sql`delete from provider_cooldowns`)
  await world.test.db.execute(sql`delete from pgboss.job where name = 'enrich-later'`)
})

const CEO = { json: { experience: [{ title: 'CEO', is_current_position: true }] } }
const founder = () => makeFounder(world.test.db)
const refresh = (id: string) => world.client.post(`/api/founders/${id}/refresh`)
const get = async (id: string) => (await world.client.get(`/api/founders/${id}`)).body

async function until(isSo: () => boolean | Promise<boolean>) {
  for (let waited = 0; !(await isSo()) && waited < 15_000; waited += 50) await pause(50)
  expect(await isSo()).toBe(true)
}

const queued = (queue: string) =>
  rowsOf<{ data: object; seconds: number }>(
    world.test.db,
    sql`select data, extract(epoch from start_after - now())::int as seconds from pgboss.job where name = ${queue}`,
  )

describe('A provider that is slow', () => {
  it('is waited for 2.5 s by the request; the run goes on and the record shows it', async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 4_000 })
    const { id } = await founder()
    const startedAt = Date.now()
    const { status, body } = await refresh(id)
    expect({ status, body }).toEqual({ status: 202, body: { success: true, pending: true } })
    expect(Date.now() - startedAt).toBeLessThan(3_000)
    expect((await get(id)).enrichment.isRunning).toBe(true)
    await until(async () => !(await get(id)).enrichment.isRunning)
    expect(JSON.parse((await get(id)).additionalInfo)).toEqual({ current_title: 'CEO' })
    expect(world.outside.requests).toHaveLength(1)
  })

  it('gets 8 s in all, and is asked again later', async () => {
    world.outside.on('POST /persons', { ...CEO, dripMs: 1_000 })
    const { id } = await founder()
    const startedAt = Date.now()
    await refresh(id)
    await until(async () => !(await get(id)).enrichment.isRunning)
    expect(Date.now() - startedAt).toBeLessThan(10_500)
    expect((await get(id)).enrichment.lastRun.notice).toBe('No public data found. Harmonic could not be reached')
    expect(await queued('enrich-later')).toMatchObject([
      { data: { id, putOff: 1, only: { providers: ['harmonic'] } }, seconds: expect.closeTo(60, -1) },
    ])
  })

  it('lets a new record be saved, and says that it is still being looked up', async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 4_000 })
    const startedAt = Date.now()
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
    const { status, body } = await world.client.post('/api/founders', input)
    expect(Date.now() - startedAt).toBeLessThan(4_000)
    expect(status).toBe(201)
    expect(body.notice).toBe('Still looking for public data. It will appear here.')
    expect(body.enrichment.isRunning).toBe(true)
  })
})

describe('Whatever a provider does', () => {
  it.each<[string, ServedReply]>([
    ['answers gigabytes', { body: 'x', isEndless: true }],
    ['answers a byte a second', { ...CEO, dripMs: 1_000 }],
    ['answers broken JSON', { body: '{"experience": [' }],
    ['answers the wrong types', { json: { experience: 'CEO', contact: [1], linkedin_headline: { a: null } } }],
    ['answers a redirect to loopback', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['breaks the connection', { isReset: true }],
    ['fails', { status: 503, json: {} }],
    ['does not know the record', { status: 404, json: {} }],
  ])('the record is saved and the answer within its budget when it %s', async (_title, reply) => {
    world.outside.on('POST /persons', reply)
    const startedAt = Date.now()
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
    const { status, body } = await world.client.post('/api/founders', input)
    expect(status).toBe(201)
    expect(Date.now() - startedAt).toBeLessThan(3_500)
    expect([undefined, 'Still looking for public data. It will appear here.']).toContain(body.notice)
    expect(await get(body.id)).toMatchObject({ ...input, additionalInfo: null })
  })
})

describe('One run per record', () => {
  it('is joined by everyone who asks while it goes on', async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 500 })
    const { id } = await founder()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(id)))
    for (const { body } of answers) expect(body).toEqual({ success: true, enrichedData: { current_title: 'CEO' } })
    expect(world.outside.requests).toHaveLength(1)
  })

  it('is followed by another when asked for after its end', async () => {
    world.outside.on('POST /persons', CEO)
    const { id } = await founder()
    for (let round = 0; round < 3; round += 1) expect((await refresh(id)).body.success).toBe(true)
    expect(world.outside.requests).toHaveLength(3)
  })
})

describe('200 refreshes asked for at once', () => {
  it('run 4 at a time, one per record, and none is lost', async () => {
    let [most, mostOfOne] = [0, 0]
    world.outside.on('POST /persons', ({ query }) => {
      const underWay = world.outside.requests.filter(({ isOver }) => !isOver)
      most = Math.max(most, underWay.length)
      mostOfOne = Math.max(mostOfOne, underWay.filter((one) => one.query.linkedin_url === query.linkedin_url).length)
      return { ...CEO, delayMs: 20 }
    })
    const founders = await Promise.all(Array.from({ length: 100 }, founder))
    const answers = await Promise.all([...founders, ...founders].map(({ id }) => refresh(id)))
    for (const { status } of answers) expect([200, 202]).toContain(status)
    const list = async (): Promise<{ additionalInfo: string; enrichment: { isRunning: boolean } }[]> =>
      (await world.client.get('/api/founders?limit=100')).body
    await until(async () => (await list()).every(({ enrichment }) => !enrichment.isRunning))
    const found = (await list()).map(({ additionalInfo }) => JSON.parse(additionalInfo))
    expect(found).toEqual(founders.map(() => ({ current_title: 'CEO' })))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
    expect(mostOfOne).toBe(1)
  }, 60_000)
})

describe('A provider out of credits', () => {
  it('is reported, and skipped for the next records', async () => {
    world.outside.on('POST /persons', { status: 429, json: { error: 'MONTHLY_QUOTA_INSUFFICIENT' } })
    const sentence = 'No public data found. Harmonic has no credits left'
    const founders = [await founder(), await founder()]
    for (const { id } of founders) expect((await refresh(id)).body).toEqual({ success: false, error: sentence })
    // A run of an earlier test may still go on.
    const requests = world.outside.requests.filter(({ query }) =>
      founders.some(({ linkedIn }) => linkedIn === query.linkedin_url),
    )
    expect(requests).toHaveLength(1)
    expect(await queued('enrich-later')).toEqual([])
  })

  it('is reported also when another one found something', async () => {
    const both = await startEnrichedApp()
    both.outside.on('POST /persons', { status: 402, json: {} })
    both.outside.on('GET /v5/person/enrich', {
      json: { status: 200, data: { job_title: 'CEO' } },
    })
    const { id } = await makeFounder(both.test.db)
    expect((await both.client.post(`/api/founders/${id}/refresh`)).body).toEqual({
      success: true,
      enrichedData: { current_title: 'CEO' },
      notice: 'Harmonic has no credits left',
    })
    await both.close()
  })
})

describe('A provider that refuses its key', () => {
  it('is reported, and skipped', async () => {
    world.outside.on('POST /persons', { status: 401, json: {} })
    const sentence = 'No public data found. Harmonic rejected its API key'
    for (let round = 0; round < 2; round += 1) {
      expect((await refresh((await founder()).id)).body.error).toBe(sentence)
    }
    expect(world.outside.requests).toHaveLength(1)
  })
})

describe('A provider that is asked too often', () => {
  it('is left alone until it may be asked again, for every record, and asked for these then', async () => {
    world.outside.on('POST /persons', { status: 429, headers: { 'retry-after': '120' }, json: {} })
    const [one, other] = [await founder(), await founder()]
    await refresh(one.id)
    const { body } = await refresh(other.id)
    expect(body.error).toBe("No public data found. Harmonic has reached its rate limit. We'll try again later")
    expect(world.outside.requests).toHaveLength(1)
    const later = await queued('enrich-later')
    expect(later.map(({ data }) => (data as { id: string }).id).sort()).toEqual([one.id, other.id].sort())
    for (const { seconds } of later) expect(Math.abs(seconds - 120)).toBeLessThan(15)
  })

  it('is asked again when the time has come', async () => {
    world.outside.on('POST /persons', { status: 429, headers: { 'retry-after': '1' }, json: {} })
    const { id } = await founder()
    await refresh(id)
    world.outside.on('POST /persons', CEO)
    await pause(1_000)
    await world.test.db.execute(sql`update pgboss.job set start_after = now() where name = 'enrich-later'`)
    await until(async () => (await get(id)).additionalInfo !== null)
    expect(JSON.parse((await get(id)).additionalInfo)).toEqual({ current_title: 'CEO' })
  }, 30_000)
})

describe('A record that is deleted while it is looked up', () => {
  it('stays deleted, and the request says so', async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 700 })
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
    const adding = world.client.post('/api/founders', input)
    await until(() => world.outside.requests.length === 1)
    const [{ id }] = (await world.client.get('/api/founders?limit=1')).body
    expect((await world.client.delete(`/api/founders/${id}`)).status).toBe(204)
    expect((await adding).status).toBe(404)
    expect((await world.client.get(`/api/founders/${id}`)).status).toBe(404)
  })
})
