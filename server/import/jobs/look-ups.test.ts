import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { attempts, auditLog } from '#server/db/schema.ts'
import { type EnrichedApp, KEYS, queuedIn, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { act, csv, importFile, prepare } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { caller } from '#server/test/http-caller.ts'
import { startServer } from '#server/test/server-process.ts'
import { startTestApp } from '#server/test/test-app.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

let world: EnrichedApp
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_DAILY_LOOKUPS: '5' })
})
afterAll(() => world.close())

const CEO = { json: { experience: [{ title: 'CEO', is_current_position: true }] } }
beforeEach(async () => {
  world.outside.requests.length = 0
  world.outside.on('POST /persons', CEO)
  await world.test.db.delete(attempts)
})

let made = 0
/** Lines of people who are similar to no others and can be looked up by their address. */
const people = (count: number) =>
  Array.from({ length: count }, () => {
    made += 1
    return `${(made * 7919).toString(36)}v ${made.toString(26)}z,https://www.linkedin.com/in/p${made}`
  })
const file = (...lines: string[]) => csv('Name,LinkedIn', ...lines)
const lookUps = (id: string) => `/api/imports/${id}/look-ups`
const count = async (id: string) => (await world.client.get(lookUps(id))).body.count
const asked = () => world.outside.requests.filter(({ path }) => path === '/persons').length

describe('Look up the records of an import', () => {
  it('counts the records that the import has created', { tags: 'slow' }, async () => {
    const [here, ...others] = people(4)
    await importFile(world.client, file(here as string))
    const { id } = await importFile(world.client, file(here as string, ...others))
    expect((await world.client.get(lookUps(id))).body).toEqual({ count: 3, askedAt: null })
  })

  it('leaves out records that no source can look up, and those looked up since', { tags: 'slow' }, async () => {
    const { id } = await importFile(world.client, file('Without Address,', ...people(3)))
    const [record] = (await world.client.get('/api/founders?limit=1')).body
    await world.client.post(`/api/founders/${record.id}/refresh`)
    await expect.poll(asked).toBe(1)
    await world.client.post(lookUps(id))
    await expect.poll(asked, { timeout: 30_000 }).toBe(3)
    await pause(500)
    expect(asked()).toBe(3)
  })

  it('looks each up once, in the background, and is in the audit log', { tags: 'slow' }, async () => {
    const { id } = await importFile(world.client, file(...people(3)))
    expect(asked()).toBe(0)
    const headers = { 'idempotency-key': 'look-up-1' }
    const { status, body } = await world.client.post(lookUps(id), undefined, { headers })
    expect([status, Date.now() - Date.parse(body.askedAt) < 60_000]).toEqual([202, true])
    await expect.poll(asked, { timeout: 30_000 }).toBe(3)
    await until(async () => (await queuedIn(world, 'enrich')).length === 0)
    const founders = (await world.client.get('/api/founders?limit=3')).body
    for (const { additionalInfo } of founders) expect(JSON.parse(additionalInfo)).toEqual({ current_title: 'CEO' })
    const entries = await world.test.db.select().from(auditLog)
    expect(entries.filter(({ objectId }) => objectId === id).map(({ action }) => action)).toContain('look-up')
    expect((await world.client.post(lookUps(id), undefined, { headers })).status).toBe(202)
    expect(await world.client.post(lookUps(id))).toMatchObject({
      status: 409,
      body: { error: 'The records of this import are being looked up already' },
    })
  })

  it('continues the next day with records beyond the daily limit', { tags: 'slow' }, async () => {
    const { id } = await importFile(world.client, file(...people(7)))
    await world.client.post(lookUps(id))
    await expect.poll(asked, { timeout: 30_000 }).toBe(5)
    await pause(500)
    expect(asked()).toBe(5)
    const founders = (await world.client.get('/api/founders?limit=7')).body
    const waiting = founders.filter(({ additionalInfo }: { additionalInfo: string | null }) => additionalInfo === null)
    expect(waiting).toMatchObject([
      { enrichment: { isRunning: false, lastRun: null } },
      { enrichment: { isRunning: false, lastRun: null } },
    ])
  })

  it('is 409 before the import has run and after its revert, and 403 for other fellows', { tags: 'slow' }, async () => {
    const { id } = await prepare(world.client, file(...people(1)))
    const refused = { status: 409, body: { error: 'This import has no records to look up' } }
    expect(await world.client.post(lookUps(id))).toMatchObject(refused)
    expect(await count(id)).toBe(0)
    await act(world.client, id, 'run')
    const { client: other } = await fellowOf(world.test)
    expect([(await other.get(lookUps(id))).status, (await other.post(lookUps(id))).status]).toEqual([403, 403])
    await act(world.client, id, 'revert')
    expect(await world.client.post(lookUps(id))).toMatchObject(refused)
    expect(asked()).toBe(0)
  })

  it('counts nothing without a source', { tags: 'slow' }, async () => {
    const test = await startTestApp()
    onTestFinished(() => test.close())
    const { client } = await fellowOf(test)
    const { id } = await importFile(client, file(...people(1)))
    expect((await client.get(lookUps(id))).body).toEqual({ count: 0, askedAt: null })
  })

  it('continues after a stop of the server', { tags: 'slow', timeout: 120_000 }, async () => {
    const outside = await startProviderServer()
    onTestFinished(() => outside.close())
    outside.on('POST /persons', { ...CEO, delayMs: 200 })
    const settings = {
      ...(await freshDatabaseSettings()),
      ...KEYS,
      ENRICHMENT_PROVIDERS: 'harmonic',
      HARMONIC_BASE_URL: outside.url,
    }
    const start = async () => {
      const server = await startServer({ settings })
      onTestFinished(async () => void (await server.end('SIGKILL')))
      return server
    }
    const first = await start()
    const { call, headers, join } = caller()
    await join(first)
    const lines = people(30)
    const uploaded = await fetch(`${first.url}/api/imports?name=people.csv`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/octet-stream' },
      body: file(...lines),
    })
    const { id } = (await uploaded.json()) as { id: string }
    const stateAt = async () => ((await (await call(first, 'GET', `/imports/${id}`)).json()) as { state: string }).state
    await expect.poll(stateAt, { timeout: 20_000 }).toBe('ready')
    await call(first, 'POST', `/imports/${id}/run`)
    await expect.poll(stateAt, { timeout: 20_000 }).toBe('done')
    expect((await call(first, 'POST', `/imports/${id}/look-ups`)).status).toBe(202)
    await expect.poll(() => outside.requests.length, { timeout: 20_000 }).toBeGreaterThan(3)
    await first.end('SIGTERM')
    const handles = () => outside.requests.map(({ query }) => query.linkedin_url)
    expect(new Set(handles()).size).toBeLessThan(lines.length)
    await start()
    await expect.poll(() => new Set(handles()).size, { timeout: 60_000, interval: 500 }).toBe(lines.length)
    // The four lookups that the stop interrupted run again.
    expect(handles().length).toBeLessThanOrEqual(lines.length + 4)
  })
})
