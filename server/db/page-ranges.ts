import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from './database.ts'

/**
 * The conditions of whole tables that are read a range of pages at a time, so that no statement is long and others are served
 * between. A row that changes meanwhile moves, and may be in no range.
 */
export async function pageRanges(db: Database, table: PgTable, pagesAtOnce: number): Promise<SQL[]> {
  const [size] = await rowsOf<{ pages: number }>(
    db,
    sql`select (pg_relation_size(${getTableName(table)}::regclass) / current_setting('block_size')::int)::int as pages`,
  )
  const tid = (page: number) => sql.raw(`'(${page},0)'::tid`)
  return Array.from({ length: Math.ceil((size?.pages ?? 0) / pagesAtOnce) }, (_, range) => {
    const from = range * pagesAtOnce
    return sql`${table}.ctid >= ${tid(from)} and ${table}.ctid < ${tid(from + pagesAtOnce)}`
  })
}
