import { type SQL, sql } from 'drizzle-orm'
import type { KnownAccount } from '#server/auth/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { counters, finders, notes, records } from '#server/db/schema.ts'
import { giveRecords } from '#server/records/write/write.ts'

/**
 * Imported records, notes and finders name a fellow in text. What names this one, by address or by a name that no other
 * account has, becomes the account's, which then has neither.
 */
export async function giveTexts(tx: Database, { id, name, email }: Pick<KnownAccount, 'id' | 'name' | 'email'>) {
  const [others] = await rowsOf<{ count: number }>(
    tx,
    sql`select count(*)::int as count from accounts where lower(name) = lower(${name}) and id <> ${id}`,
  )
  const texts = [email, ...(name !== '' && others?.count === 0 ? [name.toLowerCase()] : [])]
  const isThem = (
    column:
      | SQL
      | typeof records.creatorText
      | typeof notes.authorText
      | typeof finders.fellowText
      | typeof counters.creatorText,
  ) => sql`lower(${column}) = any (${sql.param(texts)}::text[])`

  const given = await giveRecords(tx, id, isThem(records.creatorText))
  const written = await rowsOf<{ id: string }>(
    tx,
    sql`update ${notes} set author_id = ${id}, author_text = null
      where author_id is null and ${isThem(notes.authorText)} returning record_id as id`,
  )
  // Of several that name one finder of a record the first stays. The creator is a finder already.
  await tx.execute(sql`
    delete from ${finders} where ${isThem(finders.fellowText)} and (
      exists (select from records where records.id = ${finders.recordId} and records.creator_id = ${id})
      or exists (
        select from finders earlier where earlier.record_id = ${finders.recordId} and (
          earlier.account_id = ${id} or (
            ${isThem(sql`earlier.fellow_text`)}
            and (earlier.found_at, earlier.fellow_text) < (${finders.foundAt}, ${finders.fellowText})
          )
        )
      )
    )`)
  const found = await rowsOf<{ id: string }>(
    tx,
    sql`update ${finders} set account_id = ${id}, fellow_text = null
      where ${isThem(finders.fellowText)} returning record_id as id`,
  )
  // Records that no longer count under a text leave a row of zeros.
  await tx.execute(sql`delete from counters where ${isThem(counters.creatorText)} and added = 0 and mine = 0`)
  const touched = [...new Set([...given, ...[...written, ...found].map((row) => row.id)])]
  await tx.execute(sql`
    select rebuild_record(root) from (
      select distinct merged_root(one) as root from unnest(${sql.param(touched)}::uuid[]) one order by root
    ) roots`)
}
