/** The right to use the database alone. */
export type Turn = symbol

export type Turns = ReturnType<typeof createTurns>

/**
 * Who may post to the database, first come, first served: single statements follow each other without waiting, a
 * transaction has the database to itself until it leaves, and nobody gets on while it is stopped.
 */
export function createTurns() {
  const queue: Array<() => void> = []
  let holder: Turn | undefined
  let stopped = false

  const isFree = () => holder === undefined && !stopped

  function advance() {
    while (isFree()) {
      const next = queue.shift()
      if (!next) return
      next()
    }
  }

  return {
    /** Calls `post` as soon as it may post: at once when nobody is ahead. */
    pass(post: () => void): void {
      if (isFree() && queue.length === 0) post()
      else queue.push(post)
    },

    /** Waits until the database is the caller's alone, until it leaves. */
    take(): Promise<Turn> {
      const turn = Symbol('turn')
      return new Promise((resolve) => {
        queue.push(() => {
          holder = turn
          resolve(turn)
        })
        advance()
      })
    },

    /** A second leave, or one that comes after a stop, is nothing. */
    leave(turn: Turn): void {
      if (turn !== holder) return
      holder = undefined
      advance()
    },

    /** Takes the turn from whoever has it. */
    stop(): void {
      holder = undefined
      stopped = true
    },

    goOn(): void {
      stopped = false
      advance()
    },
  }
}
