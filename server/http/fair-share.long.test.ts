import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/ops/settings.ts'
import { quantile, show, timed } from '#server/test/figures.ts'
import { caller } from '#server/test/http-caller.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'
import { loadLargeWorld, STATEMENT_TIMEOUT_MS } from '../../scripts/seed/load-large-world.ts'

const FOUNDERS = Number(process.env.FOUNDERS ?? 50_000)
const CONNECTIONS = 100
const SECONDS = Number(process.env.SECONDS ?? 15)

let server: ServerProcess
const [greedy, other] = [caller(), caller()]
beforeAll(async () => {
  const place = await freshDatabaseSettings()
  const settings = {
    ...readSettings({ ...place, ENRICHMENT_PROVIDERS: 'none' }),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  }
  const database = await openDatabase(settings, quietLog, (reason) => {
    throw reason
  })
  await loadLargeWorld(database, { founders: FOUNDERS, companies: 1000, notes: 1000, fellows: 8 })
  await database.close()
  server = await startServer({ settings: place })
  await greedy.join(server, 'greedy@mit.edu')
  await other.join(server, 'other@mit.edu')
}, 1_200_000)
afterAll(() => server?.end('SIGKILL'))

const LETTERS = Array.from({ length: 190 }, (_, at) => 'etaoin shrdlu'[at % 13]).join('')
const LOADS: [what: string, paths: string[]][] = [
  ['limit=500', ['/founders?limit=500']],
  ['similar with 190 letters', [`/founders/similar?name=${encodeURIComponent(LETTERS)}`]],
  ['export', ['/founders/export?mine=true', '/founders/export?mine=true&format=jsonl']],
  [
    'all of these and search',
    [
      '/founders?limit=500',
      `/founders/similar?name=${encodeURIComponent(LETTERS)}`,
      '/founders/export?mine=true',
      '/founders?limit=500&search=e',
    ],
  ],
]

/** Sends one request on a connection of the agent, and reads its response. */
const read = (agent: Agent, path: string) =>
  new Promise<number>((resolve) => {
    get(`${server.url}/api${path}`, { agent, headers: greedy.headers() }, (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode ?? 0))
    }).on('error', () => resolve(0))
  })

describe(`100 connections of one fellow among ${FOUNDERS} founders`, () => {
  it.each(LOADS)(
    'do not make another fellow wait two seconds for a list: %s',
    async (what, paths) => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
      const until = Date.now() + SECONDS * 1000
      const statuses: number[] = []
      const waits: number[] = []
      const load = Array.from({ length: CONNECTIONS }, async (_, at) => {
        for (let round = at; Date.now() < until; round += 1) {
          statuses.push(await read(agent, paths[round % paths.length] as string))
        }
      })
      await pause(500)
      while (Date.now() < until) {
        const { ms, result } = await timed(async () => {
          const answer = await other.call(server, 'GET', '/founders')
          await answer.text()
          return answer.status
        })
        expect(result).toBe(200)
        waits.push(ms)
        await pause(50)
      }
      agent.destroy()
      await Promise.all(load)
      const served = statuses.filter((status) => status === 200).length
      show(
        `${what}: ${served} served to one fellow; another's list p50 ${quantile(waits, 0.5).toFixed(0)} ms, slowest ${Math.max(...waits).toFixed(0)} ms of ${waits.length}`,
      )
      expect(statuses.filter((status) => ![0, 200].includes(status))).toEqual([])
      expect(Math.max(...waits)).toBeLessThan(2_000)
    },
    SECONDS * 1000 + 60_000,
  )
})
