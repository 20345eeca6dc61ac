import { sql } from 'drizzle-orm'
import type { KnownAccount } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { emptyAuditEntries } from '../privacy/erase.ts'

/**
 * Empties in the history the address of an erased person, and the values that are about them: the entries of the account,
 * and entries elsewhere with the address or, as a creator or an author, the name. Who acted stays, as an account.
 */
export async function emptyAuditOf(tx: Database, { id, name, email }: Pick<KnownAccount, 'id' | 'name' | 'email'>) {
  await emptyAuditEntries(tx, sql`account_id = ${id} or account_email = ${email}`, 'actor')
  const values = sql`lower(concat_ws(' ', before, after, detail))`
  const asName = sql`concat_ws(' ', before ->> 'creatorText', after ->> 'creatorText', before ->> 'authorText', after ->> 'authorText',
    before ->> 'fellowText', after ->> 'fellowText')`
  await emptyAuditEntries(
    tx,
    sql`(before is not null or after is not null or detail is not null) and (
      (kind = 'account' and object_id = ${id})
      or strpos(${values}, lower(to_json(${email}::text)::text)) > 0
      or (${name} <> '' and strpos(lower(${asName}), lower(${name})) > 0)
    )`,
    'values',
  )
  await tx.execute(sql`
    update denied_requests set account_email = null, ip = null, detail = null where account_email = ${email}`)
}
