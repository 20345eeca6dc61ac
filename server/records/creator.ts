import { type AnyColumn, and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/session.ts'
import { accounts } from '#server/db/schema.ts'

type Created = { creatorId: AnyColumn; creatorText: AnyColumn }

/** The creator as shown: name, else e-mail, else what an import said, else null. Wants `accounts` joined. */
export const creatorLabel = (table: { creatorText: AnyColumn }) =>
  sql<string | null>`coalesce(nullif(${accounts.name}, ''), ${accounts.email}, ${table.creatorText})`

/** `isCreator` of the policy, as a condition on rows. */
export const createdByMe = (table: Created, caller: Account): SQL | undefined => {
  const byAccount = eq(table.creatorId, caller.id)
  if (!caller.emailVerified) return byAccount
  return or(byAccount, and(isNull(table.creatorId), sql`lower(${table.creatorText}) = ${caller.email}`))
}
