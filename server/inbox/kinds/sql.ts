import type { SQL } from 'drizzle-orm'
import { records } from '#server/db/schema.ts'
import { inboxSinceOf } from '#server/lists/cohorts/followed.ts'
import { isOfAny } from '#server/records/kind.ts'
import type { Reader } from '../kind.ts'

/** What was before counts as seen, and is no line. */
export const inboxSince = ({ caller }: Reader): SQL => inboxSinceOf(caller.id)

/** Whether a record is here: neither deleted nor merged away. */
export const isHere: SQL = isOfAny(records.kind)
