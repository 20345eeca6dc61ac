import { desc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, tallies } from '#server/db/schema.ts'
import { creatorLabel } from '#server/records/creator.ts'

const total = sql<number>`(${tallies.founders} + ${tallies.companies})`

const allFellows = prepared((db) =>
  db
    .select({ createdBy: creatorLabel(tallies), founders: tallies.founders, companies: tallies.companies })
    .from(tallies)
    .leftJoin(accounts, eq(accounts.id, tallies.creatorId))
    .where(gt(total, 0))
    .orderBy(desc(total), sql`1`)
    .prepare('fellows'),
)

/** One entry an account, most sourced first. What nobody is known to have added is one entry, without a name. */
export const listFellows = (db: Database) => allFellows(db).execute()
