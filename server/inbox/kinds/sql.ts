import { type SQL, sql } from 'drizzle-orm'
import { accounts, records } from '#server/db/schema.ts'
import { isOfAny } from '#server/records/kind.ts'
import type { Reader } from '../kind.ts'

/** What was before counts as seen, and is no line. */
export const inboxSince = ({ caller }: Reader): SQL =>
  sql`(select ${accounts.inboxSince} from ${accounts} where ${accounts.id} = ${caller.id})`

/** Whether a record is here: neither deleted nor merged away. */
export const isHere: SQL = isOfAny(records.kind)
