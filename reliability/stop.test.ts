import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { type Ended, startServer } from '#server/test/server-process.ts'
import { isLong, many, PATIENCE_MS, printLine, REST_MS, ROUNDS, seconds, within } from './sizes.ts'
import { embedded, isReady, nothingYet, start, timeUntil } from './test/worlds.ts'
import { newFounder } from './test/writers.ts'

const HANDS = 50
const REQUESTS = isLong ? 1_000 : 250

/**
 * Whether the server did not accept the connection: it is refused, or reset while it waits to be accepted. Any other
 * error is a request lost on the way.
 */
const isRefused = (error: unknown) => (error as { cause?: { syscall?: string } }).cause?.syscall === 'connect'

describe('A graceful stop', { timeout: PATIENCE_MS }, () => {
  it('serves every request that reached the server under load, and accepts no new ones', async () => {
    const server = await start(embedded())
    const { call, join } = caller()
    await join(server)
    await newFounder(call, server, 'Under load')
    let answered = 0
    const faults: unknown[] = []
    const work = async () => {
      for (;;) {
        try {
          const answer = await call(server, 'GET', '/founders')
          await answer.text()
          if (answer.ok) answered += 1
          else faults.push(answer.status)
          await pause(REST_MS)
        } catch (error) {
          if (isRefused(error)) return
          faults.push((error as Error).cause ?? error)
        }
      }
    }
    const working = Promise.all(Array.from({ length: HANDS }, work))
    await timeUntil(() => answered >= REQUESTS, within(20_000), 'under load')
    const began = Date.now()
    const { code, stderr } = await server.end('SIGTERM')
    const tookMs = Date.now() - began
    await working
    printLine(`Stopped under load: ${many(answered)} answered, ${faults.length} lost, in ${seconds(tookMs)}`)
    expect([faults, code, stderr]).toEqual([[], 0, ''])
    expect(tookMs).toBeLessThan(within(10_000))
  })

  it('first reports that it is not ready, and still serves for its grace period, one request per connection', {
    tags: 'slow',
  }, async () => {
    const server = await start({ ...embedded(), STOP_GRACE_SECONDS: '3' })
    const { call, join } = caller()
    await join(server)
    const ended = server.end('SIGTERM')
    await timeUntil(async () => !(await isReady(server)), within(1_000), 'not ready')
    const answer = await call(server, 'GET', '/founders')
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect((await call(server, 'GET', '/auth/me')).status).toBe(200)
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('is cut short by a second signal', { tags: 'slow' }, async () => {
    const server = await start({ ...embedded(), STOP_GRACE_SECONDS: '60' })
    const ended = server.end('SIGTERM')
    // Counted from when the server has seen the first: a busy machine may deliver both as one.
    await timeUntil(async () => !(await isReady(server)), within(5_000), 'not ready')
    await pause(1_500)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 1 })
    await ended
  })

  it('is clean at any moment while the server is starting', { tags: 'slow' }, async () => {
    const settings = { ...nothingYet(), LOG_LEVEL: 'error' }
    for (let round = 0; round < ROUNDS; round += 1) {
      const ended = await startServer({
        settings,
        onSpawn: (server) => setTimeout(() => server.kill('SIGTERM'), Math.random() * 2_000),
      }).then(
        (server) => server.ended,
        (ended: Ended) => ended,
      )
      // Before the program itself has started, the signal ends it like any process.
      expect(ended.signal ?? ended.code).toBe(ended.signal ? 'SIGTERM' : 0)
      expect(ended.stderr).toBe('')
    }
    await start(settings)
  })
})
