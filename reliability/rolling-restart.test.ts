import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { many, PATIENCE_MS, printLine, REQUESTS, REST_MS, RESTARTS, seconds, within } from './sizes.ts'
import { ASKED_EVERY_MS, startBalancer } from './test/balancer.ts'
import { follow } from './test/stream.ts'
import { type Fault, mixedRequests, send } from './test/traffic.ts'
import { type Cluster, openCluster, start, timeUntil } from './test/worlds.ts'
import { newFounder, startWriting } from './test/writers.ts'

const HANDS = 20
/** Longer than a balancer needs to notice. */
const GRACE = { STOP_GRACE_SECONDS: '4' }

let cluster: Cluster
beforeAll(async () => {
  cluster = await openCluster()
  return () => cluster.stop()
})

/** Two servers on one PostgreSQL. */
async function twoServers(more: Record<string, string> = {}) {
  const settings = { DATABASE_URL: await cluster.newDatabase(), ...more }
  // Started at the same time, as behind a balancer: one migrates the schema, the other waits for it.
  const servers = await Promise.all([start(settings), start(settings)])
  return { settings, servers }
}

describe('Two servers on one PostgreSQL', { timeout: PATIENCE_MS }, () => {
  it('behind a balancer are restarted in turn under load without a failed request', async () => {
    const { settings, servers } = await twoServers(GRACE)
    const balancer = await startBalancer()
    onTestFinished(() => balancer.close())
    await Promise.all(servers.map(({ url }, place) => balancer.set(place, url)))
    const client = caller()
    await client.join(balancer)
    const founders = await Promise.all(
      Array.from({ length: 5 }, (_, index) => newFounder(client.call, balancer, `Under load ${index}`)),
    )

    const faults: Fault[] = []
    let sent = 0
    let isRestarting = true
    const work = async (hand: number) => {
      for (const request of mixedRequests(founders, hand)) {
        if (sent >= REQUESTS && !isRestarting) return
        sent += 1
        const { fault } = await send(client, balancer, request)
        if (fault) faults.push(fault)
        await pause(REST_MS)
      }
    }
    const working = Promise.all(Array.from({ length: HANDS }, (_, hand) => work(hand)))
    let slowestStop = 0
    for (let restart = 0; restart < 2 * RESTARTS; restart += 1) {
      const place = restart % 2
      const began = Date.now()
      const ended = await servers[place]?.end('SIGTERM')
      expect([ended?.code, ended?.stderr]).toEqual([0, ''])
      slowestStop = Math.max(slowestStop, Date.now() - began)
      const next = await start(settings)
      servers[place] = next
      await balancer.set(place, next.url)
      await pause(4 * ASKED_EVERY_MS)
    }
    isRestarting = false
    await working
    printLine(
      `Restarted in turn: ${many(sent)} requests by ${HANDS} hands, ${2 * RESTARTS} restarts, ${faults.length} failed, slowest stop ${seconds(slowestStop)}`,
    )
    expect(faults).toEqual([])
    expect(slowestStop).toBeLessThan(within(10_000))
  })

  it('share sessions immediately, and send the events of each to the readers of the other', async () => {
    const { servers } = await twoServers()
    const [one, other] = servers
    const { call, headers, join } = caller()
    await join(one)
    expect((await call(other, 'GET', '/auth/me')).status).toBe(200)
    const streams = [await follow(one.url, headers()), await follow(other.url, headers())]
    const founder = await newFounder(call, one, 'Seen over there')
    for (const { ids } of streams) await timeUntil(() => ids.includes(founder), within(1_000), 'the event')

    const signedIn = headers()
    expect((await call(one, 'POST', '/auth/logout')).status).toBe(204)
    const answer = await fetch(`${other.url}/api/auth/me`, { headers: signedIn })
    expect(answer.status).toBe(401)
    for (const { hasEnded } of streams) await timeUntil(hasEnded, within(5_000), 'ended')
  })

  it('end the stream of an expired session within 5 s', async () => {
    const server = await start({ DATABASE_URL: await cluster.newDatabase(), SESSION_ABSOLUTE_SECONDS: '4' })
    const { headers, join } = caller()
    await join(server)
    const signedUpAt = Date.now()
    const { hasEnded } = await follow(server.url, headers())
    await timeUntil(hasEnded, 4_000 + within(5_000), 'ended')
    expect(Date.now() - signedUpAt).toBeGreaterThan(3_000)
  })

  it('lose only the connections of the killed one', async () => {
    const { servers } = await twoServers()
    const [one, other] = servers
    const { call, headers, join } = caller()
    await join(one)
    const [theirs, ours] = [await follow(one.url, headers()), await follow(other.url, headers())]
    const founder = await newFounder(call, other, 'Unharmed')
    const writing = startWriting(call, other, founder)
    await timeUntil(() => writing.acknowledged.length > 20, within(10_000), 'writing')
    await one.end('SIGKILL')
    await timeUntil(theirs.hasEnded, within(1_000), 'its own stream ends')
    const soFar = writing.acknowledged.length
    await timeUntil(() => writing.acknowledged.length > soFar + 50, within(5_000), 'writing goes on')
    await writing.stop()
    expect([writing.refused, writing.unanswered(), ours.hasEnded()]).toEqual([[], 0, false])
  })
})
