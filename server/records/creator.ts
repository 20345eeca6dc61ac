import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/session.ts'
import { accounts } from '#server/db/schema.ts'

type Created = { creatorId: AnyColumn; creatorText: AnyColumn }

/** The creator as shown: name, else e-mail, else what an import said, else null. Wants `accounts` joined. */
export const creatorLabel = (table: { creatorText: AnyColumn }) =>
  sql<string | null>`coalesce(nullif(${accounts.name}, ''), ${accounts.email}, ${table.creatorText})`

/**
 * The account that a record belongs to: its creator, or for an imported one the account with that e-mail once it is
 * verified; null when nobody is known.
 */
export const ownerOf = (table: Created) =>
  sql<string | null>`coalesce(${table.creatorId}, case when ${table.creatorText} is not null then (
    select owner.id from ${accounts} owner where owner.email = lower(${table.creatorText}) and owner.email_verified
  ) end)`

/** What My Records shows: created by the caller, or noted by the caller. */
export const isMine = (table: Created, noted: SQL, caller: Account): SQL => {
  const imported = caller.emailVerified
    ? sql` or (${table.creatorId} is null and lower(${table.creatorText}) = ${caller.email})`
    : sql``
  return sql`(${table.creatorId} = ${caller.id}${imported} or ${noted})`
}
