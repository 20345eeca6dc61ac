import { sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import { accounts } from '#server/db/schema.ts'
import { rights } from '#server/rights.ts'
import type { InboxKind } from '../kind.ts'

/** People wait for approval: one line for all, a number without names. */
export const approval: InboxKind = {
  name: 'approval',
  rows: ({ caller }) => sql`
    select ${NIL}::uuid as own, ${NIL}::uuid as subject, null::uuid as record, ${accounts.pendingSince} as at, null::uuid as by
    from ${accounts}
    where ${rights.programme.allows(caller)} and ${accounts.pendingSince} is not null and ${accounts.disabledAt} is null`,
  countsAll: true,
  words: (lines) =>
    lines.map(({ count }) => ({
      sentence: count === 1 ? '1 person waits for approval' : `${count} people wait for approval`,
      address: '/programme',
    })),
}
