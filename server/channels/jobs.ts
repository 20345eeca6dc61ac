import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { createPoster } from './post.ts'
import { type ChannelOptions, sendChannels } from './send.ts'

const EVERY_MS = 300_000

/** Looks every five minutes what is due. Of several processes, one claims a message. */
export function createChannelJobs({
  db,
  ...options
}: Omit<ChannelOptions, 'settings'> & { db: Database; settings: Settings }) {
  const stopping = new AbortController()
  const post = createPoster(options.settings, options.log)
  let working: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const work = () => {
    working = sendChannels(db, post, new Date(), { ...options, signal: stopping.signal }).catch((error) =>
      options.log.warn({ err: error }, 'Messages to channels could not be sent; the next run tries again'),
    )
  }

  return {
    start(): void {
      if (!options.settings.isSendingOff) timer ??= setInterval(work, EVERY_MS).unref()
    },

    /** Waits for messages that are on their way. */
    async close(): Promise<void> {
      stopping.abort()
      clearInterval(timer)
      await working
    },
  }
}
