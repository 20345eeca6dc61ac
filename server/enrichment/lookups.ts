import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { attempts } from '#server/db/schema.ts'

/** The limit that stops a lookup: that of the account, or that of all accounts together. */
export type ReachedLimit = 'account' | 'total'

/** Lookups by paid providers in a day: of one account, and of all. */
export type DailyLookups = { ofAccount: number; total: number }

/**
 * Counts a lookup by paid providers that an account requested. Returns the limit that is reached; a day ends 24 hours
 * after its first lookup. Counts before any provider is asked, in single statements, so that all processes agree. A
 * lookup beyond the limit of its account does not count towards the total.
 */
export async function countLookup(
  db: Database,
  accountId: string,
  { ofAccount, total }: DailyLookups,
): Promise<ReachedLimit | undefined> {
  if ((await countOne(db, `lookups ${accountId}`)) > ofAccount) return 'account'
  return (await countOne(db, 'lookups')) > total ? 'total' : undefined
}

async function countOne(db: Database, key: string): Promise<number> {
  const tomorrow = sql`now() + interval '1 day'`
  const [row] = await db
    .insert(attempts)
    .values({ key, count: 1, forgetAt: tomorrow })
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${attempts.forgetAt} <= now() then 1 else ${attempts.count} + 1 end`,
        forgetAt: sql`case when ${attempts.forgetAt} <= now() then ${tomorrow} else ${attempts.forgetAt} end`,
      },
    })
    .returning({ count: attempts.count })
  return row?.count ?? 1
}
