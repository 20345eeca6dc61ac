import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { type KindName, kinds } from '#contract/kinds.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, counters } from '#server/db/schema.ts'
import { isOfKind } from '#server/records/kind.ts'
import { creatorLabel } from '#server/records/row.ts'

const addedOf = (kind: { name: KindName }) =>
  sql<number>`coalesce(sum(${counters.added}) filter (where ${isOfKind(counters.kind, kind)}), 0)::int`

/** The number of records of each kind, by the path of the kind. */
type Added = Record<(typeof kinds)[number]['path'], SQL<number>>
const added = Object.fromEntries(kinds.map((kind) => [kind.path, addedOf(kind)])) as Added

const createdBy = creatorLabel(counters)
const total = sql`sum(${counters.added})`

const allFellows = prepared((db) =>
  db
    .select({ createdBy, ...added })
    .from(counters)
    .leftJoin(accounts, eq(accounts.id, counters.creatorId))
    .groupBy(counters.creatorId, createdBy)
    .having(sql`${total} > 0`)
    .orderBy(desc(total), sql`1`)
    .prepare('fellows'),
)

/** One entry per account, highest total first. Records without a creator form one entry without a name. */
export const listFellows = (db: Database) => allFellows(db).execute()
