import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Channel, ChannelInput } from '#contract/channels.ts'
import { NO_CHANNEL } from '#contract/channels.ts'
import { CHANNELS_MAX } from '#contract/limits.ts'
import { decrypt, encrypt } from '#server/auth/encryption.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, channelSearches, channels, savedSearches } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import { nextDigest } from '#server/digest/due.ts'
import { AppError, invalid, notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { getHorizon } from '#server/records/horizon.ts'
import type { CountedSearch } from '#server/searches/news.ts'
import type { StoredQuery } from '#server/searches/query.ts'
import { answersForSending } from '#server/sending/store.ts'
import { fellowOf, masked } from '#server/sending/ways-out.ts'
import type { Target } from './post.ts'

export const TOO_MANY_CHANNELS = `There are ${CHANNELS_MAX} channels already. Remove one first.`
export const NO_SHARED_SEARCH = 'There is no shared search with this id'

/** When messages come. */
export const TIMES = { rhythm: 'daily', hour: 7, timeZone: 'UTC' } as const
/** A message that was not accepted, or whose process was killed, is tried again after this. */
const RETRY_MINUTES = 30

/** Why a search of a channel is not sent. What is shared no more is not there at all. */
const offBecause = sql`case
  when ${savedSearches.fellowChangedAt} > ${channelSearches.chosenAt} then 'changed'
  when ${accounts.disabledAt} is not null or ${accounts.formerNumber} is not null then 'creator_left' end`

const searchesOf = (columns: SQL, where = sql`true`) => sql`(
  select coalesce(json_agg(${columns} order by ${channelSearches.chosenAt}, ${savedSearches.id}), '[]') from ${channelSearches}
  join ${savedSearches} on ${savedSearches.id} = ${channelSearches.searchId} and ${savedSearches.isShared}
  join ${accounts} on ${accounts.id} = ${savedSearches.accountId}
  where ${channelSearches.channelId} = ${channels.id} and ${where})`

const shownSearch = sql`json_build_object('id', ${savedSearches.id}, 'name', ${savedSearches.name}, 'off', ${offBecause})`

export const listChannels = (db: Database, where = sql`true`): Promise<Channel[]> =>
  rowsOf(
    db,
    sql`select ${channels.id}, ${channels.name}, ${channels.kind}, ${channels.maskedAddress} as address,
        ${fellowOf(channels.addedBy)} as "addedBy", ${fellowOf(channels.confirmedBy, answersForSending)} as "confirmedBy",
        ${searchesOf(shownSearch)} as searches, ${isoTime(channels.lastSentAt)} as "lastSentAt",
        ${isoTime(channels.lastFailedAt)} as "lastFailedAt", ${channels.lastStatus} as "lastStatus"
      from ${channels} where ${where} order by ${channels.createdAt}, ${channels.id}`,
  )

/** Throws the 404. */
export async function getChannel(db: Database, id: string): Promise<Channel> {
  const [channel] = await listChannels(db, eq(channels.id, id))
  if (channel === undefined) throw notFound(NO_CHANNEL)
  return channel
}

type Input = ChannelInput & { by: string; secret: string; now: Date; key: IdempotencyKey }

export async function createChannel(
  tx: Database,
  { name, kind, address, by, secret, now, key }: Input,
): Promise<Channel> {
  await tx.execute(sql`lock table ${channels} in share row exclusive mode`)
  const [row] = await rowsOf<{ count: number }>(tx, sql`select count(*)::int as count from ${channels}`)
  if ((row?.count ?? 0) >= CHANNELS_MAX) throw new AppError(409, TOO_MANY_CHANNELS)
  const id = await claimId(tx, key)
  await tx.insert(channels).values({
    ...{ id, name, kind, addedBy: by, confirmedBy: by, maskedAddress: masked(address) },
    address: encrypt(Buffer.from(address), 'channel', id, secret),
    nextAt: nextMessage(now),
  })
  return getChannel(tx, id)
}

export const nextMessage = (now: Date): Date => nextDigest(TIMES, now) as Date

export async function confirmChannel(tx: Database, id: string, by: string): Promise<void> {
  await tx.update(channels).set({ confirmedBy: by }).where(eq(channels.id, id))
}

/** Shared searches, which stay as they are until the end of the transaction. Throws the 400 where one is not there. */
export async function lockShared(tx: Database, ids: readonly string[]): Promise<{ id: string; query: StoredQuery }[]> {
  const rows = await rowsOf<{ id: string; query: StoredQuery }>(
    tx,
    sql`select ${savedSearches.id}, ${savedSearches.query} from ${savedSearches} join ${accounts} on ${accounts.id} = ${savedSearches.accountId}
      where ${savedSearches.id} = any (${sql.param(ids)}::uuid[]) and ${savedSearches.isShared} and ${accounts.disabledAt} is null
      order by ${savedSearches.id} for share of ${savedSearches}`,
  )
  if (rows.length < new Set(ids).size) throw invalid({ searches: NO_SHARED_SEARCH })
  return rows
}

/** What was before one was chosen is in no message. Those that are chosen again and were off begin again. */
export async function setSearches(tx: Database, id: string, ids: readonly string[]): Promise<void> {
  const { searches } = await getChannel(tx, id)
  const kept = searches.filter((search) => search.off === null && ids.includes(search.id)).map((search) => search.id)
  const isKept = sql`${channelSearches.searchId} = any (${sql.param(kept)}::uuid[])`
  await tx.delete(channelSearches).where(sql`${channelSearches.channelId} = ${id} and not ${isKept}`)
  const added = [...new Set(ids)].filter((one) => !kept.includes(one))
  if (added.length === 0) return
  const seenUntil = new Date(await getHorizon(tx))
  await tx.insert(channelSearches).values(added.map((searchId) => ({ channelId: id, searchId, seenUntil })))
}

export async function deleteChannel(tx: Database, id: string): Promise<void> {
  await tx.delete(channels).where(eq(channels.id, id))
}

const targetOf = (row: Target, secret: string): Target => {
  const address = decrypt(row.address, 'channel', row.id, secret)
  // After another AUTH_SECRET it is known no more, and is no address.
  return { ...row, address: address === undefined ? '' : Buffer.from(address).toString() }
}

/** Throws the 404. */
export async function getTarget(db: Database, id: string, secret: string): Promise<Target> {
  const [row] = await db
    .select({ id: channels.id, kind: channels.kind, address: channels.address })
    .from(channels)
    .where(eq(channels.id, id))
  if (row === undefined) throw notFound(NO_CHANNEL)
  return targetOf(row, secret)
}

export type ChannelSearchRow = CountedSearch & { name: string }

/** A message that is due; of a channel for which no manager answers, none. */
export type DueChannel = Target & { isConfirmed: boolean; searches: ChannelSearchRow[] }

const dueSearch = sql`json_build_object('id', ${savedSearches.id}, 'kind', ${savedSearches.kind}, 'name', ${savedSearches.name},
  'query', ${savedSearches.query}, 'seenUntil', (extract(epoch from ${channelSearches.seenUntil}) * 1000)::float8)`

/** Channels whose messages are due, at most some, which no other process gets until they are tried again. */
export async function claimDueChannels(
  db: Database,
  { now, most, secret }: { now: Date; most: number; secret: string },
): Promise<DueChannel[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const claimed = await rowsOf<{ id: string }>(
    db,
    sql`update ${channels} set next_at = ${at} + make_interval(mins => ${RETRY_MINUTES})
      where id in (select id from ${channels} where next_at <= ${at} order by next_at limit ${most} for update skip locked)
      returning id`,
  )
  const rows = await rowsOf<DueChannel>(
    db,
    sql`select ${channels.id}, ${channels.kind}, ${channels.address}, ${searchesOf(dueSearch, sql`${offBecause} is null`)} as searches,
        ${fellowOf(channels.confirmedBy, answersForSending)} is not null as "isConfirmed"
      from ${channels} where ${inArray(
        channels.id,
        claimed.map(({ id }) => id),
      )}`,
  )
  return rows.map((row) => ({ ...row, ...targetOf(row, secret) }))
}

/** What became of a message that is due. Without a status none was sent, because there was nothing. */
export type Outcome = { status?: number; until: number; now: Date }

/** The day of a channel is done: until when its searches have been looked at. */
export const endDay = (db: Database, id: string, { status, until, now }: Outcome): Promise<void> =>
  db.transaction(async (tx) => {
    const sent = status === undefined ? {} : { lastSentAt: now, lastFailedAt: null, lastStatus: status }
    await tx
      .update(channels)
      .set({ nextAt: nextMessage(now), ...sent })
      .where(eq(channels.id, id))
    await tx
      .update(channelSearches)
      .set({ seenUntil: sql`greatest(seen_until, ${new Date(until).toISOString()}::timestamptz)` })
      .where(eq(channelSearches.channelId, id))
  })

export async function markFailed(db: Database, id: string, status: number | null, now: Date): Promise<void> {
  await db.update(channels).set({ lastFailedAt: now, lastStatus: status }).where(eq(channels.id, id))
}

/** The day has ended without a message, or nothing is to be sent: the next one is due tomorrow. */
export async function skipDay(db: Database, id: string, now: Date): Promise<void> {
  await db
    .update(channels)
    .set({ nextAt: nextMessage(now) })
    .where(eq(channels.id, id))
}
