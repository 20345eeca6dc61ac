import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTcpProxy } from '#server/db/test/tcp-proxy.ts'
import { caller } from '#server/test/http-caller.ts'
import { many, PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { follow } from './test/stream.ts'
import { type Cluster, isReady, openCluster, start, timeUntil } from './test/worlds.ts'
import { faultsIn, newFounder, notesOn, startWriting } from './test/writers.ts'

const REFUSED_WITHIN_MS = within(5_000)
const BACK_WITHIN_MS = within(5_000)
const POOL = 5
const SENTENCE = 'The database is not responding. Try again in a moment.'

let cluster: Cluster
beforeAll(async () => {
  cluster = await openCluster()
  return () => cluster.stop()
})

/** A server under load on a PostgreSQL of its own, over a network connection that can be cut. */
async function world(settings: Record<string, string> = {}) {
  const url = await cluster.newDatabase()
  const proxy = await startTcpProxy(url)
  onTestFinished(() => proxy.close())
  const server = await start({ DATABASE_URL: proxy.through(url), DATABASE_POOL: String(POOL), ...settings })
  const { call, headers, join } = caller()
  await join(server)
  const founder = await newFounder(call, server, 'Under load')
  const stream = await follow(server.url, headers())
  const writing = startWriting(call, server, founder)
  await timeUntil(() => writing.acknowledged.length > 20, within(10_000), 'writing')

  const get = async (path: string) => {
    const began = Date.now()
    const answer = await fetch(`${server.url}${path}`, { headers: headers() })
    await answer.text()
    return { status: answer.status, tookMs: Date.now() - began }
  }
  /** Checks the server during trouble: alive, not ready, and every request refused in time. */
  const expectTrouble = async (ms: number) => {
    const before = writing.refused.length
    await pause(ms)
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.tookMs).toBeLessThan(within(3_000))
    const reading = await get('/api/founders')
    expect(reading.status).toBe(503)
    expect(reading.tookMs).toBeLessThan(REFUSED_WITHIN_MS)
    expect(writing.refused.length).toBeGreaterThan(before)
  }
  /** Waits for recovery, then checks that nothing is lost, nothing hangs, and readers were notified. */
  const expectBack = async (what: string) => {
    const tookMs = await timeUntil(() => isReady(server), BACK_WITHIN_MS, 'ready')
    const soFar = writing.acknowledged.length
    await timeUntil(() => writing.acknowledged.length > soFar + 20, BACK_WITHIN_MS, 'writing again')
    await timeUntil(() => stream.events.includes('everything'), within(10_000), 'the readers get everything')
    expect(stream.hasEnded()).toBe(false)
    const { id } = { id: await newFounder(call, server, 'Afterwards') }
    await timeUntil(() => stream.ids.includes(id), BACK_WITHIN_MS, 'the stream sends new events')
    await writing.stop()
    expect(faultsIn(await notesOn(call, server, founder), writing.acknowledged)).toEqual({ lost: [], twice: [] })
    expect(writing.refused.filter(({ status, error }) => status !== 503 || error !== SENTENCE)).toEqual([])
    expect(writing.unanswered()).toBe(0)
    const slowest = Math.max(0, ...writing.refused.map(({ tookMs }) => tookMs))
    expect(slowest).toBeLessThan(REFUSED_WITHIN_MS)
    const ofServer = `from pg_stat_activity where application_name = 'sourcebook'`
    // Two more connections listen: for changes, and for jobs.
    expect((await cluster.ask(url, `select ${ofServer}`)).length).toBeLessThanOrEqual(POOL + 2)
    // Work in the background may be in a transaction now and then.
    const hasNoneLeft = async () =>
      (await cluster.ask(url, `select ${ofServer} and state = 'idle in transaction'`)).length === 0
    await timeUntil(hasNoneLeft, within(5_000), 'no transaction is left open')
    const { acknowledged, refused } = writing
    printLine(
      `${what}: ${many(acknowledged.length)} acknowledged, 0 lost, ${many(refused.length)} refused with 503, the slowest in ${seconds(slowest)}, back in ${seconds(tookMs)}`,
    )
  }
  return { url, proxy, server, writing, get, expectTrouble, expectBack }
}

describe('Trouble of PostgreSQL under load causes 503 with a sentence, and the product recovers by itself', {
  timeout: PATIENCE_MS,
}, () => {
  it.each([
    ['fast', 'SIGINT'],
    ['immediate', 'SIGQUIT'],
  ] as const)('restarted, %s', async (mode, signal) => {
    const { expectTrouble, expectBack } = await world()
    await cluster.end(signal)
    await expectTrouble(2_000)
    await cluster.start()
    await expectBack(`PostgreSQL restarted (${mode})`)
  })

  it('cut off, with every connection broken', async () => {
    const { proxy, expectTrouble, expectBack } = await world()
    proxy.cut()
    await expectTrouble(2_000)
    proxy.pass()
    await expectBack('PostgreSQL cut off')
  })

  it('cut off, with packets that are dropped', async () => {
    const { proxy, expectTrouble, expectBack } = await world()
    proxy.swallow()
    await expectTrouble(7_000)
    proxy.pass()
    await expectBack('PostgreSQL behind a black hole')
  })

  it('with every connection of the server ended repeatedly', async () => {
    const { url, server, writing, expectBack } = await world()
    const times = 10
    for (let time = 0; time < times; time += 1) {
      const before = writing.refused.length
      await cluster.ask(
        url,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await timeUntil(() => isReady(server), BACK_WITHIN_MS, 'ready')
      await pause(200)
      expect(writing.refused.length - before).toBeLessThanOrEqual(POOL)
    }
    await expectBack(`Connections ended ${times} times`)
  })
})
