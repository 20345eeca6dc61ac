import { setTimeout as pause } from 'node:timers/promises'
import { residentMb } from '#server/test/resident.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'

/** The product in a separate process, and the cost of its start. */
export type Product = ServerProcess & {
  startMs: number
  /** Memory of the process and those that it has started, in MB. */
  memory: () => number
}

export async function startProduct(settings: Record<string, string>): Promise<Product> {
  const began = performance.now()
  const server = await startServer({ settings })
  await answers(`${server.url}/readyz`)
  const startMs = performance.now() - began
  return { ...server, startMs, memory: () => residentMb(server.pid) }
}

const answers = async (url: string) => {
  while (!(await fetch(url)).ok) await pause(20)
}

/** The highest value of `sample` while something runs. */
export async function peakOf<Result>(sample: () => number, work: Promise<Result>): Promise<number> {
  let peak = sample()
  const watch = setInterval(() => {
    peak = Math.max(peak, sample())
  }, 200)
  try {
    await work
  } finally {
    clearInterval(watch)
  }
  return peak
}
