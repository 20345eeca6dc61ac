import { sql } from 'drizzle-orm'
import { BULK_OTHERS_MAX } from '#contract/bulk.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, bulkActs, bulkRows, records } from '#server/db/schema.ts'
import { tooManyChanges } from '#server/http/errors.ts'
import { rights } from '#server/rights.ts'

const DAY_SECONDS = 86_400

/** Acts of one fellow follow one after the other, so that two at once do not pass the limit. Locked before their records. */
export const lockLimit = (tx: Database, { id }: Caller) =>
  tx.execute(sql`select from ${accounts} where ${accounts.id} = ${id} for no key update`)

/** Throws the 429 for more records of others than a fellow may change in 24 hours. What was undone counts too. */
export async function requireWithinLimit(tx: Database, caller: Caller, changed: { ownerId: string | null }[]) {
  const others = changed.filter(({ ownerId }) => ownerId !== caller.id).length
  if (rights.changeMany.allows(caller) || others === 0) return
  // Act by act: as a join PostgreSQL would read all rows of all acts.
  const acts = await rowsOf<{ count: number; age: number }>(
    tx,
    sql`
      select (
          select count(*)::int from (
            select ${bulkRows.recordId} as id from ${bulkRows} where ${bulkRows.bulkId} = ${bulkActs.id} and ${bulkRows.error} is null offset 0
          ) changed join ${records} on ${records.id} = changed.id
          where owner_of(${records.creatorId}, ${records.creatorText}) is distinct from ${caller.id}::uuid
        ) as count, extract(epoch from now() - ${bulkActs.doneAt})::float8 as age
      from ${bulkActs}
      where ${bulkActs.accountId} = ${caller.id} and ${bulkActs.doneAt} > now() - make_interval(secs => ${DAY_SECONDS})
      order by ${bulkActs.doneAt} desc`,
  )
  let left = BULK_OTHERS_MAX - others
  for (const { count, age } of acts) {
    left -= count
    // There is room once this act and all before it are older.
    if (left < 0) throw tooManyChanges(BULK_OTHERS_MAX, Math.max(1, Math.ceil(DAY_SECONDS - age)))
  }
}
