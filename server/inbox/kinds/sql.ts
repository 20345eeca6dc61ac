import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { accounts, records } from '#server/db/schema.ts'
import { isOfAny } from '#server/records/kind.ts'
import type { Reader } from '../kind.ts'

/** What was before counts as seen, and is no line. */
export const inboxSince = ({ caller }: Reader): SQL =>
  sql`(select ${accounts.inboxSince} from ${accounts} where ${accounts.id} = ${caller.id})`

/** The record of a row, by its key: the planner, which expects more rows than a fellow has, would read all records. */
export const recordOf = (id: SQL | AnyColumn): SQL =>
  sql`cross join lateral (select * from ${records} where ${records.id} = ${id} offset 0) records`

/** Whether a record is here: neither deleted nor merged away. */
export const isHere: SQL = isOfAny(records.kind)
