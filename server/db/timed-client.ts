import pg from 'pg'
import { hasSubscribers, publish } from '#server/telemetry.ts'

/**
 * Publishes how long each statement took, while there are subscribers. A pool queries with a callback, a transaction
 * with a promise.
 */
export class TimedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen ways of being called, and all pass through here
  override query(...given: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const ask = (super.query as any).bind(this)
    if (!hasSubscribers('statement')) return ask(...given)
    const began = performance.now()
    const ended = () => publish('statement', { seconds: (performance.now() - began) / 1000 })
    const callback = given.at(-1)
    if (typeof callback === 'function') {
      return ask(...given.slice(0, -1), (...answer: unknown[]) => {
        ended()
        callback(...answer)
      })
    }
    const asked = ask(...given)
    if (asked instanceof Promise) asked.then(ended, ended)
    return asked
  }
}
