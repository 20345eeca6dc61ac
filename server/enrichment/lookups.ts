import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { attempts } from '#server/db/schema.ts'

/**
 * Counts a lookup by paid providers for an account. False once its daily limit is reached; the day ends 24 hours after
 * its first lookup. Counts before any provider is asked, in one statement, so that all processes agree.
 */
export async function countLookup(db: Database, accountId: string, dailyLookups: number): Promise<boolean> {
  const tomorrow = sql`now() + interval '1 day'`
  const [row] = await db
    .insert(attempts)
    .values({ key: `lookups ${accountId}`, count: 1, forgetAt: tomorrow })
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${attempts.forgetAt} <= now() then 1 else ${attempts.count} + 1 end`,
        forgetAt: sql`case when ${attempts.forgetAt} <= now() then ${tomorrow} else ${attempts.forgetAt} end`,
      },
    })
    .returning({ count: attempts.count })
  return (row?.count ?? 1) <= dailyLookups
}
