import { type AnyColumn, Column, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgDialect, PgSession } from 'drizzle-orm/pg-core'
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
 * A named query of these fields, whose rows are made by plain code. For each value of each row, drizzle finds out again how
 * to decode it, which takes longer than reading the rows.
 */
export function preparedRows<Query extends SQLWrapper & PromiseLike<unknown[]>>(
  db: Database,
  name: string,
  fields: Record<string, AnyColumn | SQL>,
  query: Query,
): { execute: (values: Record<string, unknown>) => Promise<Awaited<Query>> } {
  const columns = Object.entries(fields).map(([key, field]) => ({ key, decode: decoderOf(field) }))
  const rowOf = (values: unknown[]) => {
    const row: Record<string, unknown> = {}
    for (let place = 0; place < columns.length; place += 1) {
      const { key, decode } = columns[place] as (typeof columns)[number]
      const value = values[place]
      row[key] = value === null || decode === undefined ? value : decode(value)
    }
    return row
  }
  const { session, dialect } = db as unknown as { session: PgSession; dialect: PgDialect }
  const mapped = (rows: unknown[][]) => rows.map(rowOf)
  const statement = session.prepareQuery(dialect.sqlToQuery(query.getSQL()), undefined, name, true, mapped as never)
  return { execute: (values) => statement.execute(values) as Promise<Awaited<Query>> }
}

/** Undefined for values that are as the driver gives them. */
function decoderOf(field: AnyColumn | SQL): ((value: unknown) => unknown) | undefined {
  const decoder = is(field, Column) ? field : (field as unknown as { decoder: Column }).decoder
  if (is(decoder, Column) && decoder.mapFromDriverValue === Column.prototype.mapFromDriverValue) return undefined
  return (value) => decoder.mapFromDriverValue(value)
}

/**
 * The rows whose id a query returns. The planner assumes the same number of rows for any ids. With `= any ($1)` it
 * prefers a plan for few ids and plans again each time, which takes longer than reading the rows.
 */
export const isAmong = (id: PgColumn, ids: SQL) => sql`${id} = any (array(${ids}))`

/** The ids of a placeholder, as a query. */
export const givenIds = (placeholder: string) => sql`select unnest(${sql.placeholder(placeholder)}::uuid[])`

/** The same as rows of `id`. The planner does not see the ids: it would plan again for each number of them. */
export const rowsOfIds = (placeholder: string) => sql`unnest((select ${sql.placeholder(placeholder)}::uuid[]))`

/** A limit that the planner does not see. Otherwise it would plan again for each number. */
export const atMost = (placeholder: string) => sql`(select ${sql.placeholder(placeholder)}::int)`
