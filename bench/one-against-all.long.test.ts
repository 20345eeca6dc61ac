import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#server/test/factories.ts'
import { show } from '#server/test/figures.ts'
import { type PostgresServer, startPostgres } from '#server/test/postgres-server.ts'
import { type Caller, signIn } from './caller.ts'
import { type Attack, addHeavyParts, attacksOn, measureBeside } from './one-against-all.ts'
import { type Product, startProduct } from './product.ts'
import { loadPostgres, openWorld } from './world.ts'

// `LONG=1`, or `npm run test:long -- measured`. Everything is on this machine, and ends with this run.

const FOUNDERS = Number(process.env.FOUNDERS ?? 100_000)
const SECONDS = Number(process.env.SECONDS ?? 120)
const SLOWEST_MS = 1_000
const KINDS = 7

let postgres: PostgresServer
let product: Product
let attacks: Attack[]
let other: Caller
let attacker: Caller
beforeAll(async () => {
  postgres = await startPostgres({ durable: true, overNetwork: true })
  const place = { DATABASE_URL: postgres.url('postgres') }
  const { email, manager } = await loadPostgres(place.DATABASE_URL, FOUNDERS, show)
  const database = await openWorld(place)
  attacks = attacksOn(await addHeavyParts(database.db, manager))
  await database.close()
  product = await startProduct({ ...place, LOG_LEVEL: 'silent' })
  other = await signIn(product.url, email, PASSWORD)
  attacker = await signIn(product.url, manager, PASSWORD)
}, 3_600_000)
afterAll(async () => {
  await product?.end('SIGKILL')
  await postgres?.stop()
})

describe(`Six heavy calls of one fellow at a time among ${FOUNDERS} founders`, () => {
  it.each(Array.from({ length: KINDS }, (_, at) => at))(
    'do not make another fellow wait a second for a list: kind %i',
    async (at) => {
      const attack = attacks[at] as Attack
      const waits = await measureBeside(product.url, attack, { attackers: [attacker], other, seconds: SECONDS })
      const [p50, p99, max] = [waits.p50, waits.p99, waits.max].map((ms) => ms.toFixed(0))
      show(
        `${waits.name}: another's list p50 ${p50} ms, p99 ${p99} ms, slowest ${max} ms of ${waits.lists}; ${waits.served} calls served, ${waits.failed} failed`,
      )
      expect(waits.served).toBeGreaterThan(0)
      expect(waits.failed).toBe(0)
      expect(waits.max).toBeLessThanOrEqual(SLOWEST_MS)
    },
    SECONDS * 1000 + 120_000,
  )
})
