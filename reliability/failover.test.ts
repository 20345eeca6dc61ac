import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { FAILOVERS, many, PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { openPair } from './test/pair.ts'
import { follow } from './test/stream.ts'
import { start, timeUntil } from './test/worlds.ts'
import { faultsIn, newFounder, notesOn, startWriting } from './test/writers.ts'

const ANSWERED_WITHIN_MS = within(5_000)
const BACK_WITHIN_MS = within(10_000)
/** PostgreSQL keeps the locks of a connection that was lost without an end for 15 s. */
const BACK_FROM_LOSS_WITHIN_MS = within(25_000)
const HANDS = 4

type Pair = Awaited<ReturnType<typeof openPair>>
/** Ends once the database can be written again. */
type Trouble = (pair: Pair) => Promise<void>

/** Two servers under load. Returns the time until both write again, and what must be so at the end. */
async function twoServers(settings: Record<string, string>) {
  const servers = [await start(settings), await start(settings)] as const
  const client = caller()
  await client.join(servers[0])
  const followed = await Promise.all(servers.map(({ url }) => follow(url, client.headers())))
  const founders = await Promise.all(servers.map((server, index) => newFounder(client.call, server, `Of ${index}`)))
  const writers = servers.map((server, index) =>
    startWriting(client.call, server, founders[index] as string, { hands: HANDS, repeats: true }),
  )

  /** Waits until each server writes again after the trouble, and its readers were told to read everything again. */
  async function goOn(trouble: () => Promise<void>, withinMs = BACK_WITHIN_MS): Promise<number> {
    const before = followed.map(({ events }) => events.length)
    const began = Date.now()
    await trouble()
    const soFar = writers.map(({ acknowledged }) => acknowledged.length)
    const areWriting = () =>
      writers.every(({ acknowledged }, index) => acknowledged.length > (soFar[index] as number) + 4 * HANDS)
    await timeUntil(areWriting, withinMs, 'writing again')
    const tookMs = Date.now() - began
    const haveRead = () => followed.every(({ events }, index) => events.slice(before[index]).includes('everything'))
    await timeUntil(haveRead, BACK_WITHIN_MS, 'the readers get everything')
    for (const server of servers) expect((await client.call(server, 'GET', '/auth/me')).status).toBe(200)
    return tookMs
  }

  async function end() {
    await Promise.all(writers.map((writer) => writer.stop()))
    for (const [index, { acknowledged }] of writers.entries()) {
      const found = await notesOn(client.call, servers[0], founders[index] as string)
      expect(faultsIn(found, acknowledged)).toEqual({ lost: [], twice: [] })
    }
    const refused = writers.flatMap((writer) => writer.refused)
    expect(refused.filter(({ status, error }) => status !== 503 || !error.endsWith('.'))).toEqual([])
    expect(followed.some(({ hasEnded }) => hasEnded())).toBe(false)
    expect(writers.map(({ unanswered }) => unanswered())).toEqual([0, 0])
    const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0)
    return { acknowledged, refused, slowestMs: Math.max(...writers.map(({ slowestMs }) => slowestMs())) }
  }
  return { goOn, end }
}

describe('Two servers on a primary with a synchronous standby lose and duplicate nothing, end no session, and write again', {
  timeout: PATIENCE_MS,
}, () => {
  it.each<[string, Trouble, number?]>([
    ['killed, and replaced by its standby', (pair) => pair.kill()],
    ['frozen, and replaced by its standby', (pair) => pair.freeze()],
    ['unreachable for a while', (pair) => pair.cut(), BACK_FROM_LOSS_WITHIN_MS],
    ['stopped, and replaced by its standby', (pair) => pair.switchOver()],
    ['replaced for a while by a server that only reads', (pair) => pair.demote()],
  ])('when the primary is %s', async (what, trouble, withinMs) => {
    const pair = await openPair()
    onTestFinished(() => pair.close())
    const { goOn, end } = await twoServers(pair.settings)
    let slowestBack = 0
    for (let round = 0; round < FAILOVERS; round += 1) {
      if (!pair.isWhole()) await goOn(() => pair.renewStandby())
      await pause(Math.random() * 1_000)
      slowestBack = Math.max(slowestBack, await goOn(() => trouble(pair), withinMs))
    }
    const { acknowledged, refused, slowestMs } = await end()
    printLine(
      `Primary ${what}: ${FAILOVERS} times, ${many(acknowledged)} acknowledged, 0 lost, 0 twice, ${many(refused.length)} refused, slowest answer ${seconds(slowestMs)}, writing again after ${seconds(slowestBack)} at most`,
    )
    expect(acknowledged).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThan(ANSWERED_WITHIN_MS)
  })
})
