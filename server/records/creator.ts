import { type AnyColumn, sql } from 'drizzle-orm'
import { accounts } from '#server/db/schema.ts'

/** The creator as shown: name, else e-mail, else what an import said, else null. Wants `accounts` joined. */
export const creatorLabel = (table: { creatorText: AnyColumn }) =>
  sql<string | null>`coalesce(nullif(${accounts.name}, ''), ${accounts.email}, ${table.creatorText})`
