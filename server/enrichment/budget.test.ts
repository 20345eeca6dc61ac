import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { attempts, records } from '#server/db/schema.ts'
import { type EnrichedApp, startEnrichedApp } from '#server/enrichment/test/enriched-app.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { TestClient } from '#server/test/test-app.ts'

// The limits on the cost of paid providers, for all callers together.

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PAUSE_SECONDS: '', ENRICHMENT_DAILY_LOOKUPS: '5' })
})
afterAll(() => world.close())

const CEO = { json: { experience: [{ title: 'CEO', is_current_position: true }] } }
const UNKNOWN = { status: 404, json: {} }

/** By default Harmonic finds every person, and People Data Labs none. */
beforeEach(async () => {
  world.outside.requests.length = 0
  world.outside.on('POST /persons', CEO)
  world.outside.on('GET /v5/person/enrich', UNKNOWN)
  await world.test.db.delete(attempts)
  await world.test.db.execute(sql`delete from provider_cooldowns`)
})

const founder = () => makeFounder(world.test.db)
const get = async (id: string) => (await world.client.get(`/api/founders/${id}`)).body

/** Resolves once the run is over. On a busy machine the request may stop waiting earlier. */
async function over<Answer>(id: string, asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking
  await expect.poll(async () => (await get(id)).enrichment.isRunning, { timeout: 20_000 }).toBe(false)
  return answer
}
const refresh = (id: string, client: TestClient = world.client) => over(id, client.post(`/api/founders/${id}/refresh`))
const infoOf = async (id: string) => JSON.parse((await get(id)).additionalInfo)
const noticeOf = async (id: string) => (await get(id)).enrichment.lastRun.notice
const asked = () => world.outside.requests.map(({ path }) => path)
const BOTH = ['/persons', '/v5/person/enrich']

describe('A paid provider that answered a refresh of a record', () => {
  it('is not called again for it within ENRICHMENT_PAUSE_SECONDS, by any fellow or call', {
    tags: 'slow',
  }, async () => {
    const { id } = await founder()
    const other = await fellowOf(world.test)
    const kept = { success: true, enrichedData: { current_title: 'CEO' } }
    await refresh(id)
    for (let round = 0; round < 40; round += 1) {
      const { status, body } = await refresh(id, round % 2 ? world.client : other.client)
      expect({ status, body }).toEqual({ status: 200, body: kept })
    }
    expect((await other.client.post(`/api/founders/${id}/enrich`, { name: 'B' })).body).toEqual(kept)
    expect(asked()).toEqual(BOTH)
  })

  it('is called again after the pause', { tags: 'slow' }, async () => {
    const { id } = await founder()
    await refresh(id)
    const longAgo = JSON.stringify({ harmonic: new Date(Date.now() - 3_601_000).toISOString() })
    await world.test.db
      .update(records)
      .set({ enrichment: sql`jsonb_set(${records.enrichment}, '{paid}', ${longAgo}::jsonb)` })
      .where(eq(records.id, id))
    await refresh(id)
    expect(asked()).toEqual([...BOTH, ...BOTH])
  })

  it('is called for other records', async () => {
    await refresh((await founder()).id)
    await refresh((await founder()).id)
    expect(asked()).toEqual([...BOTH, ...BOTH])
  })

  it('keeps its findings while a failed one is called again', async () => {
    const { id } = await founder()
    world.outside.on('GET /v5/person/enrich', { status: 500, json: {} })
    await refresh(id)
    world.outside.on('GET /v5/person/enrich', {
      json: { status: 200, data: { job_title: 'Founder', work_email: 'a@acme.example' } },
    })
    await refresh(id)
    expect(await infoOf(id)).toEqual({ current_title: 'CEO', email: 'a@acme.example' })
    expect(await noticeOf(id)).toBeNull()
    expect(asked()).toEqual([...BOTH, '/v5/person/enrich'])
  })

  it('counts as having answered although it found nothing, and the response repeats that', async () => {
    const { id } = await founder()
    world.outside.on('POST /persons', UNKNOWN)
    await refresh(id)
    for (let round = 0; round < 3; round += 1) {
      expect((await refresh(id)).body).toEqual({ success: false, error: 'No public data found' })
    }
    expect(asked()).toEqual(BOTH)
  })

  it('is not paused by an answer from when the record was added', async () => {
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
    const { body } = await world.client.post('/api/founders', input)
    await over(body.id, Promise.resolve())
    for (let round = 0; round < 3; round += 1) await refresh(body.id)
    expect(asked()).toEqual([...BOTH, ...BOTH])
  })
})

