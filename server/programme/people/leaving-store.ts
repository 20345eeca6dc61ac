import { inArray, sql } from 'drizzle-orm'
import type { Leaver } from '#contract/programme.ts'
import { getAccount, type KnownAccount } from '#server/auth/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import { notFound } from '#server/http/errors.ts'
import { NO_PERSON } from './store.ts'

/** The accounts of these public ids. Throws the 404 when one of them is missing. */
export async function getPeople(db: Database, publicIds: string[]): Promise<KnownAccount[]> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(inArray(accounts.publicId, publicIds))
  const people = await Promise.all(rows.map(({ id }) => getAccount(db, id)))
  if (rows.length < new Set(publicIds).size) throw notFound(NO_PERSON)
  return people.filter((account) => account !== undefined)
}

/** What each of these people has here, by name. Throws the 404 when one of them is missing. */
export async function countForLeaving(db: Database, publicIds: string[]): Promise<Leaver[]> {
  const rows = await rowsOf<Leaver>(
    db,
    sql`
      select public_id as id, name, email,
        (select count(*)::int from record_members where account_id = accounts.id and is_owner) as created,
        (select count(*)::int from record_members where account_id = accounts.id and is_finder and not is_owner) as found,
        (select count(*)::int from notes where author_id = accounts.id) as notes
      from accounts where public_id = any (${`{${publicIds.join()}}`}::uuid[])
      order by name, accounts.id`,
  )
  if (rows.length < new Set(publicIds).size) throw notFound(NO_PERSON)
  return rows
}
