import type { Database } from '#server/db/database.ts'
import type { Queue } from '#server/db/queue.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { type DigestOptions, sendDigests } from './send.ts'

const QUEUE = 'digests'
const EVERY_FIVE_MINUTES = '*/5 * * * *'
/** Longer than the mails of 1,000 people to a mail server that does not respond. */
const EXPIRES_IN_SECONDS = 3_600

export type DigestJobs = ReturnType<typeof createDigestJobs>

/** Sends the mails that are due, in one process at a time. */
export function createDigestJobs({
  db,
  queue,
  mailer,
  ...options
}: DigestOptions & { db: Database; queue: Queue; mailer: Mailer | undefined }) {
  const stopping = new AbortController()
  let working: Promise<unknown> = Promise.resolve()
  let opening: Promise<void> = Promise.resolve()

  const work = (sender: Mailer) => {
    working = sendDigests(db, sender, new Date(), { ...options, signal: stopping.signal })
    return working
  }

  async function open(sender: Mailer): Promise<void> {
    const { boss } = await queue.open()
    await boss.createQueue(QUEUE, {
      ...{ policy: 'exclusive', retryLimit: 0, deleteAfterSeconds: 3_600, expireInSeconds: EXPIRES_IN_SECONDS },
    })
    await boss.schedule(QUEUE, EVERY_FIVE_MINUTES)
    await boss.work(QUEUE, { pollingIntervalSeconds: 5 }, () => work(sender))
  }

  return {
    async warmUp(): Promise<void> {
      if (mailer === undefined || options.settings.isSendingOff) return
      opening = open(mailer)
      await opening
    },

    /** Waits for the mails that are on their way, and for a queue that is about to be opened. */
    async close(): Promise<void> {
      stopping.abort()
      await Promise.allSettled([opening, working])
    },
  }
}
