import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { kinds } from '#contract/kinds.ts'
import type { Leaver } from '#contract/programme.ts'
import { isActive } from '#server/account/active-accounts.ts'
import { getAccount, type KnownAccount } from '#server/auth/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { isOfKind } from '#server/records/kind.ts'
import { NO_PERSON } from './store.ts'

/** The accounts of these public ids. Throws the 404 when one of them is missing. */
export async function getPeople(db: Database, publicIds: string[]): Promise<KnownAccount[]> {
  const rows = await db.select({ id: accounts.id }).from(accounts).where(inArray(accounts.publicId, publicIds))
  const people = await Promise.all(rows.map(({ id }) => getAccount(db, id)))
  if (rows.length < new Set(publicIds).size) throw notFound(NO_PERSON)
  return people.filter((account) => account !== undefined)
}

/** The account of the fellow who takes over. Throws the 400 for one who leaves too, or cannot be chosen. */
export async function getSuccessor(db: Database, publicId: string, leaverIds: string[]): Promise<string> {
  const [fellow] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.publicId, publicId), notInArray(accounts.publicId, leaverIds), isActive))
  if (fellow === undefined) throw invalid({ responsible: 'Choose a fellow who stays' })
  return fellow.id
}

/** What each of these people has here, by name. Throws the 404 when one of them is missing. */
export async function countForLeaving(db: Database, publicIds: string[]): Promise<Leaver[]> {
  const rows = await rowsOf<Leaver>(
    db,
    sql`
      select public_id as id, name, email,
        (select count(*)::int from record_members where account_id = accounts.id and is_owner) as created,
        (select count(*)::int from record_members where account_id = accounts.id and is_finder and not is_owner) as found,
        (select count(*)::int from notes where author_id = accounts.id) as notes,
        ${sql.join(
          kinds.map(
            (kind) =>
              sql`(select count(*)::int from records where responsible_id = accounts.id and ${isOfKind(records.kind, kind)})`,
          ),
          sql` + `,
        )} as responsible,
        (
          select count(*)::int from record_members join records on records.id = record_id
          where account_id = accounts.id and is_owner and responsible_id is null
        ) as unassigned
      from accounts where public_id = any (${`{${publicIds.join()}}`}::uuid[])
      order by name, accounts.id`,
  )
  if (rows.length < new Set(publicIds).size) throw notFound(NO_PERSON)
  return rows
}
