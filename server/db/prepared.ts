import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/**
 * A query of nearly every request. Its text is built once for each database, and PostgreSQL plans it once per
 * connection. What changes from call to call is an `sql.placeholder`.
 */
export function prepared<Query>(build: (db: Database) => Query): (db: Database) => Query {
  const made = new WeakMap<Database, Query>()
  return (db) => {
    const query = made.get(db) ?? build(db)
    made.set(db, query)
    return query
  }
}

/**
 * The rows whose id a query returns. The planner assumes the same number of rows for any ids. With `= any ($1)` it
 * prefers a plan for few ids and plans again each time, which takes longer than reading the rows.
 */
export const isAmong = (id: PgColumn, ids: SQL) => sql`${id} = any (array(${ids}))`

/** The ids of a placeholder, as a query. */
export const givenIds = (placeholder: string) => sql`select unnest(${sql.placeholder(placeholder)}::uuid[])`

/** A limit that the planner does not see. Otherwise it would plan again for each number. */
export const atMost = (placeholder: string) => sql`(select ${sql.placeholder(placeholder)}::int)`