describe('An account that has used its ENRICHMENT_DAILY_LOOKUPS', () => {
  const LIMIT = 'You have reached your daily limit for paid sources, so only free ones were used'

  it('gets only free sources and a notice in every process; other accounts still get paid sources', {
    tags: 'slow',
  }, async () => {
    const many = await Promise.all(Array.from({ length: 9 }, founder))
    await Promise.all(many.map(({ id }) => refresh(id)))
    const notices = await Promise.all(many.map(({ id }) => noticeOf(id)))
    expect(notices.filter(Boolean)).toEqual(Array(4).fill(`No public data found. ${LIMIT}`))
    expect(asked().filter((path) => path === '/persons')).toHaveLength(5)

    const other = await fellowOf(world.test)
    const { id } = await founder()
    await refresh(id, other.client)
    expect(await infoOf(id)).toEqual({ current_title: 'CEO' })
  })

  it('also gets the notice when adding a record, because sources were skipped', async () => {
    for (let round = 0; round < 5; round += 1) await refresh((await founder()).id)
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
    const { status, body } = await world.client.post('/api/founders', input)
    expect({ status, notice: body.notice }).toEqual({ status: 201, notice: LIMIT })
  })

  it('gets paid sources again one day after the first lookup', { tags: 'slow' }, async () => {
    for (let round = 0; round < 6; round += 1) await refresh((await founder()).id)
    await world.test.db.update(attempts).set({ forgetAt: sql`now() - interval '1 second'` })
    const { id } = await founder()
    await refresh(id)
    expect(await infoOf(id)).toEqual({ current_title: 'CEO' })
  })

  it('still gets results that cost nothing', { tags: 'slow', timeout: 90_000 }, async () => {
    const free = await startEnrichedApp({
      ENRICHMENT_PROVIDERS: 'harmonic,github',
      ENRICHMENT_DAILY_LOOKUPS: '1',
      GITHUB_BASE_URL: world.outside.url,
    })
    world.outside.on('GET /users/ada', { json: { type: 'User', login: 'ada', bio: 'Builds.' } })
    free.outside.on('POST /persons', CEO)
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'See github.com/ada' }
    const { id } = (await free.client.post('/api/founders', input)).body
    const now = async () => (await free.client.get(`/api/founders/${id}`)).body
    const isOver = () => expect.poll(async () => (await now()).enrichment.isRunning, { timeout: 20_000 }).toBe(false)
    await isOver()
    expect(JSON.parse((await now()).additionalInfo)).toEqual({ current_title: 'CEO', bio: 'Builds.' })
    world.outside.on('GET /users/ada', { json: { type: 'User', login: 'ada', bio: 'Builds more.' } })
    await free.client.post(`/api/founders/${id}/refresh`)
    await isOver()
    expect(JSON.parse((await now()).additionalInfo)).toEqual({ current_title: 'CEO', bio: 'Builds more.' })
    expect((await now()).enrichment.lastRun.notice).toBe(LIMIT)
    expect(free.outside.requests).toHaveLength(1)
    await free.close()
  })
})

