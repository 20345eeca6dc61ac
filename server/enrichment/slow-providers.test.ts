import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { providerCooldowns, records } from '#server/db/schema.ts'
import { type EnrichedApp, queuedIn, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import type { ServedReply } from '#server/enrichment/test/provider-server.ts'
import { makeFounder } from '#server/test/factories.ts'

// Requests with slow or failing providers. A run of one test may outlast it.

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic' })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.outside.requests.length = 0
  await world.test.db.delete(providerCooldowns)
})

const CEO = { json: { experience: [{ title: 'CEO', is_current_position: true }] } }
const founder = () => makeFounder(world.test.db)
const refresh = (id: string) => world.client.post(`/api/founders/${id}/refresh`)
/** Read from the database, because the calls of the fellow are what is tested. */
const getState = async (id: string) => {
  const [row] = await world.test.db.select({ state: records.enrichment }).from(records).where(eq(records.id, id))
  return { isRunning: row?.state.runningSince !== undefined }
}
const get = async (id: string) => (await world.client.get(`/api/founders/${id}`)).body

describe('A slow provider', () => {
  it('delays the request by 2.5 s; the run continues and the record shows that', { tags: 'slow' }, async () => {
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

  it('delays no other call of the fellow, however many requests wait for it', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    world.outside.on('POST /persons', { ...CEO, delayMs: 4_000 })
    const many = await Promise.all(Array.from({ length: 8 }, founder))
    const answered: string[] = []
    const waiting = many.map(({ id }) => refresh(id).then(() => answered.push('refresh')))
    await until(async () => (await Promise.all(many.map(({ id }) => getState(id)))).every(({ isRunning }) => isRunning))
    await world.client.get('/api/founders?limit=1').then(() => answered.push('list'))
    await Promise.all(waiting)
    expect(answered[0]).toBe('list')
    for (const { id } of many) await until(async () => !(await get(id)).enrichment.isRunning)
  })

  it('gets 8 s in total, and is called again later', { tags: 'slow' }, async () => {
    world.outside.on('POST /persons', { ...CEO, dripMs: 1_000 })
    const { id } = await founder()
    const startedAt = Date.now()
    await refresh(id)
    await until(async () => !(await get(id)).enrichment.isRunning)
    expect(Date.now() - startedAt).toBeLessThan(10_500)
    expect((await get(id)).enrichment.lastRun.notice).toBe('Harmonic could not be reached. Try again later')
    expect(await queuedIn(world, 'enrich-later')).toMatchObject([
      { data: { id, putOff: 1, only: { providers: ['harmonic'] } }, seconds: expect.closeTo(60, -1) },
    ])
  })

  it('does not stop a new record from being saved, with a notice that the lookup continues', {
    tags: 'slow',
  }, async () => {
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

describe('Any behaviour of a provider', () => {
  it.each<[string, ServedReply]>([
    ['sends gigabytes', { body: 'x', isEndless: true }],
    ['sends a byte a second', { ...CEO, dripMs: 1_000 }],
    ['sends broken JSON', { body: '{"experience": [' }],
    ['sends the wrong types', { json: { experience: 'CEO', contact: [1], linkedin_headline: { a: null } } }],
    ['sends a redirect to loopback', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['breaks the connection', { isReset: true }],
    ['fails', { status: 503, json: {} }],
    ['does not know the record', { status: 404, json: {} }],
  ])('the record is saved and the response is in time when the provider %s', async (_title, reply) => {
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
