import { RING_PAUSE_SECONDS } from '#contract/webhooks.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { createRinger } from './ring.ts'
import { type RingOptions, ringWebhooks } from './send.ts'

/** Looks every two seconds whether there is something new. Of several processes, one rings. */
export function createWebhookJobs({
  db,
  ...options
}: Omit<RingOptions, 'settings'> & { db: Database; settings: Settings }) {
  const send = createRinger(options.settings, options.log)
  const rings = new Set<Promise<unknown>>()
  let looking: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    for (const ring of await ringWebhooks(db, send, () => new Date(), options)) {
      rings.add(ring)
      void ring.finally(() => rings.delete(ring))
    }
  }
  const work = () => {
    looking ??= look()
      .catch((error) => options.log.warn({ err: error }, 'Webhooks could not be looked at; the next look tries again'))
      .finally(() => {
        looking = undefined
      })
  }

  return {
    start(): void {
      if (!options.settings.isSendingOff) timer ??= setInterval(work, RING_PAUSE_SECONDS * 1_000).unref()
    },

    /** Waits for rings that are on their way. */
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
      await Promise.all(rings)
    },
  }
}
