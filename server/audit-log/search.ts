import { and, asc, desc, eq, getTableColumns, gte, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '#server/db/database.ts'
import { auditLog, deniedRequests, type Facts } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'

/** A search of the operator or a manager. `since` is inclusive, `until` is exclusive. */
export type AuditSearch = {
  person?: string | undefined
  actions?: readonly string[] | undefined
  kind?: string | undefined
  id?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Actions that are left out. */
  without?: readonly string[] | undefined
}

type NotShown = 'exportedCount' | 'isActivity' | 'transactionId'

/** A row with its time as text: the same from either driver and for every reader. */
export type AuditRow = Omit<typeof auditLog.$inferSelect, 'at' | NotShown> & { at: string }

type Source = typeof auditLog | typeof deniedRequests

const timeOf = ({ at }: Source) => isoTime(at).as('at')

/** An erased fellow acts without an address, under the name of the account. */
const actor = sql<string | null>`coalesce(${auditLog.accountEmail}, (
  select name from accounts where accounts.id = ${auditLog.accountId} and former_number is not null
))`.as('account_email')

const { exportedCount: _, isActivity: __, transactionId: ___, ...columns } = getTableColumns(auditLog)
const ofHistory = { ...columns, at: timeOf(auditLog), accountEmail: actor }

/** The denied requests of visitors, as rows of the audit log, column by column. */
const ofVisitors = {
  ...ofHistory,
  ...getTableColumns(deniedRequests),
  at: timeOf(deniedRequests),
  accountId: sql<string | null>`null::uuid`.as('account_id'),
  result: sql<'refused'>`'refused'`.as('result'),
  tokenId: sql<string | null>`null::uuid`.as('token_id'),
  before: sql<Facts | null>`null::jsonb`.as('before'),
  after: sql<Facts | null>`null::jsonb`.as('after'),
}

const matching = (
  source: Source,
  { person, kind, id, since, until, without = [] }: AuditSearch,
  action: string | undefined,
): SQL | undefined =>
  and(
    person === undefined ? undefined : eq(source.accountEmail, person.toLowerCase()),
    action === undefined ? undefined : eq(source.action, action),
    kind === undefined ? undefined : eq(source.kind, kind),
    id === undefined ? undefined : eq(source.objectId, id),
    since && gte(source.at, since),
    until && lt(source.at, until),
    without.length > 0 ? notInArray(source.action, [...without]) : undefined,
    // The planner would read all entries of the action.
    action !== undefined && without.includes(action) ? sql`false` : undefined,
  )

/**
 * Rows of both tables, and of each action, by its own index. Each is read in its own order up to the limit, then they are
 * merged. Times are text that sorts alike.
 */
function rowsOfAll(
  db: Database,
  search: AuditSearch,
  {
    where,
    order,
    limit,
  }: { where: (source: Source) => SQL | undefined; order: typeof asc | typeof desc; limit: number },
): Promise<AuditRow[]> {
  const both = (action?: string) => {
    const isWanted = (source: Source) => and(matching(source, search, action), where(source))
    const orders = (source: Source) => [order(source.at), order(source.id)]
    const first = db.select(ofHistory).from(auditLog).where(isWanted(auditLog))
    const second = db.select(ofVisitors).from(deniedRequests).where(isWanted(deniedRequests))
    return [
      first.orderBy(...orders(auditLog)).limit(limit),
      second.orderBy(...orders(deniedRequests)).limit(limit),
    ] as const
  }
  const [action, ...others] = search.actions ?? []
  const [first, second] = both(action)
  return unionAll(first, second, ...others.flatMap((other) => both(other)))
    .orderBy(order(sql`"at"`), order(sql`"id"`))
    .limit(limit)
}

/** The newest matching rows, or the next ones after a place in the list. */
export const searchAuditLog = (
  db: Database,
  search: AuditSearch,
  limit: number,
  place?: { createdAt: Date; id: string },
): Promise<AuditRow[]> =>
  rowsOfAll(db, search, {
    where: (source) =>
      place && sql`(${source.at}, ${source.id}) < (${place.createdAt.toISOString()}::timestamptz, ${place.id}::uuid)`,
    order: desc,
    limit,
  })

/** Batch size. */
const ROWS_AT_ONCE = 1000

/** All matching rows, oldest first, in batches. Includes rows that are added during the search. */
export async function* eachAuditEntry(db: Database, search: AuditSearch): AsyncGenerator<AuditRow[]> {
  let last: AuditRow | undefined
  for (;;) {
    const after = last
    const rows = await rowsOfAll(db, search, {
      where: (source) => after && sql`(${source.at}, ${source.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
      order: asc,
      limit: ROWS_AT_ONCE,
    })
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)
  }
}
