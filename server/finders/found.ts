import { sql } from 'drizzle-orm'
import { FINDERS_NAMED, type Finder, type FinderSummary } from '#contract/finder.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { prepared, rowsOfIds } from '#server/db/prepared.ts'
import { accounts, finders, records } from '#server/db/schema.ts'
import { isoTime, shownName } from '#server/db/sql.ts'

// The first finder of a record is its creator. The creators and finders of records merged into it are its finders too.

/** `accountId` is the owner's: the account of the creator, or with the address that an import gave as the creator. */
export type FinderRow = Omit<Finder, 'fellow' | 'isMe'> & {
  accountId: string | null
  fellowId: string | null
  name: string
}

/** What a record shows of a finder. `accountId` is the owner's, as in `FinderRow`. */
export type KnownFinder = { accountId: string | null; name: string; foundAt: string }

/** Whether others than the creator of a record may have found it. Not `exists`, for which PostgreSQL may read all finders. */
export const hasMoreFinders = sql<boolean>`coalesce(
  (select true from ${finders} where ${finders.recordId} = ${records.id} limit 1),
  (select true from ${records} merged where merged.merged_into = ${records.id} limit 1),
  false
)`

/** The finders of a record, first finder first. */
export const listFinders = async (db: Database, id: string): Promise<FinderRow[]> =>
  (await listFindersOf(db, [id])).get(id) ?? []

const findersAmong = prepared((db) =>
  db
    .select({
      root: sql<string>`found.root`,
      via: sql<Finder['via']>`found.via`,
      accountId: sql<string | null>`found.owner_id`,
      foundAt: isoTime(sql`found.found_at`),
      fellowId: accounts.publicId,
      name: shownName(accounts, sql`found.fellow_text`).as('name'),
    })
    .from(
      sql`(
        with tree as (
          select root.id as root, tree.id
          from ${rowsOfIds('ids')} as root (id) cross join lateral merged_tree(root.id) as tree
        )
        select distinct on (root, account_id, fellow_text) root, account_id, fellow_text, owner_id, found_at,
          case when id = root then via else 'merge' end as via
        from (
          select tree.root, tree.id, ${records.creatorId} as account_id, ${records.creatorText} as fellow_text,
            owner_of(${records.creatorId}, ${records.creatorText}) as owner_id, ${records.createdAt} as found_at, case when ${records.isImported} then 'import' else 'add' end as via
          from tree join ${records} on ${records.id} = tree.id
          where ${records.creatorId} is not null or ${records.creatorText} is not null
          union all
          select tree.root, tree.id, account_id, fellow_text, account_id, found_at, via
          -- The offset makes the planner look up each record. It would read all finders otherwise.
          from tree cross join lateral (select * from ${finders} where ${finders.recordId} = tree.id offset 0) own
        ) finds
        order by root, account_id, fellow_text, found_at
      ) found`,
    )
    .leftJoin(accounts, sql`${accounts.id} = found.account_id`)
    .orderBy(sql`found.found_at, name`)
    .prepare('finders'),
)

/** The same for many records, by id. */
export async function listFindersOf(db: Database, ids: string[]): Promise<Map<string, FinderRow[]>> {
  if (ids.length === 0) return new Map()
  const found = new Map(ids.map((id): [string, FinderRow[]] => [id, []]))
  for (const { root, ...finder } of await findersAmong(db).execute({ ids })) found.get(root)?.push(finder)
  return found
}

/** The same as exports have them. */
export const listFoundOf = async (db: Database, _kind: unknown, ids: string[]) =>
  new Map(
    [...(await listFindersOf(db, ids))].map(([id, rows]) => [
      id,
      rows.map(({ name, foundAt, via }) => ({ name, foundAt, via })),
    ]),
  )

/** The finders of a record that only its creator has found. */
export const creatorAsFinder = (
  { createdBy, createdAt }: { createdBy: string | null; createdAt: Date },
  ownerId: string | null,
): KnownFinder[] =>
  createdBy === null ? [] : [{ accountId: ownerId, name: createdBy, foundAt: createdAt.toISOString() }]

/** The finders of a record that unites two. */
export function uniteFinders(...both: KnownFinder[][]): KnownFinder[] {
  const all = both.flat().sort((a, b) => a.foundAt.localeCompare(b.foundAt) || a.name.localeCompare(b.name))
  const first = ({ accountId, name }: KnownFinder) =>
    all.find((other) => other.accountId === accountId && other.name === name)
  return all.filter((finder) => first(finder) === finder)
}

/** The finders of a record as its own answer and lists show them. */
export const summarizeFinders = (caller: Pick<Account, 'id'>, rows: KnownFinder[] = []): FinderSummary => ({
  names: rows.slice(0, FINDERS_NAMED).map(({ name }) => name),
  count: rows.length,
  mine: rows.some(({ accountId }) => accountId === caller.id),
})
