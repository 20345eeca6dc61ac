import { sql } from 'drizzle-orm'
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
 * Rows that have one of the ids of a placeholder. They pass through a query of their own, so that the planner counts on as
 * many whichever are given: of `= any ($1)` with few ids it thinks better than of any number, and would plan it anew each
 * time, which takes longer than reading them.
 */
export const isAmong = (id: PgColumn, placeholder: string) =>
  sql`${id} = any (array(select unnest(${sql.placeholder(placeholder)}::uuid[])))`
