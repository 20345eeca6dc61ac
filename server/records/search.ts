import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordMembers, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from './kind.ts'
import { behind, newestFirst, type Place } from './paging.ts'
import { searchable } from './search-text.ts'

/** What to search for: in all records of a kind, or with `mine` in the My Records of that account. */
export type Search = {
  kind: Pick<RecordKind, 'name'>
  mine?: string | undefined
  /** A further condition on records. */
  lookup?: SQL | undefined
  term: string
  limit: number
  after?: Place | undefined
}

/** The ids of the newest matches behind `after`, one more than `limit` when there is a next page; and the total. */
export async function searchRecords(
  db: Database,
  { kind, mine, lookup, term, limit, after }: Search,
): Promise<{ ids: string[]; total?: string }> {
  const pattern = `%${searchable(term).replaceAll(/[\\%_]/g, '\\$&')}%`
  const isMine = sql`${records.id} in (
    select ${recordMembers.recordId} from ${recordMembers} where ${eq(recordMembers.accountId, mine ?? '')}
  )`
  const matching = and(
    isOfKind(records.kind, kind),
    sql`${records.searchText} like ${pattern}`,
    lookup,
    mine === undefined ? undefined : isMine,
  )
  const [rows, [counted]] = await Promise.all([
    db
      .select({ id: records.id })
      .from(records)
      .where(and(matching, behind(records, after)))
      .orderBy(...newestFirst(records))
      .limit(limit + 1),
    rowsOf<{ total: number }>(db, sql`select count(*)::int as total from ${records} where ${matching}`),
  ])
  return { ids: rows.map(({ id }) => id), total: String(counted?.total ?? 0) }
}
