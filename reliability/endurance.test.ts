import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import type { ServerProcess } from '#server/test/server-process.ts'
import { MINUTES, many, PATIENCE_MS, SEED, tell } from './sizes.ts'
import { type Fault, mixedRequests, send } from './test/traffic.ts'
import { embedded, openCluster, start } from './test/worlds.ts'
import { newFounder } from './test/writers.ts'

const A_SECOND = 50
/** Founders that are written on. */
const WRITTEN_ON = 100
/** Caches fill, code is compiled, the heap finds its size: what is taken then is not what leaks. */
const WARM_UP_SHARE = 1 / 3
/** Below this many minutes memory and tail say more of the machine than of the product. */
const TELLING_MINUTES = 20

type Sample = { atMinute: number; mb: number; descriptors: number }

const residentMb = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** MB an hour, of the straight line that fits best. */
function slopeOf(samples: Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(samples.map(({ atMinute }) => atMinute))
  const mb = mean(samples.map((sample) => sample.mb))
  const spread = samples.reduce((sum, { atMinute }) => sum + (atMinute - minute) ** 2, 0)
  return (60 * samples.reduce((sum, sample) => sum + (sample.atMinute - minute) * (sample.mb - mb), 0)) / spread
}

/** Fills the database first: more than PostgreSQL keeps in memory, so that what it keeps is not taken for a leak. */
async function startSeeded(settings: Record<string, string>) {
  const size = { founders: SEED, companies: SEED / 5, notes: 2 * SEED, fellows: 40 }
  const options = Object.entries(size).flatMap(([name, number]) => [`--${name}`, String(number)])
  await promisify(execFile)(process.execPath, ['scripts/seed.ts', ...options], { env: { ...process.env, ...settings } })
  return start(settings)
}

/** Sends mixed requests at an even pace, whether or not earlier ones are answered, and samples the process meanwhile. */
async function endure(server: ServerProcess) {
  const client = caller()
  await client.join(server)
  // Records of the seed are for others to edit.
  const founders: string[] = []
  while (founders.length < WRITTEN_ON)
    founders.push(await newFounder(client.call, server, `Founder ${founders.length}`))

  const samples: Sample[] = []
  const took: number[] = []
  const faults: Fault[] = []
  const underWay = new Set<Promise<void>>()
  const next = mixedRequests(founders, 0)
  const began = Date.now()
  const minutes = () => (Date.now() - began) / 60_000
  for (let sent = 0; minutes() < MINUTES; sent += 1) {
    await pause(Math.max(0, began + (sent * 1_000) / A_SECOND - Date.now()))
    const one = send(client, server, next.next().value).then(({ tookMs, fault }) => {
      took.push(tookMs)
      if (fault) faults.push(fault)
      underWay.delete(one)
    })
    underWay.add(one)
    if (sent % (A_SECOND * Math.max(0.2, MINUTES / 6)) < 1) {
      const descriptors = readdirSync(`/proc/${server.pid}/fd`).length
      samples.push({ atMinute: minutes(), mb: residentMb(server.pid), descriptors })
    }
  }
  await Promise.all(underWay)
  const warm = samples.filter(({ atMinute }) => atMinute >= MINUTES * WARM_UP_SHARE)
  took.sort((one, other) => one - other)
  const at = (share: number) => Math.round(took[Math.floor(took.length * share)] ?? 0)
  return { warm, faults, requests: took.length, slope: slopeOf(warm), p50: at(0.5), p99: at(0.99) }
}

// The memory of a process is read from /proc, which only Linux has.
describe.runIf(process.platform === 'linux')('At 50 requests a second', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['the embedded database', async () => embedded()],
    [
      'PostgreSQL',
      async () => {
        const cluster = await openCluster()
        onTestFinished(() => cluster.stop())
        return { DATABASE_URL: await cluster.newDatabase() }
      },
    ],
  ])('memory stays flat and nothing fails, on %s', async (name, settings) => {
    const server = await startSeeded(await settings())
    const { warm, faults, requests, slope, p50, p99 } = await endure(server)
    const memory = warm.map(({ mb }) => mb)
    const descriptors = warm.map((sample) => sample.descriptors)
    tell(
      `${MINUTES} minutes on ${name}: ${many(requests)} requests, ${faults.length} failed, p50 ${p50} ms, p99 ${p99} ms, ` +
        `memory ${Math.round(Math.min(...memory))} to ${Math.round(Math.max(...memory))} MB, ${slope.toFixed(1)} MB an hour, ` +
        `${Math.min(...descriptors)} to ${Math.max(...descriptors)} open files`,
    )
    expect(faults).toEqual([])
    if (MINUTES < TELLING_MINUTES) return
    expect(slope).toBeLessThan(5)
    expect(p99).toBeLessThan(500)
    expect(Math.max(...descriptors) - Math.min(...descriptors)).toBeLessThan(50)
  })
})
