import { busy } from './errors.ts'

/**
 * Lets `atOnce` pieces of work run at a time and the others wait, first come, first served. Beyond `waitingMax` a turn
 * throws the 503 that asks to come back.
 */
export function openTurns({ atOnce, waitingMax = Number.POSITIVE_INFINITY }: { atOnce: number; waitingMax?: number }) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function turn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw busy(1)
      // The turn is handed over by the one that ends, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
