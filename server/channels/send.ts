import { isAccepted } from '#contract/channel-addresses.ts'
import { newsWords } from '#contract/search-news.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { dueDay, isMonday } from '#server/digest/due.ts'
import type { Settings } from '#server/env.ts'
import type { Sources } from '#server/inbox/kind.ts'
import type { Log } from '#server/log.ts'
import { getHorizon } from '#server/records/horizon.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { countNews } from '#server/searches/news.ts'
import { namesOutside } from '#server/sending/outside.ts'
import { getSending } from '#server/sending/store.ts'
import { getEndedWeek, weekHeading, weekLines } from '#server/sending/week-lines.ts'
import type { Message } from './message.ts'
import type { PostMessage } from './post.ts'
import { claimDueChannels, type DueChannel, endDay, markFailed, skipDay, TIMES } from './store.ts'

/** Claimed together. There are few channels in all. */
const BATCH = 10

/** A channel has no account of its own: what anyone has added is news, and days are in UTC. */
const READER: Account = {
  ...{ id: '00000000-0000-0000-0000-000000000000', name: '', email: '' },
  ...{ emailVerified: false, role: 'fellow' },
}

export type ChannelOptions = {
  settings: Pick<Settings, 'address' | 'isSendingOff'>
  secret: string
  kinds: readonly RecordKind[]
  log: Pick<Log, 'warn'>
  signal?: AbortSignal
}

/** Sends the messages that are due, at most one a channel and day, and none where nothing is new. Returns how many were accepted. */
export async function sendChannels(
  db: Database,
  post: PostMessage,
  now: Date,
  options: ChannelOptions,
): Promise<number> {
  let sent = 0
  while (!options.signal?.aborted && !(await getSending(db, options.settings)).isPaused) {
    const due = await claimDueChannels(db, { now, most: BATCH, secret: options.secret })
    if (due.length === 0) break
    const results = await Promise.all(
      due.map((channel) =>
        sendOne(db, post, now, channel, options).catch((error) => {
          // The others still get theirs, and this one is tried again.
          options.log.warn({ err: error, channel: channel.id }, 'A message to a channel could not be made')
          return false
        }),
      ),
    )
    sent += results.filter(Boolean).length
  }
  return sent
}

async function sendOne(db: Database, post: PostMessage, now: Date, channel: DueChannel, options: ChannelOptions) {
  const { showsNames } = await getSending(db, options.settings)
  const sources = { db, secret: options.secret, kinds: options.kinds, names: namesOutside(showsNames) }
  const day = dueDay(TIMES, now)
  if (day === undefined || !channel.isConfirmed) {
    await skipDay(db, channel.id, now)
    return false
  }
  const until = await getHorizon(db)
  const message = [
    ...(isMonday(day) ? await weekPart(sources, day, now, options.settings) : []),
    ...(await searchPart(sources, channel, until, options.settings)),
  ]
  const status = message.length === 0 ? undefined : await post(channel, message)
  if (status !== undefined && !isAccepted(status)) {
    await markFailed(db, channel.id, status, now)
    return false
  }
  await endDay(db, channel.id, { until, now, ...(status !== undefined && { status }) })
  return status !== undefined
}

type Address = Pick<Settings, 'address'>

/** The Monday list as numbers, with one link: the lists behind the numbers open for managers alone. */
async function weekPart(sources: Sources, monday: string, now: Date, { address }: Address): Promise<Message> {
  const week = await getEndedWeek(sources, READER, monday, now)
  if (week === undefined) return []
  const lines = weekLines(week, { ...sources, showsNames: false }).map(({ sentence }) => ({ text: sentence }))
  return [{ heading: { text: weekHeading(week), address: `${address}/programme/week/${week.week}` }, lines }]
}

/** *3 new, 2 changed in Berlin*. What opens is the search, with the reader's own rights. */
async function searchPart(
  sources: Sources,
  { searches }: DueChannel,
  until: number,
  { address }: Address,
): Promise<Message> {
  const counted = await countNews(sources, sources.kinds, { caller: READER, timeZone: 'UTC' }, searches, until)
  const lines = searches.flatMap(({ id, name }) => {
    const words = newsWords(counted.get(id)?.news)
    const text = `${words} in ${sources.names.word(name)}`
    return words === '' ? [] : [{ text, address: `${address}/views/${id}` }]
  })
  return lines.length === 0 ? [] : [{ heading: { text: 'New in saved searches' }, lines }]
}
