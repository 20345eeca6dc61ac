import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { signIn } from './caller.ts'
import { type Call, callsFor } from './calls.ts'
import { type Measured, measure } from './load.ts'
import { moveCall } from './pipeline-calls.ts'
import { findTerms } from './terms.ts'

/** A running product of some commit. */
export type Side = { url: string; stop: () => Promise<void> }

/** The fellow of the seed who has added most. */
const EMAIL = 'maya.okafor@stanford.edu'

/** Starts the product that is built in a folder. */
export async function startSide(folder: string, settings: Record<string, string>): Promise<Side> {
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', ENRICHMENT_PROVIDERS: 'none', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    server.once('exit', (code) => reject(new Error(`The product in ${folder} ended with ${code}`)))
    server.stdout.on('data', (chunk) => {
      output += chunk
      const [, found] = /running at \S+:(\d+)\n/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const stop = async () => {
    const ended = once(server, 'exit')
    if (server.exitCode === null && server.kill('SIGTERM')) await ended
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

type Options = { pairs: number; seconds: number; only: string; password: string; say: (line: string) => void }

/** Prints for each call how many requests a second `after` does for one of `before`, and its p99, in alternating pairs. */
export async function printRatios(before: Side, after: Side, { pairs, seconds, only, password, say }: Options) {
  const [was, is] = [await prepare(before, password), await prepare(after, password)]
  const compared = was.calls.filter(({ name }) => new RegExp(only).test(name))
  for (const { name } of compared) {
    // The first run of each warms up compilation, caches and the plans of each connection.
    for (const side of [was, is]) await side.measure(name, seconds)
    const measured: [Measured, Measured][] = []
    for (let pair = 0; pair < pairs; pair += 1) {
      if (pair % 2 === 0) measured.push([await was.measure(name, seconds), await is.measure(name, seconds)])
      else
        measured.push(
          [await is.measure(name, seconds), await was.measure(name, seconds)].reverse() as [Measured, Measured],
        )
    }
    const ratioOf = (figure: 'rate' | 'p99') => {
      const [low, median, high] = quartiles(measured.map(([was, is]) => is[figure] / was[figure]))
      return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
    }
    const rateOf = (side: 0 | 1) => quartiles(measured.map((pair) => pair[side].rate))[1].toFixed(0)
    say(`  ${name}: requests/s ${ratioOf('rate')}, ${rateOf(0)} then and ${rateOf(1)} now; p99 ${ratioOf('p99')}`)
  }
}

/** The calls of a side, for its own records. */
async function prepare({ url }: Side, password: string) {
  const caller = await signIn(url, EMAIL, password)
  const idsOf = async (more: string) => (await caller.page(`/api/founders?limit=200${more}`)).rows.map(({ id }) => id)
  const [ids, mine, terms] = await Promise.all([idsOf(''), idsOf('&mine=true'), findTerms(caller)])
  const calls = [...callsFor({ ids, mine, deepPage: '/api/founders', terms }), await moveCall(caller, mine)]
  return {
    calls,
    measure: (name: string, seconds: number) => {
      const { requests } = calls.find((call) => call.name === name) as Call
      return measure(url, { requests, headers: caller.headers, seconds })
    },
  }
}

/** The first quartile, the median and the third quartile. */
function quartiles(values: number[]): [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const place = (sorted.length - 1) * share
    const [below, above] = [sorted[Math.floor(place)] as number, sorted[Math.ceil(place)] as number]
    return below + (above - below) * (place - Math.floor(place))
  }
  return [at(0.25), at(0.5), at(0.75)]
}
