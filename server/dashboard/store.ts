import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { type KindName, kinds } from '#contract/kinds.ts'
import { WEEK_COUNT_MAX } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, counters, records } from '#server/db/schema.ts'
import { creatorLabel } from '#server/lists/row.ts'
import { isOfKind } from '#server/records/kind.ts'

const addedOf = (kind: { name: KindName }) =>
  sql<number>`coalesce(sum(${counters.added}) filter (where ${isOfKind(counters.kind, kind)}), 0)::int`

/** The number of records of each kind, by the path of the kind. */
type Counts<Count> = Record<(typeof kinds)[number]['path'], Count>
const added = Object.fromEntries(kinds.map((kind) => [kind.path, addedOf(kind)])) as Counts<SQL<number>>

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

/** Uses the order of the index, so that the query reads only the rows that it counts. */
const addedInWeek = (kind: { name: KindName }) => sql<number>`(
  select count(*)::int from (
    select 1 from ${records}
    where ${isOfKind(records.kind, kind)} and ${records.createdAt} > now() - interval '7 days'
    order by ${records.createdAt} desc, ${records.id} desc limit ${sql.raw(String(WEEK_COUNT_MAX))}
  ) added
)`
const inWeek = Object.fromEntries(kinds.map((kind) => [kind.path, addedInWeek(kind)])) as Counts<SQL<number>>

const week = prepared((db) => db.select(inWeek).from(sql`(select 1) one`).prepare('week'))

/** The number of records of each kind that were added in the last seven days, up to the limit. */
export async function countWeek(db: Database): Promise<Counts<number>> {
  const [counts] = await week(db).execute()
  return counts as Counts<number>
}
