import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAILOVERS, PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { openPatroni } from './test/patroni.ts'
import { twoServers } from './test/two-servers.ts'

const ROUNDS = Math.ceil(FAILOVERS / 2)
/** A change that waits for a standby holds locks, and a statement waits for up to two of a contended row, each at most 4 s. */
const ANSWERED_WITHIN_MS = within(10_000)
/** Patroni waits 20 s for a primary that is silent, and then promotes a standby. */
const BACK_WITHIN_MS = within(60_000)
const BACK_FROM_RESTART_WITHIN_MS = within(20_000)

type World = Awaited<ReturnType<typeof openPatroni>>

let world: World
beforeAll(async () => {
  world = await openPatroni()
  return world.close
})

describe('Two servers on the documented cluster lose and duplicate nothing, end no session, and write again', {
  timeout: PATIENCE_MS,
}, () => {
  it.each<[string, (world: World) => Promise<void>, number]>([
    ['the primary is killed with its machine', (world) => world.kill(), BACK_WITHIN_MS],
    ['the network of the primary is cut', (world) => world.isolate(), BACK_WITHIN_MS],
    ['another server becomes the primary in order', (world) => world.switchOver(), BACK_FROM_RESTART_WITHIN_MS],
    ['HAProxy is restarted', (world) => world.restartSwitch(), BACK_FROM_RESTART_WITHIN_MS],
  ])('when %s', async (what, trouble, withinMs) => {
    // After a test that failed too.
    await world.repair()
    const { goOn, end } = await twoServers(world.settings)
    const backMs: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await world.repair()
      await pause(Math.random() * 1_000)
      backMs.push(await goOn(() => trouble(world), withinMs))
    }
    await world.repair()
    const { acknowledged, slowestRefusalMs, line } = await end()
    printLine(
      `Patroni, when ${what}: ${ROUNDS} times, ${line}, writing again after ${seconds(Math.min(...backMs))} to ${seconds(Math.max(...backMs))}`,
    )
    expect(acknowledged).toBeGreaterThan(0)
    expect(slowestRefusalMs).toBeLessThan(ANSWERED_WITHIN_MS)
  })
})
