import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { accounts, records } from './schema.ts'

// Parts of statements that many features need.

/** The name that a fellow is shown by: name, else address, else the text that an import gave. */
export const shownName = (account: { name: AnyColumn; email: AnyColumn } = accounts, text?: AnyColumn | SQL) =>
  sql<string>`coalesce(nullif(${account.name}, ''), ${account.email}${text && sql`, ${text}`})`

/** A time as on the wire. */
export const isoTime = (at: AnyColumn | SQL): SQL<string> =>
  sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The record of a row, by its key: the planner, which expects more rows than there are, would read all records. */
export const recordOf = (id: SQL | AnyColumn): SQL =>
  sql`cross join lateral (select * from ${records} where ${records.id} = ${id} offset 0) records`
