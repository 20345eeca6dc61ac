import { busy } from './errors.ts'

export type Limiter = ReturnType<typeof createLimiter>

/**
 * Runs `atOnce` pieces of work at a time; the others wait, first come, first served. Beyond `waitingMax`, beyond
 * `waitingMaxOfOne` for the same owner, or after `withinMs`, work is refused with a 503 and Retry-After.
 */
export function createLimiter({
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

  return async function limit<Result>(work: () => Promise<Result>, owner?: string): Promise<Result> {
    if (running >= atOnce) {
      if (isFull(owner)) throw busy(1)
      // Finished work hands its place to the next, so `running` stays the same.
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
