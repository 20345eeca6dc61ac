import { busy } from './errors.ts'

export type Limiter = ReturnType<typeof createLimiter>

type Place = { begin: () => void; giveUp: () => void; owner: string | undefined }

/**
 * Runs `atOnce` pieces of work at a time; the others wait, first come, first served. Work is refused with a 503 and
 * Retry-After beyond `waitingMax`, after `withinMs`, and beyond the share of its owner: `waitingMaxOfOne`, or
 * `sharedMaxOfOne` while other owners wait. An owner with more than that gives up its newest place when the queue is
 * full.
 */
export function createLimiter({
  atOnce,
  waitingMax = Number.POSITIVE_INFINITY,
  waitingMaxOfOne = waitingMax,
  sharedMaxOfOne = waitingMaxOfOne,
  withinMs,
}: {
  atOnce: number
  waitingMax?: number
  waitingMaxOfOne?: number
  sharedMaxOfOne?: number
  withinMs?: number
}) {
  const waiting: Place[] = []
  let running = 0

  const wait = (owner: string | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        clearTimeout(timer)
        waiting.splice(waiting.indexOf(place), 1)
        reject(busy(1))
      }
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs)
      const place = { begin, giveUp, owner }
      waiting.push(place)
    })

  const placesOf = (owner: string | undefined) => waiting.filter((place) => place.owner === owner).length

  function refuseWhileFull(owner: string | undefined) {
    const own = placesOf(owner)
    const isAlone = own === waiting.length
    if (own >= (isAlone ? waitingMaxOfOne : sharedMaxOfOne)) throw busy(1)
    if (waiting.length < waitingMax) return
    const surplus = waiting.findLast((place) => placesOf(place.owner) > sharedMaxOfOne)
    if (surplus === undefined) throw busy(1)
    surplus.giveUp()
  }

  return async function limit<Result>(work: () => Promise<Result>, owner?: string): Promise<Result> {
    if (running >= atOnce) {
      refuseWhileFull(owner)
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
