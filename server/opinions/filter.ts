import { type SQL, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import { opinions, records } from '#server/db/schema.ts'

/**
 * Records with opinions, none of the caller. Not `exists`, for which PostgreSQL may read all opinions of the caller, and not
 * `is null`, of which it expects so few that it sorts all records with opinions.
 */
export const isWithoutOpinionOf = ({ id }: Pick<Account, 'id'>): SQL => sql`(${records.hasOpinions} and coalesce((
  select false from ${opinions} own where own.record_id = ${records.id} and own.account_id = ${id} limit 1
), true))`
