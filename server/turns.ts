import { busy } from './errors.ts'

export type Turn = ReturnType<typeof openTurns>

/**
 * Lets `atOnce` pieces of work run at a time and the others wait, first come, first served. Beyond `waitingMax`, beyond
 * `waitingMaxOfOne` for the same owner, or after `withinMs`, a turn throws the 503 that asks to come back.
 */
export function openTurns({
  atOnce,
  waitingMax = Number.POSITIVE_INFINITY,
  waitingMaxOfOne = waitingMax,
  withinMs,
}: {
  atOnce: number
  waitingMax?: number
  waitingMaxOfOne?: number
  withinMs?: number
}) {
  const waiting: { begin: () => void; owner: string | undefined }[] = []
  let running = 0

  const wait = (owner: string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(place), 1)
        reject(busy(1))
      }
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs)
      const place = { begin, owner }
      waiting.push(place)
    })

  const isFull = (owner: string | undefined) =>
    waiting.length >= waitingMax ||
    (owner !== undefined && waiting.filter((place) => place.owner === owner).length >= waitingMaxOfOne)

  return async function turn<Result>(work: () => Promise<Result>, owner?: string): Promise<Result> {
    if (running >= atOnce) {
      if (isFull(owner)) throw busy(1)
      // The turn is handed over by the one that ends, so `running` stays as it is.
      await wait(owner)
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next.begin()
      else running -= 1
    }
  }
}
