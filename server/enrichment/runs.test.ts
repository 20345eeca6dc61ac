import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { providerCooldowns } from '#server/db/schema.ts'
import { type EnrichedApp, queuedIn, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import { makeFounder } from '#server/test/factories.ts'

// The jobs of runs: many at the same time, retries, and providers that are cooling down.

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic' })
})
afterAll(() => world.close())

/** Runs, cooldowns and postponed jobs of one test must not affect the next. */
beforeEach(async () => {
  await until(async () => (await queuedIn(world, 'enrich')).length === 0)
  world.outside.requests.length = 0
  await world.test.db.delete(providerCooldowns)
  await world.test.db.execute(sql`delete from pgboss.job where name = 'enrich-later'`)
})

const CEO = { json: { experience: [{ title: 'CEO', is_current_position: true }] } }
const founder = () => makeFounder(world.test.db)
const refresh = (id: string) => world.client.post(`/api/founders/${id}/refresh`)
const get = async (id: string) => (await world.client.get(`/api/founders/${id}`)).body

describe('One run per record', () => {
  it('is shared by all requests while it runs', async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 500 })
    const { id } = await founder()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(id)))
    for (const { body } of answers) expect(body).toEqual({ success: true, enrichedData: { current_title: 'CEO' } })
    expect(world.outside.requests).toHaveLength(1)
  })

  it('is followed by another run when requested after its end', async () => {
    world.outside.on('POST /persons', CEO)
    const { id } = await founder()
    for (let round = 0; round < 3; round += 1) expect((await refresh(id)).body.success).toBe(true)
    expect(world.outside.requests).toHaveLength(3)
  })
})

describe('100 concurrent refreshes', () => {
  it('run 4 at a time, one per record, and none is lost', { tags: 'slow', timeout: 60_000 }, async () => {
    let [most, mostOfOne] = [0, 0]
    world.outside.on('POST /persons', ({ query }) => {
      const underWay = world.outside.requests.filter(({ isOver }) => !isOver)
      most = Math.max(most, underWay.length)
      mostOfOne = Math.max(mostOfOne, underWay.filter((one) => one.query.linkedin_url === query.linkedin_url).length)
      return { ...CEO, delayMs: 20 }
    })
    const founders = await Promise.all(Array.from({ length: 50 }, founder))
    const answers = await Promise.all([...founders, ...founders].map(({ id }) => refresh(id)))
    for (const { status } of answers) expect([200, 202]).toContain(status)
    const list = async (): Promise<{ additionalInfo: string; enrichment: { isRunning: boolean } }[]> =>
      (await world.client.get('/api/founders?limit=50')).body
    await until(async () => (await list()).every(({ enrichment }) => !enrichment.isRunning))
    const found = (await list()).map(({ additionalInfo }) => JSON.parse(additionalInfo))
    expect(found).toEqual(founders.map(() => ({ current_title: 'CEO' })))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
    expect(mostOfOne).toBe(1)
  })
})

describe('A provider out of credits', () => {
  it('is reported, and skipped for the next records', async () => {
    world.outside.on('POST /persons', { status: 429, json: { error: 'MONTHLY_QUOTA_INSUFFICIENT' } })
    const sentence = 'No public data found. Harmonic has no credits left'
    for (let round = 0; round < 2; round += 1) {
      expect((await refresh((await founder()).id)).body).toEqual({ success: false, error: sentence })
    }
    expect(world.outside.requests).toHaveLength(1)
    expect(await queuedIn(world, 'enrich-later')).toEqual([])
  })

  it('is reported also when another one found something', { tags: 'slow' }, async () => {
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

describe('A provider over its rate limit', () => {
  it('is skipped for every record until its limit resets, and then called for these records', async () => {
    world.outside.on('POST /persons', { status: 429, headers: { 'retry-after': '120' }, json: {} })
    const [one, other] = [await founder(), await founder()]
    await refresh(one.id)
    const { body } = await refresh(other.id)
    expect(body.error).toBe("Harmonic has reached its rate limit. We'll try again later")
    expect(world.outside.requests).toHaveLength(1)
    const later = await queuedIn(world, 'enrich-later')
    expect(later.map(({ data }) => (data as { id: string }).id).sort()).toEqual([one.id, other.id].sort())
    for (const { seconds } of later) expect(Math.abs(seconds - 120)).toBeLessThan(15)
  })

  it('is called again when its wait is over', { tags: 'slow', timeout: 30_000 }, async () => {
    world.outside.on('POST /persons', { status: 429, headers: { 'retry-after': '1' }, json: {} })
    const { id } = await founder()
    await refresh(id)
    world.outside.on('POST /persons', CEO)
    await pause(1_000)
    await world.test.db.execute(sql`update pgboss.job set start_after = now() where name = 'enrich-later'`)
    await until(async () => (await get(id)).additionalInfo !== null)
    expect(JSON.parse((await get(id)).additionalInfo)).toEqual({ current_title: 'CEO' })
  })
})

describe('A record that is deleted during its lookup', () => {
  it('stays deleted, and the request reports that', async () => {
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
