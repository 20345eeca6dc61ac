import { isAccepted } from '#contract/channel-addresses.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { findNews } from '#server/feed/feed.ts'
import type { Log } from '#server/log.ts'
import { getSending } from '#server/sending/store.ts'
import type { SendRing } from './ring.ts'
import { claimWebhook, type DueWebhook, listDueWebhooks, markFailed, markRung, moveOn } from './store.ts'

export type RingOptions = {
  settings: Pick<Settings, 'isSendingOff'>
  secret: string
  log: Pick<Log, 'warn'>
}

/**
 * Begins to ring each webhook for which there is something new, and resolves without waiting for their answers: a slow one delays no
 * other. Each resolves with whether it was rung and has answered.
 */
export async function ringWebhooks(
  db: Database,
  send: SendRing,
  now: () => Date,
  { settings, secret, log }: RingOptions,
): Promise<Promise<boolean>[]> {
  const due = await listDueWebhooks(db, now(), secret)
  if (due.length === 0 || (await getSending(db, settings)).isPaused) return []
  return due.map((webhook) =>
    ringOne(db, send, now, webhook).catch((error) => {
      log.warn({ err: error, webhook: webhook.id }, 'A ring could not be made; the next look tries again')
      return false
    }),
  )
}

async function ringOne(db: Database, send: SendRing, now: () => Date, webhook: DueWebhook): Promise<boolean> {
  const { hasNews, from, until } = await findNews(db, webhook.cursor)
  if (!hasNews) {
    if (until !== webhook.cursor) await moveOn(db, webhook, until)
    return false
  }
  if (!(await claimWebhook(db, webhook, now()))) return false
  const status = await send(webhook, from, now())
  if (isAccepted(status)) await markRung(db, webhook.id, { status, until, now: now() })
  else await markFailed(db, webhook, { status, now: now() })
  return isAccepted(status)
}
