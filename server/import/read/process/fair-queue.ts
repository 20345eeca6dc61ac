import { busy } from '#server/http/errors.ts'

export type Turns = ReturnType<typeof createFairQueue>

/**
 * Does one piece of work at a time. Owners take turns, however many pieces one of them has waiting. Work with a
 * `waitingMax` is refused with a 503 when its owner already has that many waiting.
 */
export function createFairQueue() {
  const waiting: { owner: string; begin: () => void }[] = []
  /** When each owner had its last turn, counted in turns. */
  const servedAt = new Map<string, number>()
  let turns = 0
  let isTaken = false

  function next() {
    let first = 0
    for (const [at, { owner }] of waiting.entries()) {
      if ((servedAt.get(owner) ?? 0) < (servedAt.get(waiting[first]?.owner ?? '') ?? 0)) first = at
    }
    return waiting.splice(first, 1)[0]
  }

  return async function run<Result>(
    owner: string,
    work: () => Promise<Result>,
    waitingMax = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    if (isTaken) {
      if (waiting.filter((one) => one.owner === owner).length >= waitingMax) throw busy(5)
      await new Promise<void>((begin) => waiting.push({ owner, begin }))
    }
    isTaken = true
    turns += 1
    servedAt.set(owner, turns)
    try {
      return await work()
    } finally {
      const one = next()
      if (one) one.begin()
      else {
        isTaken = false
        servedAt.clear()
      }
    }
  }
}
