import { and, inArray, sql } from 'drizzle-orm'
import { NAMED_MAX } from '#contract/limits.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, namings } from '#server/db/schema.ts'
import { invalid, tooManyNamed } from '#server/http/errors.ts'
import { isActive } from './active-accounts.ts'

const DAY_SECONDS = 86_400

/**
 * The accounts of fellows whom a note names, or who are asked for an opinion, by their public ids. Throws the 400 at the field for
 * one that is not active, and the 429 beyond the limit of 24 hours. An erasure waits for the end of the transaction.
 */
export async function nameFellows(
  tx: Database,
  { id: callerId }: { id: string },
  publicIds: string[],
  field: string,
): Promise<Map<string, string>> {
  const ids = [...new Set(publicIds.map((id) => id.toLowerCase()))]
  const fellows = await tx
    .select({ id: accounts.id, publicId: accounts.publicId })
    .from(accounts)
    .where(and(inArray(accounts.publicId, ids), isActive))
    .orderBy(accounts.id)
    .for('share')
  if (fellows.length < ids.length) throw invalid({ [field]: 'One of these fellows is not active' })
  await countNamed(tx, callerId, ids.length)
  return new Map(fellows.map(({ publicId, id }) => [publicId, id]))
}

async function countNamed(tx: Database, accountId: string, count: number): Promise<void> {
  // Two notes at once do not pass the limit together. Not by the row of the account, which a note that names the caller locks.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`namings ${accountId}`}, 0))`)
  await tx.execute(sql`
    delete from ${namings} where account_id = ${accountId} and named_at <= now() - make_interval(secs => ${DAY_SECONDS})`)
  const earlier = await rowsOf<{ count: number; endsIn: number }>(
    tx,
    sql`select count, extract(epoch from named_at - now())::float8 + ${DAY_SECONDS} as "endsIn" from ${namings}
      where account_id = ${accountId} order by named_at`,
  )
  let beyond = earlier.reduce((sum, row) => sum + row.count, count) - NAMED_MAX
  // The oldest end first.
  for (const row of beyond > 0 ? earlier : []) {
    beyond -= row.count
    if (beyond <= 0) throw tooManyNamed(NAMED_MAX, Math.max(1, Math.ceil(row.endsIn)))
  }
  await tx.insert(namings).values({ accountId, count })
}
