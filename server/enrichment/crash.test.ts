import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, type TestContext } from 'vitest'
import { KEYS } from '#server/enrichment/test/enriched-app.ts'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { caller } from '#server/test/http-caller.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

const CEO = { json: { experience: [{ title: 'CEO', is_current_position: true }] } }

/** Starts a server with a slow provider, and makes it enrich a founder. */
async function lookUp({ onTestFinished }: TestContext) {
  const outside = await startProviderServer()
  onTestFinished(() => outside.close())
  outside.on('POST /persons', { ...CEO, delayMs: 6_000 })
  const settings = {
    ...(await freshDatabaseSettings()),
    ...KEYS,
    ENRICHMENT_PROVIDERS: 'harmonic',
    LOG_LEVEL: 'trace',
    HARMONIC_BASE_URL: outside.url,
  }
  const start = async () => {
    const server = await startServer({ settings })
    onTestFinished(async () => void (await server.end('SIGKILL')))
    return server
  }
  const server = await start()
  const { call, join } = caller()
  await join(server)
  const input = { name: 'Ada', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met.' }
  const added = await call(server, 'POST', '/founders', input)
  expect(added.status).toBe(201)
  const { id } = (await added.json()) as { id: string }
  expect(outside.requests).toHaveLength(1)
  const get = async (at: ServerProcess) => {
    const answer = await call(at, 'GET', `/founders/${id}`)
    return (await answer.json()) as { additionalInfo: string | null; enrichment: { isRunning: boolean } }
  }
  return { outside, server, start, get }
}

async function untilFound<Founder extends { additionalInfo: string | null }>(get: () => Promise<Founder>) {
  for (let waited = 0; (await get()).additionalInfo === null && waited < 45_000; waited += 250) await pause(250)
  return get()
}

// Both wait for most of their time.
describe.concurrent('A run of enrichment', { timeout: 120_000 }, () => {
  it('interrupted by kill -9 finishes once after the restart', { tags: 'slow' }, async (test) => {
    const { outside, server, start, get } = await lookUp(test)
    await server.end('SIGKILL')
    outside.on('POST /persons', CEO)
    const again = await start()
    expect((await get(again)).enrichment.isRunning).toBe(true)
    const founder = await untilFound(() => get(again))
    expect(JSON.parse(founder.additionalInfo ?? '')).toEqual({ current_title: 'CEO' })
    expect(founder.enrichment.isRunning).toBe(false)
    await pause(1_000)
    expect(outside.requests).toHaveLength(2)
    const { stderr } = await again.end('SIGTERM')
    expect(stderr).toContain('A record was enriched')
    expect(stderr).not.toContain('key-of-')
  })

  it('interrupted by a graceful stop finishes once after the restart, and does not delay the stop', {
    tags: 'slow',
  }, async (test) => {
    const { outside, server, start, get } = await lookUp(test)
    const stoppedAt = Date.now()
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(Date.now() - stoppedAt).toBeLessThan(5_000)
    outside.on('POST /persons', CEO)
    const again = await start()
    const founder = await untilFound(() => get(again))
    expect(JSON.parse(founder.additionalInfo ?? '')).toEqual({ current_title: 'CEO' })
    await pause(1_000)
    expect(outside.requests).toHaveLength(2)
  })
})
