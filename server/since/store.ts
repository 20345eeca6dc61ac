import { sql } from 'drizzle-orm'
import { type KindName, kindNames, kinds } from '#contract/kinds.ts'
import { SINCE_COUNT_MAX } from '#contract/limits.ts'
import type { ListQuery } from '#contract/record.ts'
import type { Since, SinceCount } from '#contract/since.ts'
import { type SeenKey, seenKeys } from '#contract/since-keys.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, sinceSeen } from '#server/db/schema.ts'
import { candidates } from '#server/lists/candidates.ts'
import { type CohortKind, cohortValue } from '#server/lists/cohorts/cohort.ts'
import { addedSince, givenSince, notedSince } from '#server/lists/cohorts/since.ts'
import { type Reading, recordQuery } from '#server/lists/query.ts'
import { getHorizon } from '#server/records/horizon.ts'
import type { RecordKind } from '#server/records/kind.ts'

/** What is counted under a key since it was last seen, and of which kinds. */
const counted: { key: SeenKey; cohort: CohortKind<[number, number]>; of: KindName[] }[] = [
  ...kinds.map(({ name, path }) => ({ key: path, cohort: addedSince, of: [name] })),
  { key: 'notesOnMine', cohort: notedSince, of: kindNames },
  { key: 'givenToMe', cohort: givenSince, of: kindNames },
]

/** What others did since the caller has last seen each number. */
export async function countSince(reading: Reading, kinds: readonly RecordKind[], caller: Account): Promise<Since> {
  const { db, secret } = reading
  const until = await getHorizon(db)
  const seen = await getSeen(db, caller)
  const counts = counted.flatMap(({ key, cohort, of }) =>
    kinds
      .filter(({ name }) => of.includes(name))
      .map(async (kind) => {
        const from = Math.min(seen(key, kind.name), until)
        const value = cohortValue({ secret, caller }, cohort, from, until)
        return {
          key,
          kind: kind.name,
          count: { ...(await countList(reading, kind, caller, { cohort: value })), cohort: value },
        }
      }),
  )
  const awaiting = kinds.map(async (kind) => [
    kind.name,
    await countList(reading, kind, caller, { opinion: 'missing' }),
  ])
  const since: Since = {
    until: new Date(until).toISOString(),
    ...(Object.fromEntries(seenKeys.map((key) => [key, {}])) as Pick<Since, SeenKey>),
    // Of all times: the time of an opinion is not shown before one's own.
    awaitingOpinion: Object.fromEntries(await Promise.all(awaiting)),
  }
  for (const { key, kind, count } of await Promise.all(counts)) since[key][kind] = count
  return since
}

/** By the filter of the list itself, so that both agree. */
async function countList(reading: Reading, kind: RecordKind, caller: Account, filters: ListQuery): Promise<SinceCount> {
  const query = await recordQuery(reading, kind, caller, filters)
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
  const rows = await rowsOf<{ key: string | null; kind: string | null; start: string; until: string | null }>(
    db,
    sql`select ${sinceSeen.key}, ${sinceSeen.kind}, to_json(${accounts.countsSince}) #>> '{}' as start,
        to_json(${sinceSeen.seenUntil}) #>> '{}' as until
      from ${accounts} left join ${sinceSeen} on ${sinceSeen.accountId} = ${accounts.id} where ${accounts.id} = ${id}`,
  )
  const start = new Date(rows[0]?.start ?? 0).getTime()
  const known = new Map(rows.map(({ key, kind, until }) => [`${key} ${kind}`, until && new Date(until).getTime()]))
  return (key: SeenKey, kind: KindName): number => known.get(`${key} ${kind}`) || start
}

/** Remembers what the account has seen. It never goes back, nor beyond now. */
export async function setSeen(
  db: Database,
  { id }: Pick<Account, 'id'>,
  key: SeenKey,
  { until, kinds }: { until: string; kinds: KindName[] },
): Promise<void> {
  for (const kind of kinds) {
    await db.execute(
      sql`insert into ${sinceSeen} as known (account_id, key, kind, seen_until)
        values (${id}, ${key}, ${kind}, least(${until}::timestamptz, now()))
        on conflict (account_id, key, kind) do update set seen_until = greatest(known.seen_until, excluded.seen_until)`,
    )
  }
}

/** The kinds of record that a number can count. */
export const kindsOf = (key: SeenKey): KindName[] => counted.find((one) => one.key === key)?.of ?? []
