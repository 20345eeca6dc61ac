import { PASSWORD } from '#server/test/factories.ts'
import { signIn } from './caller.ts'
import type { Call } from './calls.ts'
import { findingCalls, plainList, type Selection, selections } from './finding-calls.ts'
import { CONNECTIONS, type Measured, measure } from './load.ts'
import { bulkCalls } from './pipeline-calls.ts'
import { startProduct } from './product.ts'
import { measureHandOver, programmeCalls } from './programme-calls.ts'
import { findTerms } from './terms.ts'
import { measurePalette } from './web.ts'
import type { World } from './world.ts'

// Measures record pages, filters, sorts and all pairs of them, the further searches and the palette. Ten accounts have
// one connection each. The plain list is measured again and again in between, because only the ratio to it can be compared
// with another run.

/** `list` is the plain list next to it. */
type Found = Measured & { list: Measured }
export type FindingReport = {
  database: string
  calls: ({ name: string } & Found)[]
  selections: (Omit<Selection, 'requests'> & Found)[]
  /** Milliseconds from the last key to the first record in the palette, in a browser. */
  palette: { median: number; longest: number } | undefined
  /** A fellow leaves, and another one takes over their records. */
  handOver: { records: number; ms: number }
}

type Options = { seconds: number; withWeb: boolean; only: string | undefined; say: (line: string) => void }

const CALLS_BETWEEN_LISTS = 5

export async function measureFinding(
  database: string,
  settings: Record<string, string>,
  { email, emails, manager: managerEmail }: World,
  { seconds, withWeb, only, say }: Options,
): Promise<FindingReport> {
  const product = await startProduct({ ...settings, LOG_LEVEL: 'silent' })
  try {
    const callers = await Promise.all(tenOf(emails).map((one) => signIn(product.url, one, PASSWORD)))
    const headers = callers.map(({ headers }) => headers)
    const caller = await signIn(product.url, email, PASSWORD)
    const askAs = async ({ requests }: Call, sender: { headers: typeof headers; connections?: number }) => {
      // The first requests of a kind plan its statements.
      await measure(product.url, { requests, ...sender, seconds: 0 })
      return measure(product.url, { requests, ...sender, seconds })
    }
    // A cohort belongs to the account that got it.
    const ownHeaders = [caller.headers]
    const isOwn = ({ requests }: Call) => requests.some(({ path }) => path.includes('cohort='))
    const ask = (call: Call) => askAs(call, { headers: isOwn(call) ? ownHeaders : headers })
    let list = await ask(plainList)
    let measured = 0
    const measureAll = async <Of extends Call>(calls: Of[], askOne: (call: Call) => Promise<Measured> = ask) => {
      const found: (Omit<Of, 'requests'> & Found)[] = []
      for (const { requests, ...call } of calls) {
        if (requests.length === 0 || (only !== undefined && !new RegExp(only).test(call.name))) continue
        if (measured++ % CALLS_BETWEEN_LISTS === 0) list = await ask(plainList)
        const one = { ...call, ...(await askOne({ name: call.name, requests })), list }
        found.push(one)
        say(`  ${call.name}: p99 ${one.p99.toFixed(0)} ms, list ${list.p99.toFixed(0)} ms`)
      }
      return found
    }
    // The calls end with those that write.
    const terms = await findTerms(caller)
    const calls = await findingCalls(caller, terms)
    const measuredPairs = await measureAll(await selections(caller, terms, emails))
    const palette = withWeb ? await measurePalette(product.url, email, PASSWORD) : undefined
    const manager = await signIn(product.url, managerEmail, PASSWORD)
    const asManager = (call: Call) => askAs(call, { headers: [manager.headers], connections: 1 })
    const measuredCalls = [
      ...(await measureAll(calls)),
      ...(await measureAll([...(await bulkCalls(caller)), ...programmeCalls], asManager)),
    ]
    const handOver = await measureHandOver(manager, emails, managerEmail)
    say(`  ${handOver.records} records handed over in ${(handOver.ms / 1000).toFixed(1)} s`)
    return { database, selections: measuredPairs, calls: measuredCalls, palette, handOver }
  } finally {
    await product.end('SIGTERM')
  }
}

/** Some who have added much, and some who have added little. */
const tenOf = (emails: string[]) => [...emails.slice(0, CONNECTIONS / 2), ...emails.slice(-CONNECTIONS / 2)]
