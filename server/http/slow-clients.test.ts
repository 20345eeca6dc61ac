import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

// With SLOW_CLIENTS, by `npm run test:long`: that many clients, against the product's real limits.
const MANY = Number(process.env.SLOW_CLIENTS ?? 0)
const SHORT = { headersMs: 500, requestMs: 1000, quietMs: 1500, checkEveryMs: 100 }
const LIMITS = MANY > 0 ? { headersMs: 15_000, requestMs: 30_000, quietMs: 120_000, checkEveryMs: 5_000 } : SHORT
const CLIENTS = MANY || 50
const DRIP_MS = MANY > 0 ? 5_000 : 50

let test: TestApp
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await test.close()
})

async function listen(environment: Record<string, string> = {}) {
  test = await startTestApp(environment, undefined, MANY > 0 ? undefined : SHORT)
  return new URL(await test.app.listen({ port: 0, host: '127.0.0.1' }))
}

/** A connection that sends `start` and then one byte at intervals. Returns how long the server kept it open. */
function drip(port: number, start: string): Promise<number> {
  const began = Date.now()
  return new Promise((done) => {
    let dripping: NodeJS.Timeout
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(start)
      dripping = setInterval(() => socket.write('x'), DRIP_MS)
    })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.on('close', () => {
      clearInterval(dripping)
      done(Date.now() - began)
    })
  })
}

/** How long other requests take while `during` runs. All of them must succeed. */
async function othersWait(url: URL, during: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isOver = false
  void during.then(() => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    const { status } = await fetch(new URL('/healthz', url))
    expect(status).toBe(200)
    waits.push(performance.now() - began)
    await pause(50)
  }
  return waits.sort((a, b) => a - b)
}

const SLOW = [
  { what: 'of its head', start: 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ', limit: LIMITS.headersMs },
  {
    what: 'of its body',
    start:
      'POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n',
    limit: LIMITS.requestMs,
  },
]

describe('A slow client', { timeout: 300_000 }, () => {
  it.each(SLOW)(
    `that sends a byte $what now and then is disconnected, ${CLIENTS} at the same time, and slows no other request`,
    { tags: 'slow' },
    async ({ start, limit, what }) => {
      const url = await listen()
      const all = Promise.all(Array.from({ length: CLIENTS }, () => drip(Number(url.port), start)))
      const waits = await othersWait(url, all)
      const borne = await all
      const p95 = waits[Math.floor(waits.length * 0.95)] ?? 0
      console.info(
        `${CLIENTS} clients sending a byte ${what} every ${DRIP_MS} ms: let go after ${Math.min(...borne)} to ` +
          `${Math.max(...borne)} ms (limit ${limit}, looked at every ${LIMITS.checkEveryMs}); others' p95 ${p95.toFixed(1)} ms`,
      )
      expect(Math.min(...borne)).toBeGreaterThanOrEqual(limit)
      // Twice the limit, because a busy machine checks late. Without a limit they would stay for minutes.
      expect(Math.max(...borne)).toBeLessThan(MANY > 0 ? limit + 2 * LIMITS.checkEveryMs : 10_000)
    },
  )

  it('that declares a longer body than it sends is disconnected', { tags: 'slow' }, async () => {
    const { port } = await listen()
    const borne = await drip(Number(port), 'POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10')
    expect(borne).toBeLessThan(LIMITS.headersMs + 10_000)
  })

  it('that does not read its response is disconnected', { tags: 'slow' }, async () => {
    const { port } = await listen()
    const socket = connect(Number(port), '127.0.0.1')
    sockets.add(socket)
    const closed = new Promise((done) => socket.on('close', done))
    socket.on('error', () => {})
    socket.pause()
    // More responses than the buffers of both sides hold.
    socket.write('GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(2000))
    await expect.poll(() => connectionsOf(test)).toBe(1)
    // Twice, because Node may count an interval in which it still filled its own buffers as progress.
    await expect.poll(() => connectionsOf(test), { timeout: 2 * LIMITS.quietMs + 20_000 }).toBe(0)
    expect(test.app.server.listening).toBe(true)
    socket.destroy()
    await closed
  })
})

const connectionsOf = ({ app }: TestApp) =>
  new Promise<number>((done) => app.server.getConnections((_error, count) => done(count)))

describe('MAX_CONNECTIONS', () => {
  it('closes further connections, and accepts new ones once there is room', { tags: 'slow' }, async () => {
    const { port } = await listen({ MAX_CONNECTIONS: '10' })
    const open = () =>
      new Promise<'open' | 'closed'>((done) => {
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'),
        )
        sockets.add(socket)
        socket.on('error', () => done('closed'))
        socket.on('close', () => done('closed'))
        socket.on('data', () => done('open'))
      })
    const seen: string[] = []
    for (let count = 0; count < 12; count += 1) seen.push(await open())
    expect(seen).toEqual([...Array(10).fill('open'), 'closed', 'closed'])
    for (const socket of sockets) socket.destroy()
    await expect.poll(open).toBe('open')
  })
})
