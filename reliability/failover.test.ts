import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { readFeed } from '#server/feed/feed.ts'
import { openAt } from '#server/feed/test/own-server.ts'
import { waitForFeed } from '#server/feed/test/reader.ts'
import { makeFounder } from '#server/test/factories.ts'
import { FAILOVERS, PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { openPair } from './test/pair.ts'
import { twoServers } from './test/two-servers.ts'

const ANSWERED_WITHIN_MS = within(5_000)
const BACK_WITHIN_MS = within(10_000)
/** PostgreSQL keeps the locks of a connection that was lost without an end for 15 s. */
const BACK_FROM_LOSS_WITHIN_MS = within(25_000)

type Pair = Awaited<ReturnType<typeof openPair>>
/** Ends once the database can be written again. */
type Trouble = (pair: Pair) => Promise<void>

describe('Two servers on a primary with a synchronous standby lose and duplicate nothing, end no session, and write again', {
  timeout: PATIENCE_MS,
}, () => {
  it.each<[string, Trouble, number?]>([
    ['killed, and replaced by its standby', (pair) => pair.kill()],
    ['frozen, and replaced by its standby', (pair) => pair.freeze()],
    ['unreachable for a while', (pair) => pair.cut(), BACK_FROM_LOSS_WITHIN_MS],
    ['stopped, and replaced by its standby', (pair) => pair.switchOver()],
    ['replaced for a while by a server that only reads', (pair) => pair.demote()],
  ])('when the primary is %s', async (what, trouble, withinMs = BACK_WITHIN_MS) => {
    const pair = await openPair()
    onTestFinished(() => pair.close())
    const { goOn, end } = await twoServers(pair.settings)
    let slowestBack = 0
    for (let round = 0; round < FAILOVERS; round += 1) {
      if (!pair.isWhole()) await goOn(() => pair.renewStandby(), BACK_WITHIN_MS)
      await pause(Math.random() * 1_000)
      slowestBack = Math.max(slowestBack, await goOn(() => trouble(pair), withinMs))
    }
    const { acknowledged, slowestMs, line } = await end()
    printLine(`Primary ${what}: ${FAILOVERS} times, ${line}, writing again after ${seconds(slowestBack)} at most`)
    expect(acknowledged).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThan(ANSWERED_WITHIN_MS)
  })
})

it('A reader of the feed starts over after a failover, then has every entry once, and goes on', {
  timeout: PATIENCE_MS,
}, async () => {
  const pair = await openPair()
  onTestFinished(() => pair.close())
  const database = openAt(pair.settings.DATABASE_URL)
  onTestFinished(() => database.close())
  const { db } = database
  await migrate(db)
  const add = async () => {
    const { id } = await makeFounder(db)
    await waitForFeed(db)
    return { event: 'founder.created', record: id }
  }
  const before = await add()
  const { next } = await readFeed(db, undefined, 500)
  await pair.kill()
  await expect
    .poll(() => readFeed(db, next, 500).catch((error) => error.answer?.code), { timeout: BACK_WITHIN_MS })
    .toBe('start_over')
  const begun = await readFeed(db, undefined, 500)
  expect(begun.entries).toMatchObject([before])
  await pair.renewStandby()
  const after = await add()
  expect((await readFeed(db, begun.next, 500)).entries).toMatchObject([after])
})
