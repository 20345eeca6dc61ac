import { DIGEST_LINES_MAX } from '#contract/digest.ts'
import type { InboxGroup } from '#contract/inbox-kinds.ts'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { createLimiter } from '#server/http/limiter.ts'
import type { Reader, Sources } from '#server/inbox/kind.ts'
import { presentLines } from '#server/inbox/present.ts'
import { countAllUnread, type ListedLine, listLines } from '#server/inbox/store.ts'
import type { Log } from '#server/log.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { rights } from '#server/rights.ts'
import { namesOutside } from '#server/sending/outside.ts'
import { getSending } from '#server/sending/store.ts'
import { getEndedWeek, weekLines } from '#server/sending/week-lines.ts'
import { dueDay, isMonday } from './due.ts'
import { digestMail } from './mail.ts'
import { claimDue, type DueDigest, markSent, scheduleNext, takeDay } from './store.ts'
import { messageId, stopAddress, stopToken } from './tokens.ts'

const AT_ONCE = 4
/** Claimed together. */
const BATCH = 20

export type DigestOptions = {
  settings: Pick<Settings, 'address' | 'isHttps' | 'isSendingOff'>
  secret: string
  kinds: readonly RecordKind[]
  log: Pick<Log, 'warn'>
  signal?: AbortSignal
}

/**
 * Sends the mails that are due, each to one person, once for each day of theirs: what is unread now, and none where nothing is. Returns
 * how many the mail server has accepted.
 */
export async function sendDigests(db: Database, mailer: Mailer, now: Date, options: DigestOptions): Promise<number> {
  const limit = createLimiter({ atOnce: AT_ONCE })
  const send = async (due: DueDigest) => {
    try {
      return options.signal?.aborted ? false : await sendOne(db, mailer, now, due, options)
    } catch (error) {
      // The others still get theirs, and this one is tried again.
      options.log.warn({ err: error, account: due.account.id }, 'A daily mail could not be made')
      return false
    }
  }
  let sent = 0
  while (!options.signal?.aborted && !(await getSending(db, options.settings)).isPaused) {
    const due = await claimDue(db, now, BATCH)
    if (due.length === 0) break
    const results = await Promise.all(due.map((one) => limit(() => send(one))))
    sent += results.filter(Boolean).length
  }
  return sent
}

async function sendOne(db: Database, mailer: Mailer, now: Date, due: DueDigest, options: DigestOptions) {
  const { account, publicId, timeZone } = due
  const { settings, secret, kinds } = options
  const day = due.isActive ? dueDay(due, now) : undefined
  const sending = await getSending(db, settings)
  // It stays due, for when sending goes on.
  if (sending.isPaused) return false
  const reader = { caller: account, timeZone }
  const sources = { db, secret, kinds, names: namesOutside(sending.showsNames) }
  const unread = day === undefined || due.rhythm === 'mondays' ? NOTHING : await readUnread(sources, reader)
  const hasWeek = day !== undefined && due.hasWeek && rights.programme.allows(account) && isMonday(day)
  const week = hasWeek ? await getEndedWeek(sources, account, day, now) : undefined
  const named = [...recordsOf(unread), ...(week?.groups.flatMap(({ records }) => records.map(({ id }) => id)) ?? [])]
  const isEmpty = unread.lines.length === 0 && week === undefined
  if (day === undefined || isEmpty || !(await takeDay(db, account.id, day, named))) {
    await scheduleNext(db, account.id, now)
    return false
  }
  const lines = await presentLines(unread.lines, { ...sources, reader })
  const ofWeek = week && { week, lines: weekLines(week, { ...sources, ...sending }) }
  const stop = stopAddress(settings, stopToken(secret, publicId))
  const isAccepted = await mailer.send({
    ...digestMail({ ...unread, lines, ofWeek, to: account.email, address: settings.address, stop }),
    messageId: messageId(secret, settings, account.id, day),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Mail providers stop by https only.
      ...(settings.isHttps && {
        'List-Unsubscribe': `<${stop}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  })
  if (!isAccepted) return false
  await markSent(db, account.id, day)
  await scheduleNext(db, account.id, now)
  return true
}

type Unread = { lines: ListedLine[]; forYou: number; more: number }

const NOTHING: Unread = { lines: [], forYou: 0, more: 0 }

const recordsOf = ({ lines }: Unread): string[] => lines.flatMap(({ recordId }) => recordId ?? [])

/** The lines of a mail, *For you* first. */
async function readUnread(sources: Sources, reader: Reader): Promise<Unread> {
  const newest = (group: InboxGroup) =>
    listLines(sources, reader, { group, state: 'unread' }, { limit: DIGEST_LINES_MAX, after: undefined })
  const [you, news] = [await newest('you'), await newest('news')]
  const lines = [...you.slice(0, DIGEST_LINES_MAX), ...news].slice(0, DIGEST_LINES_MAX)
  const isAll = you.length + news.length === lines.length
  const count = async (group: InboxGroup, listed: number) => (isAll ? listed : countAllUnread(sources, reader, group))
  const [forYou, ofNews] = [await count('you', you.length), await count('news', news.length)]
  return { lines, forYou, more: Math.max(0, forYou + ofNews - lines.length) }
}
