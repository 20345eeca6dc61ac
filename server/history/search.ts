import { and, asc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { history } from '#server/db/schema.ts'
import { newestFirst } from './store.ts'

/** What the operator looks for. `since` is in it, `until` is not. */
export type HistorySearch = {
  person?: string | undefined
  action?: string | undefined
  kind?: string | undefined
  id?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** A row with its time as text: the same from either driver, and the same whoever reads it. */
export type HistoryRow = Omit<typeof history.$inferSelect, 'at'> & { at: string }

const columns = {
  ...getTableColumns(history),
  at: sql<string>`to_char(${history.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

const matching = ({ person, action, kind, id, since, until }: HistorySearch): SQL | undefined =>
  and(
    person === undefined ? undefined : eq(history.accountEmail, person.toLowerCase()),
    action === undefined ? undefined : eq(history.action, action),
    kind === undefined ? undefined : eq(history.kind, kind),
    id === undefined ? undefined : eq(history.objectId, id),
    since && gte(history.at, since),
    until && lt(history.at, until),
  )

/** The newest rows of what is looked for. */
export const searchHistory = (db: Database, search: HistorySearch, limit: number): Promise<HistoryRow[]> =>
  db
    .select(columns)
    .from(history)
    .where(matching(search))
    .orderBy(...newestFirst)
    .limit(limit)

/** So many are in memory at once. */
const ROWS_AT_ONCE = 1000

/** All rows of what is looked for, oldest first, some at a time; what is added meanwhile comes as well. */
export async function* eachOfHistory(db: Database, search: HistorySearch): AsyncGenerator<HistoryRow[]> {
  let last: HistoryRow | undefined
  for (;;) {
    const rows = await db
      .select(columns)
      .from(history)
      .where(
        and(
          matching(search),
          last && sql`(${history.at}, ${history.id}) > (${last.at}::timestamptz, ${last.id}::uuid)`,
        ),
      )
      .orderBy(asc(history.at), asc(history.id))
      .limit(ROWS_AT_ONCE)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)
  }
}
