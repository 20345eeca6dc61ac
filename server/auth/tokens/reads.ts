import { lt, sql } from 'drizzle-orm'
import { TOKEN_READS_MAX } from '#contract/limits.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { tokenReads } from '#server/db/schema.ts'
import { AppError } from '#server/http/errors.ts'

// The records that tokens without the scope `export` read. They count together for their owner, so that a second token gives no more.

/** An hour counts until it is a day over. */
const COUNTED_HOURS = 25

export const tooManyReads = (seconds: number) =>
  new AppError(
    429,
    `An access token without the scope export can read ${TOKEN_READS_MAX.toLocaleString('en')} records in 24 hours. Try again later.`,
    {},
    seconds,
  )

/** Throws the 429 where so many records more are beyond the limit of 24 hours. */
async function refuseBeyond(db: Database, accountId: string, count: number): Promise<void> {
  const hours = await rowsOf<{ count: number; endsIn: number }>(
    db,
    sql`select count, extract(epoch from hour + make_interval(hours => ${COUNTED_HOURS}) - now())::int as "endsIn" from ${tokenReads}
      where account_id = ${accountId} and hour > now() - make_interval(hours => ${COUNTED_HOURS}) order by hour`,
  )
  let beyond = hours.reduce((sum, hour) => sum + hour.count, count) - TOKEN_READS_MAX
  // The oldest hours end first.
  for (const hour of beyond > 0 ? hours : []) {
    beyond -= hour.count
    if (beyond <= 0) throw tooManyReads(Math.max(1, hour.endsIn))
  }
}

/** Throws the 429 for a change by a token that can read no more: its answer has the record, and so has a conflict. */
export const refuseSpent = (db: Database, accountId: string): Promise<void> => refuseBeyond(db, accountId, 1)

/** Counts records that are about to be sent. Throws the 429, and counts none, beyond the limit, unless a change has been made. */
export const countReads = (db: Database, accountId: string, count: number, ofChange: boolean): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`token reads ${accountId}`}, 0))`)
    if (!ofChange) await refuseBeyond(tx, accountId, count)
    await tx
      .insert(tokenReads)
      .values({ accountId, hour: sql`date_trunc('hour', now())` as never, count })
      .onConflictDoUpdate({
        target: [tokenReads.accountId, tokenReads.hour],
        set: { count: sql`${tokenReads.count} + ${count}` },
      })
  })

export async function deleteOldReads(db: Database): Promise<void> {
  await db.delete(tokenReads).where(lt(tokenReads.hour, sql`now() - make_interval(hours => ${COUNTED_HOURS})`))
}
