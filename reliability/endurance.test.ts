import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import type { ServerProcess } from '#server/test/server-process.ts'
import { MINUTES, many, PATIENCE_MS, printLine, SEED } from './sizes.ts'
import { type Fault, mixedRequests, send } from './test/traffic.ts'
import { embedded, newFolder, openCluster, start } from './test/worlds.ts'
import { newFounder } from './test/writers.ts'

const A_SECOND = 50
/** Founders that notes are written on. */
const WRITTEN_ON = Math.min(100, SEED / 10)
/** Caches fill, code is compiled, and the heap reaches its size. Growth in this time is not a leak. */
const WARM_UP_SHARE = 1 / 3
/** Below this duration, memory and latency say more about the machine than about the product. */
const TELLING_MINUTES = 20

type Sample = { atMinute: number; mb: number }

/** The live memory after collection, in each thread of the server. */
const HELD = new URL('./test/held.mjs', import.meta.url).href
const HELD_EVERY_MS = Math.min(60_000, MINUTES * 10_000)

const residentMb = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** MB per hour, from a linear fit. */
function slopeOf(samples: Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(samples.map(({ atMinute }) => atMinute))
  const mb = mean(samples.map((sample) => sample.mb))
  const spread = samples.reduce((sum, { atMinute }) => sum + (atMinute - minute) ** 2, 0)
  return (60 * samples.reduce((sum, sample) => sum + (sample.atMinute - minute) * (sample.mb - mb), 0)) / spread
}

/** Fills the database beyond PostgreSQL's cache first, so that a filling cache does not look like a leak. */
async function startSeeded(settings: Record<string, string>) {
  const size = { founders: SEED, companies: SEED / 5, notes: 2 * SEED, fellows: 40 }
  const options = Object.entries(size).flatMap(([name, number]) => [`--${name}`, String(number)])
  await promisify(execFile)(process.execPath, ['scripts/seed.ts', ...options], { env: { ...process.env, ...settings } })
  const heldFile = join(newFolder(), 'held')
  const held = { HELD_FILE: heldFile, HELD_EVERY_MS: String(HELD_EVERY_MS) }
  const server = await start({ ...settings, ...held }, ['--import', HELD])
  return { server, heldFile }
}

/** The memory of each thread from a time on, in MB. */
function readHeld(file: string, since: number): Sample[][] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const samples = lines.map((line) => line.split(' ').map(Number)) as [number, number, number][]
  const warm = samples.filter(([at]) => at >= since)
  const byThread = Map.groupBy(warm, ([, thread]) => thread).values()
  return [...byThread].map((some) => some.map(([at, , bytes]) => ({ atMinute: at / 60_000, mb: bytes / 1_048_576 })))
}

/**
 * Sends mixed requests at an even rate, without waiting for responses, and samples the process at the same time.
 */
async function endure(server: ServerProcess, heldFile: string) {
  const client = caller()
  await client.join(server)
  // The records of the seed belong to others, so the caller cannot edit them.
  const founders: string[] = []
  while (founders.length < WRITTEN_ON)
    founders.push(await newFounder(client.call, server, `Founder ${founders.length}`))

  const samples: (Sample & { descriptors: number })[] = []
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
  const held = readHeld(heldFile, began + MINUTES * WARM_UP_SHARE * 60_000)
  return { warm, held, faults, requests: took.length, p50: at(0.5), p99: at(0.99) }
}

// Reads the memory of a process from /proc, which only Linux has.
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
    const { server, heldFile } = await startSeeded(await settings())
    const { warm, held, faults, requests, p50, p99 } = await endure(server, heldFile)
    const memory = warm.map(({ mb }) => mb)
    const heldMb = held.reduce((sum, samples) => sum + (samples.at(-1)?.mb ?? 0), 0)
    const heldSlope = held.reduce((sum, samples) => sum + slopeOf(samples), 0)
    const descriptors = warm.map((sample) => sample.descriptors)
    const half = Math.ceil(descriptors.length / 2)
    const least = [descriptors.slice(0, half), descriptors.slice(half)].map((some) => Math.min(...some)) as [
      number,
      number,
    ]
    printLine(
      `${MINUTES} minutes on ${name}: ${many(requests)} requests, ${faults.length} failed, p50 ${p50} ms, p99 ${p99} ms; ` +
        `holds ${Math.round(heldMb)} MB in ${held.length} threads, ${heldSlope.toFixed(1)} MB more an hour; takes ` +
        `${Math.round(Math.min(...memory))} to ${Math.round(Math.max(...memory))} MB, ${slopeOf(warm).toFixed(1)} MB more an hour; ` +
        `at least ${least.join(', then ')} open files`,
    )
    expect(faults).toEqual([])
    expect(held).toHaveLength(1)
    if (MINUTES < TELLING_MINUTES) return
    expect(heldSlope).toBeLessThan(5)
    // Engines release freed memory late, so the memory of the process fluctuates.
    expect(Math.max(...memory)).toBeLessThan(1.5 * Math.min(...memory))
    expect(p99).toBeLessThan(500)
    // Callers open more connections while responses are late, and close them a minute later.
    expect(least[1] - least[0]).toBeLessThan(20)
  })
})
