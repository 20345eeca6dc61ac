import { and, eq, isNull, sql } from 'drizzle-orm'
import { IMPORT_BYTES_MAX, IMPORT_DAILY_BYTES_MAX, IMPORTS_NOT_RUN_MAX } from '#contract/import.ts'
import { lockAccount } from '#server/auth/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { imports, importVolumes } from '#server/db/schema.ts'
import { AppError, invalid } from '#server/http/errors.ts'
import { bodyFailures } from './receive.ts'

// How much an account may upload. Deleted imports count.

/** Refuses bytes beyond those of 24 hours with a 429. */
export async function refuseTooMuch(db: Database, accountId: string, bytes: number): Promise<void> {
  const hours = await rowsOf<{ bytes: number; ends_in: number }>(
    db,
    sql`select bytes::float8, extract(epoch from hour + interval '25 hours' - now())::int as ends_in from ${importVolumes}
      where account_id = ${accountId} and hour > now() - interval '25 hours' order by hour`,
  )
  let beyond = hours.reduce((sum, hour) => sum + hour.bytes, bytes) - IMPORT_DAILY_BYTES_MAX
  if (beyond <= 0) return
  // The oldest hours end first.
  for (const { bytes: passed, ends_in } of hours) {
    beyond -= passed
    if (beyond <= 0) throw tooMuch(ends_in)
  }
  throw tooMuch(hours.at(-1)?.ends_in ?? 0)
}

const tooMuch = (seconds: number) =>
  new AppError(
    429,
    `You can upload at most ${IMPORT_DAILY_BYTES_MAX / 1_000_000} MB in 24 hours. Try again later.`,
    {},
    Math.max(1, seconds),
  )

const tooMany = () => new AppError(409, `You have ${IMPORTS_NOT_RUN_MAX} imports that have not run. Delete one first.`)

/** What an upload may refuse, for the head of its route. */
export const uploadRefusals = () => [
  ...bodyFailures(),
  invalid({ file: 'This file cannot be read' }),
  tooMuch(3_600),
  tooMany(),
]

/** Counts an upload. Two uploads at the same time cannot both pass the limit. */
export async function countUpload(db: Database, accountId: string, bytes: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId, 'change')
    await refuseTooMuch(tx, accountId, bytes)
    await tx.execute(sql`
      delete from ${importVolumes} where account_id = ${accountId} and hour <= now() - interval '25 hours'`)
    await tx
      .insert(importVolumes)
      .values({ accountId, hour: sql`date_trunc('hour', now())` as never, bytes })
      .onConflictDoUpdate({
        target: [importVolumes.accountId, importVolumes.hour],
        set: { bytes: sql`${importVolumes.bytes} + ${bytes}` },
      })
  })
}

/** Refuses a further import with a 409 while too many have not run. In the transaction that creates it. */
export async function refuseTooMany(tx: Database, accountId: string): Promise<void> {
  await lockAccount(tx, accountId, 'change')
  const open = and(eq(imports.accountId, accountId), isNull(imports.startedAt), isNull(imports.deletedAt))
  if ((await tx.$count(imports, open)) < IMPORTS_NOT_RUN_MAX) return
  throw tooMany()
}

/** The bytes that a request announces, as far as it does. */
export const announced = (length: string | undefined) => Math.min(Number(length ?? 0) || 0, IMPORT_BYTES_MAX)