describe('All accounts together, after ENRICHMENT_DAILY_LOOKUPS_TOTAL', () => {
  const TOTAL = 'The daily limit for paid sources of all fellows is reached, so only free ones were used'

  it('get only free sources and a notice, whichever account and process asks', async () => {
    const small = await startEnrichedApp({ ENRICHMENT_DAILY_LOOKUPS: '3', ENRICHMENT_DAILY_LOOKUPS_TOTAL: '8' })
    small.outside.on('POST /persons', CEO)
    small.outside.on('GET /v5/person/enrich', UNKNOWN)
    const elsewhere = new TestClient(await small.test.startAgain())
    const fellows = [
      small.client,
      ...(await Promise.all(Array.from({ length: 4 }, () => fellowOf(small.test)))).map(({ client }) => client),
    ]
    for (const [name, value] of fellows[4]?.cookies ?? []) elsewhere.cookies.set(name, value)
    fellows[4] = elsewhere
    const notices: (string | null)[] = []
    for (const client of fellows) {
      for (let round = 0; round < 4; round += 1) {
        const { id } = await makeFounder(small.test.db)
        await client.post(`/api/founders/${id}/refresh`)
        const now = async () => (await client.get(`/api/founders/${id}`)).body.enrichment
        await expect.poll(async () => (await now()).isRunning, { timeout: 20_000 }).toBe(false)
        notices.push((await now()).lastRun.notice)
      }
    }
    expect(small.outside.requests.filter(({ path }) => path === '/persons')).toHaveLength(8)
    const own = expect.stringContaining('You have reached your daily limit')
    const total = `No public data found. ${TOTAL}`
    expect(notices).toEqual([
      // A lookup beyond the limit of its account does not count towards the total.
      ...[null, null, null, own, null, null, null, own, null, null, total, own],
      ...[total, total, total, own, total, total, total, own],
    ])
    await small.close()
  }, 90_000)
})

describe('Hints', () => {
  const company = async () => (await world.client.post('/api/companies', { name: 'Acme', notes: 'Met.' })).body.id
  const historyOf = async (id: string) => (await world.client.get(`/api/companies/${id}/history`)).body

  it('from a fellow who may not edit the record are ignored', async () => {
    const id = await company()
    const stranger = await fellowOf(world.test)
    world.outside.on('POST /companies', { json: { headcount: 666, website: { url: 'https://evil.example' } } })
    const answer = await stranger.client.post(`/api/companies/${id}/enrich`, { domain: 'evil.example' })
    expect(answer.body).toEqual({ success: false, error: 'No public data found' })
    expect(asked()).not.toContain('/companies')
    expect((await world.client.get(`/api/companies/${id}`)).body).toMatchObject({ website: null, additionalInfo: null })
    expect(JSON.stringify(await historyOf(id))).not.toContain('evil.example')
  })

  it('from a fellow who may edit it are used, and are named only in the history of that run', async () => {
    const id = await company()
    const stranger = await fellowOf(world.test)
    await stranger.client.post(`/api/notes/company/${id}`, { content: 'Known to me.' })
    world.outside.on('POST /companies', { json: { headcount: 42 } })
    const answer = await stranger.client.post(`/api/companies/${id}/enrich`, { domain: 'acme.example' })
    expect(answer.body).toEqual({ success: true, enrichedData: { employee_count: 42 } })
    expect(await historyOf(id)).toMatchObject([
      { action: 'enrich', hints: { domain: 'acme.example' }, changes: [{ field: 'employee_count', after: 42 }] },
      { action: 'add-note' },
      { action: 'enrich', notice: 'No public data found' },
      { action: 'create' },
    ])
    expect((await historyOf(id))[2]).not.toHaveProperty('hints')
  })
})

describe('A record that no source can look up', () => {
  it('gets no job, and a refresh reports that immediately', { tags: 'slow', timeout: 90_000 }, async () => {
    const quiet = await startEnrichedApp({
      ENRICHMENT_PROVIDERS: '',
      HARMONIC_API_KEY: '',
      PEOPLE_DATA_LABS_API_KEY: '',
    })
    const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
    const { status, body } = await quiet.client.post('/api/founders', input)
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('notice')
    expect(body.enrichment).toEqual({ isRunning: false, sources: {}, lastRun: null })
    const answer = await quiet.client.post(`/api/founders/${body.id}/refresh`)
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { success: false, error: 'We have no source for this founder yet' },
    })
    expect(await rowsOf(quiet.test.db, sql`select from pgboss.job where name = 'enrich'`)).toEqual([])
    await quiet.close()
  })
})
