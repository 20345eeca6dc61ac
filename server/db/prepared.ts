import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

/**
 * A query that is asked on nearly every request: its text is made once for each database that it runs on, and PostgreSQL
 * plans it once a connection. What changes from call to call is an `sql.placeholder`.
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
 * Rows that have one of the ids that a query answers. Whatever the ids, the planner counts on as many: of `= any ($1)` with
 * few it thinks better than of any number, and would plan it anew each time, which takes longer than reading them.
 */
export const isAmong = (id: PgColumn, ids: SQL) => sql`${id} = any (array(${ids}))`

/** The ids of a placeholder, as a query. */
export const givenIds = (placeholder: string) => sql`select unnest(${sql.placeholder(placeholder)}::uuid[])`

/** A number of rows that the planner does not see, or it would likewise plan for each. */
export const atMost = (placeholder: string) => sql`(select ${sql.placeholder(placeholder)}::int)`
