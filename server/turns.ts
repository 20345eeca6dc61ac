import { busy } from './errors.ts'

export type Turn = ReturnType<typeof openTurns>

/**
 * Lets `atOnce` pieces of work run at a time and the others wait, first come, first served. Beyond `waitingMax`, or after
 * `withinMs`, a turn throws the 503 that asks to come back.
 */
export function openTurns({
  atOnce,
  waitingMax = Number.POSITIVE_INFINITY,
  withinMs,
}: {
  atOnce: number
  waitingMax?: number
  withinMs?: number
}) {
  const waiting: (() => void)[] = []
  let running = 0

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(busy(1))
      }
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs)
      waiting.push(begin)
    })

  return async function turn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw busy(1)
      // The turn is handed over by the one that ends, so `running` stays as it is.
      await wait()
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
