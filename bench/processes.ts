import { PASSWORD } from '#server/test/factories.ts'
import { signIn } from './caller.ts'
import type { Call } from './calls.ts'
import { CONNECTIONS, type Measured, measure } from './load.ts'
import { type Product, startProduct } from './product.ts'

/** The number of processes on one database, the connections of each, and their combined throughput. */
export type ProcessesReport = { processes: number; pool: number; memoryMb: number; calls: Record<string, Measured> }[]

const SETUPS = [
  { processes: 1, pool: 2 },
  { processes: 1, pool: 10 },
  { processes: 1, pool: 20 },
  { processes: 2, pool: 10 },
  { processes: 4, pool: 5 },
]
/** For a run that only shows that everything still runs. */
const SETUPS_SHORT = [{ processes: 2, pool: 5 }]
/** One call that hardly uses the database, the most frequent one, an expensive one, and one that writes. */
const ASKED = ['me', 'list', 'search, common', 'add a note']

/**
 * The same load on several processes, each with its share of the connections. Shows the gain of one more process here.
 */
export async function measureProcesses(
  url: string,
  email: string,
  calls: Call[],
  seconds: number,
): Promise<ProcessesReport> {
  const report: ProcessesReport = []
  for (const { processes, pool } of seconds === 0 ? SETUPS_SHORT : SETUPS) {
    const settings = { DATABASE_URL: url, DATABASE_POOL: String(pool), LOG_LEVEL: 'silent' }
    const products: Product[] = []
    try {
      while (products.length < processes) products.push(await startProduct(settings))
      const { headers } = await signIn((products[0] as Product).url, email, PASSWORD)
      const askAll = async ({ requests }: Call, duration: number) =>
        together(
          await Promise.all(
            products.map((product) =>
              measure(product.url, {
                requests,
                headers,
                seconds: duration,
                connections: Math.ceil((2 * CONNECTIONS) / processes),
              }),
            ),
          ),
        )
      const measured: Record<string, Measured> = {}
      for (const call of calls.filter(({ name }) => ASKED.includes(name))) {
        if (seconds > 0) await askAll(call, Math.min(1, seconds))
        measured[call.name] = await askAll(call, seconds)
      }
      const memoryMb = products.reduce((sum, product) => sum + product.memory(), 0)
      report.push({ processes, pool, memoryMb, calls: measured })
    } finally {
      for (const product of products) await product.end('SIGTERM')
    }
  }
  return report
}

/** The results of several generators at the same time: the sum of their rates, and the slowest times. */
const together = (parts: Measured[]): Measured => ({
  rate: parts.reduce((sum, { rate }) => sum + rate, 0),
  p50: Math.max(...parts.map(({ p50 }) => p50)),
  p99: Math.max(...parts.map(({ p99 }) => p99)),
})
