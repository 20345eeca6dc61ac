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
