import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import type { ServerProcess } from '#server/test/server-process.ts'
import { many, PATIENCE_MS, printLine, ROUNDS, seconds, within } from './sizes.ts'
import { embedded, isReady, openCluster, start, timeUntil } from './test/worlds.ts'
import { faultsIn, newFounder, notesOn, startWriting } from './test/writers.ts'

/** People notice a start after a crash that takes longer. */
const READY_WITHIN_MS = within(10_000)
const NOTHING_WRONG = { lost: [], twice: [] }

type Kill = (server: ServerProcess) => Promise<ServerProcess>

/** Kills at a random moment under load, `ROUNDS` times, and checks every acknowledged note after each. */
async function killOverAndOver(what: string, settings: Record<string, string>, kills: Kill[]) {
  const { call, join } = caller()
  let server = await start(settings)
  await join(server)
  const kept: { founder: string; acknowledged: string[] }[] = []
  let slowest = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const founder = await newFounder(call, server, `Round ${round}`)
    const writing = startWriting(call, server, founder)
    await pause(Math.random() * 1_000)
    // A slow machine may have acknowledged nothing in a short while.
    if (round === 0) await timeUntil(() => writing.acknowledged.length > 0, READY_WITHIN_MS, 'the first note')
    const kill = kills[round % kills.length] as Kill
    const began = Date.now()
    server = await kill(server)
    await timeUntil(() => isReady(server), READY_WITHIN_MS, `ready after round ${round}`)
    slowest = Math.max(slowest, Date.now() - began)
    await writing.stop()
    kept.push({ founder, acknowledged: writing.acknowledged })
    expect(faultsIn(await notesOn(call, server, founder), writing.acknowledged)).toEqual(NOTHING_WRONG)
  }
  for (const { founder, acknowledged } of kept) {
    expect(faultsIn(await notesOn(call, server, founder), acknowledged)).toEqual(NOTHING_WRONG)
  }
  const total = kept.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  printLine(
    `${what}: ${ROUNDS} rounds, ${many(total)} acknowledged, 0 lost, 0 twice, slowest start ${seconds(slowest)}`,
  )
  expect(total).toBeGreaterThan(0)
  expect(slowest).toBeLessThan(READY_WITHIN_MS)
}

const killServer =
  (settings: Record<string, string>): Kill =>
  async (server) => {
    await server.end('SIGKILL')
    return start(settings)
  }

describe('kill -9 under load loses no acknowledged data, duplicates nothing, and is recovered within 10 s', {
  timeout: PATIENCE_MS,
}, () => {
  it('of the server, on the embedded database', async () => {
    const settings = embedded()
    await killOverAndOver('kill -9 on the embedded database', settings, [killServer(settings)])
  })

  it('of the server, of a connection of PostgreSQL, and of PostgreSQL itself', { tags: 'slow' }, async () => {
    const cluster = await openCluster()
    onTestFinished(() => cluster.stop())
    const url = await cluster.newDatabase()
    const settings = { DATABASE_URL: url }
    const killConnection: Kill = async (server) => {
      const [backend] = await cluster.ask(
        url,
        `select pid from pg_stat_activity where application_name = 'sourcebook' order by random() limit 1`,
      )
      // PostgreSQL then ends every connection and recovers, because a killed backend may have damaged shared memory.
      if (backend) process.kill(Number(backend.pid), 'SIGKILL')
      const isOver = () => cluster.ask(url, `select from pg_stat_activity where pid = ${backend?.pid ?? 0}`)
      await timeUntil(
        () =>
          isOver().then(
            (rows) => rows.length === 0,
            () => false,
          ),
        READY_WITHIN_MS,
        'recovered',
      )
      return server
    }
    const killDatabase: Kill = async (server) => {
      await cluster.end('SIGKILL')
      await cluster.start()
      return server
    }
    await killOverAndOver('kill -9 on PostgreSQL', settings, [killServer(settings), killConnection, killDatabase])
  })
})
