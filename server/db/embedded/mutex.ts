/** Proof that its holder acquired the database. */
export type Ticket = symbol

export type Mutex = ReturnType<typeof createMutex>

/**
 * Decides who may post to the database, first come, first served. Single statements follow each other without waiting. A
 * transaction has the database to itself until it releases it. While the mutex is paused, all of them wait.
 */
export function createMutex() {
  const queue: Array<() => void> = []
  let holder: Ticket | undefined
  let isPaused = false

  const isFree = () => holder === undefined && !isPaused

  function advance() {
    while (isFree()) {
      const next = queue.shift()
      if (!next) return
      next()
    }
  }

  return {
    /** Calls `post` as soon as it may post: immediately when the queue is empty. */
    enqueue(post: () => void): void {
      if (isFree() && queue.length === 0) post()
      else queue.push(post)
    },

    /** Waits until the caller has the database to itself. */
    acquire(): Promise<Ticket> {
      const ticket = Symbol('ticket')
      return new Promise((resolve) => {
        queue.push(() => {
          holder = ticket
          resolve(ticket)
        })
        advance()
      })
    },

    /** Releasing twice, or after `pause()`, is a no-op. */
    release(ticket: Ticket): void {
      if (ticket !== holder) return
      holder = undefined
      advance()
    },

    /** Takes the database from its holder. */
    pause(): void {
      holder = undefined
      isPaused = true
    },

    resume(): void {
      isPaused = false
      advance()
    },
  }
}
