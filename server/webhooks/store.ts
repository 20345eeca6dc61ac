import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { WEBHOOKS_MAX } from '#contract/limits.ts'
import {
  type NewWebhook,
  NO_WEBHOOK,
  RING_DAYS,
  RING_PATIENCE_SECONDS,
  RING_PAUSE_MAX_SECONDS,
  RING_PAUSE_SECONDS,
  type Webhook,
} from '#contract/webhooks.ts'
import { decrypt, encrypt } from '#server/auth/encryption.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { webhooks } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import { endOfFeed } from '#server/feed/feed.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { answersForSending } from '#server/sending/store.ts'
import { fellowOf, masked } from '#server/sending/ways-out.ts'

export const TOO_MANY_WEBHOOKS = `There are ${WEBHOOKS_MAX} webhooks already. Remove one first.`

const answersForIt = fellowOf(webhooks.confirmedBy, answersForSending)

export const listWebhooks = (db: Database, where = sql`true`): Promise<Webhook[]> =>
  rowsOf(
    db,
    sql`select ${webhooks.id}, ${webhooks.maskedAddress} as address, ${fellowOf(webhooks.addedBy)} as "addedBy",
        ${answersForIt} as "confirmedBy", ${isoTime(webhooks.lastSentAt)} as "lastSentAt",
        ${isoTime(webhooks.failingSince)} as "failingSince", ${webhooks.lastStatus} as "lastStatus", ${isoTime(webhooks.offAt)} as "offAt"
      from ${webhooks} where ${where} order by ${webhooks.createdAt}, ${webhooks.id}`,
  )

/** Throws the 404. */
export async function getWebhook(db: Database, id: string): Promise<Webhook> {
  const [webhook] = await listWebhooks(db, eq(webhooks.id, id))
  if (webhook === undefined) throw notFound(NO_WEBHOOK)
  return webhook
}

const SECRET_BYTES = 32
const createSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** What a ring needs. */
export type Target = { id: string; address: string; secret: string }

const opened = (row: Target, key: string): Target => {
  // After another AUTH_SECRET neither is known.
  const textOf = (encrypted: string) => Buffer.from(decrypt(encrypted, 'webhook', row.id, key) ?? '').toString()
  return { ...row, address: textOf(row.address), secret: textOf(row.secret) }
}

/** What a request that made it gets, also when it is repeated. */
export async function getNewWebhook(db: Database, id: string, key: string): Promise<NewWebhook> {
  const [webhook, { secret }] = await Promise.all([getWebhook(db, id), getTarget(db, id, key)])
  return { ...webhook, secret }
}

/** Throws the 404. */
export async function getTarget(db: Database, id: string, key: string): Promise<Target> {
  const [row] = await db
    .select({ id: webhooks.id, address: webhooks.address, secret: webhooks.secret })
    .from(webhooks)
    .where(eq(webhooks.id, id))
  if (row === undefined) throw notFound(NO_WEBHOOK)
  return opened(row, key)
}

type Input = { address: string; by: string; secret: string; key: IdempotencyKey }

/** It is rung for what comes from now on. */
export async function createWebhook(tx: Database, { address, by, secret, key }: Input): Promise<NewWebhook> {
  await tx.execute(sql`lock table ${webhooks} in share row exclusive mode`)
  const [row] = await rowsOf<{ count: number }>(tx, sql`select count(*)::int as count from ${webhooks}`)
  if ((row?.count ?? 0) >= WEBHOOKS_MAX) throw new AppError(409, TOO_MANY_WEBHOOKS)
  const id = await claimId(tx, key)
  const sealed = (text: string) => encrypt(Buffer.from(text), 'webhook', id, secret)
  await tx.insert(webhooks).values({
    ...{ id, address: sealed(address), maskedAddress: masked(address), secret: sealed(createSecret()) },
    ...{ cursor: await endOfFeed(tx), addedBy: by, confirmedBy: by },
  })
  return getNewWebhook(tx, id, secret)
}

/** Another manager answers for it. One that is off goes on, from the last ring that arrived. */
export async function confirmWebhook(tx: Database, id: string, by: string): Promise<void> {
  await tx
    .update(webhooks)
    .set({ confirmedBy: by, offAt: null, failures: 0, failingSince: null, nextAt: sql`clock_timestamp()` })
    .where(eq(webhooks.id, id))
}

export async function deleteWebhook(tx: Database, id: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.id, id))
}

/** One that may be rung now. */
export type DueWebhook = Target & { cursor: string; nextAt: string; failures: number; failingSince: Date | null }

export async function listDueWebhooks(db: Database, now: Date, key: string): Promise<DueWebhook[]> {
  const rows = await db
    .select({
      ...{ id: webhooks.id, address: webhooks.address, secret: webhooks.secret, cursor: webhooks.cursor },
      ...{ failures: webhooks.failures, failingSince: webhooks.failingSince, nextAt: isoTime(webhooks.nextAt) },
    })
    .from(webhooks)
    .where(
      and(
        sql`${webhooks.nextAt} <= ${now.toISOString()}::timestamptz`,
        isNull(webhooks.offAt),
        sql`${answersForIt} is not null`,
      ),
    )
  return rows.map((row) => ({ ...row, ...opened(row, key) }))
}

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000)

/** No other process rings it until it would be tried again. False where another one does. */
export async function claimWebhook(db: Database, { id, nextAt }: DueWebhook, now: Date): Promise<boolean> {
  const claimed = await db
    .update(webhooks)
    .set({ nextAt: later(now, 3 * RING_PATIENCE_SECONDS) })
    .where(and(eq(webhooks.id, id), sql`${webhooks.nextAt} = ${nextAt}::timestamptz`))
    .returning({ id: webhooks.id })
  return claimed.length > 0
}

export async function markRung(
  db: Database,
  id: string,
  { status, until, now }: { status: number; until: string; now: Date },
): Promise<void> {
  await db
    .update(webhooks)
    .set({
      ...{ cursor: until, lastSentAt: now, failures: 0, failingSince: null, lastStatus: status },
      nextAt: later(now, RING_PAUSE_SECONDS),
    })
    .where(eq(webhooks.id, id))
}

/** Nothing after the cursor was an entry. */
export async function moveOn(db: Database, { id, cursor }: DueWebhook, until: string): Promise<void> {
  await db
    .update(webhooks)
    .set({ cursor: until })
    .where(and(eq(webhooks.id, id), eq(webhooks.cursor, cursor)))
}

const DAY_MS = 86_400_000

/** It is tried again after a pause that grows with each failure, and is off after too long. */
export async function markFailed(
  db: Database,
  { id, failures, failingSince }: DueWebhook,
  { status, now }: { status: number | null; now: Date },
): Promise<void> {
  const since = failingSince ?? now
  const pause = Math.min(RING_PAUSE_SECONDS * 2 ** (failures + 1), RING_PAUSE_MAX_SECONDS)
  await db
    .update(webhooks)
    .set({
      ...{ failures: failures + 1, failingSince: since, lastStatus: status, nextAt: later(now, pause) },
      ...(now.getTime() - since.getTime() >= RING_DAYS * DAY_MS && { offAt: now }),
    })
    .where(eq(webhooks.id, id))
}
