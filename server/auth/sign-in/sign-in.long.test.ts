import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { quantile, show, timed } from '#server/test/figures.ts'
import { caller } from '#server/test/http-caller.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

/** Warm-up requests before the measurement. */
const PATIENCE_MS = 300_000
const WRONG = 'not the password'

describe('A wrong password and an unknown address', () => {
  const TRIES = 40
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp({ THROTTLE_IP_FAILURES: '1000000' })
  }, PATIENCE_MS)
  afterAll(() => test.close())

  it('take the same time, so that the response time reveals nothing', async () => {
    const visitor = test.visitor()
    const tryWith = (email: string) => timed(() => visitor.post('/api/auth/login', { email, password: WRONG }))
    const known = await Promise.all(Array.from({ length: TRIES }, () => makeAccount(test.db, { password: PASSWORD })))
    for (let index = 0; index < 4; index += 1) await tryWith(`warm${index}@mit.edu`)
    const took = { known: [] as number[], unknown: [] as number[] }
    for (const [index, { email }] of known.entries()) {
      took.known.push((await tryWith(email)).ms)
      took.unknown.push((await tryWith(`unknown${index}@mit.edu`)).ms)
    }
    const [one, other] = [quantile(took.known, 0.5), quantile(took.unknown, 0.5)]
    const apart = Math.abs(one - other) / Math.max(one, other)
    show(
      `wrong password ${one.toFixed(1)} ms, unknown address ${other.toFixed(1)} ms, ${(apart * 100).toFixed(1)} % apart`,
    )
    expect(apart).toBeLessThan(0.15)
  })
})

describe('A flood of 200 wrong passwords at the same time', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ settings: await freshDatabaseSettings() })
  }, PATIENCE_MS)
  afterAll(() => server?.end('SIGKILL'))

  const rssMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

  it.runIf(process.platform === 'linux')(
    'leaves the rest of the server fast, without more memory or errors',
    async () => {
      const { call, join } = caller()
      await join(server)
      const before = rssMb()
      let isOver = false
      const health: number[] = []
      let most = before
      const watching = (async () => {
        while (!isOver) {
          health.push((await timed(() => fetch(`${server.url}/healthz`).then((answer) => answer.text()))).ms)
          most = Math.max(most, rssMb())
          await pause(20)
        }
      })()
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          call(server, 'POST', '/auth/login', { email: `f${index}@mit.edu`, password: WRONG }),
        ),
      )
      isOver = true
      await watching
      const statuses = Object.groupBy(answers, ({ status }) => String(status))
      const p95 = quantile(health, 0.95)
      const counts = Object.entries(statuses).map(([status, all]) => `${all?.length} × ${status}`)
      show(
        `200 sign-ins at the same time: ${counts.join(', ')}; healthz p95 ${p95.toFixed(1)} ms; ${(most - before).toFixed(0)} MB more`,
      )
      expect(Object.keys(statuses).filter((status) => !['401', '429', '503'].includes(status))).toEqual([])
      expect(answers.length - (statuses['401']?.length ?? 0)).toBeGreaterThan(0)
      expect(p95).toBeLessThan(500)
      expect(most - before).toBeLessThan(300)
    },
  )
})
