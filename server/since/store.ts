import { sql } from 'drizzle-orm'
import { kinds as allKinds, type Kind } from '#contract/kinds.ts'
import { SINCE_COUNT_MAX } from '#contract/limits.ts'
import type { Since, SinceCount } from '#contract/since.ts'
import { type SinceKey, sinceKeys } from '#contract/since-keys.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, sinceSeen } from '#server/db/schema.ts'
import { candidates } from '#server/lists/candidates.ts'
import { cohortValue } from '#server/lists/cohorts/cohort.ts'
import { addedSince } from '#server/lists/cohorts/since.ts'
import { type Reading, recordQuery } from '#server/lists/query.ts'
import { getHorizon } from '#server/records/horizon.ts'
import type { RecordKind } from '#server/records/kind.ts'

/** What others have added since the caller has last seen each number. */
export async function countSince(reading: Reading, kinds: readonly RecordKind[], caller: Account): Promise<Since> {
  const { db, secret } = reading
  const until = await getHorizon(db)
  const seen = await getSeen(db, caller)
  const counts = kinds.map(async (kind) => {
    const cohort = cohortValue({ secret, caller }, addedSince, Math.min(seen(kind.path), until), until)
    return { key: kind.path, kind: kind.name, count: { ...(await countList(reading, kind, caller, cohort)), cohort } }
  })
  const since: Since = {
    until: new Date(until).toISOString(),
    ...(Object.fromEntries(sinceKeys.map((key) => [key, {}])) as Pick<Since, SinceKey>),
  }
  for (const { key, kind, count } of await Promise.all(counts)) since[key][kind] = count
  return since
}

/** By the filter of the list itself, so that both agree. */
async function countList(
  reading: Reading,
  kind: RecordKind,
  caller: Account,
  cohort: string,
): Promise<Omit<SinceCount, 'cohort'>> {
  const query = await recordQuery(reading, kind, caller, { cohort })
  const most = SINCE_COUNT_MAX + 1
  // In the order of the list, so that an index is read from its end and no table is read for the first matches.
  const { rows, order } = candidates({ kind, query, after: undefined }, most)
  const [found] = await rowsOf<{ count: number }>(
    reading.db,
    sql`select count(*)::int as count from (${rows} order by ${order} limit ${most}) counted`,
  )
  const count = found?.count ?? 0
  return { count: Math.min(count, SINCE_COUNT_MAX), hasMore: count > SINCE_COUNT_MAX }
}

/** Until when the account has seen a number, in milliseconds. */
async function getSeen(db: Database, { id }: Pick<Account, 'id'>) {
  const rows = await rowsOf<{ key: string | null; start: string; until: string | null }>(
    db,
    sql`select ${sinceSeen.key}, to_json(${accounts.countsSince}) #>> '{}' as start,
        to_json(${sinceSeen.seenUntil}) #>> '{}' as until
      from ${accounts} left join ${sinceSeen} on ${sinceSeen.accountId} = ${accounts.id} where ${accounts.id} = ${id}`,
  )
  const start = new Date(rows[0]?.start ?? 0).getTime()
  const known = new Map(rows.map(({ key, until }) => [key, until && new Date(until).getTime()]))
  return (key: SinceKey): number => known.get(key) || start
}

/** Remembers what the account has seen. It never goes back, nor beyond now. */
export async function setSeen(db: Database, { id }: Pick<Account, 'id'>, key: SinceKey, until: string): Promise<void> {
  const { name } = allKinds.find(({ path }) => path === key) as Kind
  await db.execute(
    sql`insert into ${sinceSeen} as known (account_id, key, kind, seen_until)
      values (${id}, ${key}, ${name}, least(${until}::timestamptz, now()))
      on conflict (account_id, key, kind) do update set seen_until = greatest(known.seen_until, excluded.seen_until)`,
  )
}
