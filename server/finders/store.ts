import { sql } from 'drizzle-orm'
import type { Finder } from '#contract/finder.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, finders, recordMembers, records } from '#server/db/schema.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'

// The first finder of a record is its creator. The creators and finders of records merged into it are its finders too.

/** `accountId` is the owner's: the account of the creator, or with the address that an import gave as the creator. */
export type FinderRow = Omit<Finder, 'fellow' | 'isMe'> & {
  accountId: string | null
  fellowId: string | null
  name: string
}

/** The finders of a record, first finder first. */
export const listFinders = async (db: Database, id: string): Promise<FinderRow[]> =>
  (await listFindersOf(db, [id])).get(id) ?? []

/** The same for many records, by id. */
export async function listFindersOf(db: Database, ids: string[]): Promise<Map<string, FinderRow[]>> {
  const rows = await rowsOf<FinderRow & { root: string }>(
    db,
    sql`with tree as (
        select root.id as root, tree.id
        from unnest(${`{${ids.join()}}`}::uuid[]) as root (id) cross join lateral merged_tree(root.id) as tree
      )
      select found.root, found.via, found.owner_id as "accountId", to_char(found.found_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "foundAt",
        ${accounts.publicId} as "fellowId", coalesce(nullif(${accounts.name}, ''), ${accounts.email}, found.fellow_text) as name
      from (
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
      ) found
      left join ${accounts} on ${accounts.id} = found.account_id
      order by found.found_at, name`,
  )
  const found = new Map(ids.map((id): [string, FinderRow[]] => [id, []]))
  for (const { root, ...finder } of rows) found.get(root)?.push(finder)
  return found
}

/** Adds the caller to a record's finders. False when the caller was one already. */
export async function addFinder(
  db: Database,
  kind: Pick<RecordKind, 'name'>,
  id: string,
  caller: Caller,
): Promise<boolean> {
  return withActor(db, caller, async (tx) => {
    // Locked, so that the record is not merged away at the same time.
    const added = await rowsOf(
      tx,
      sql`insert into ${finders} (record_id, account_id, via)
        select ${records.id}, ${caller.id}, 'self' from ${records}
        where ${records.id} = ${id} and ${isOfKind(records.kind, kind)} and not exists (
          select from merged_tree(${id}) tree join ${records} found on found.id = tree.id
          where owner_of(found.creator_id, found.creator_text) = ${caller.id}
            or exists (select from finders known where known.record_id = tree.id and known.account_id = ${caller.id})
        )
        for key share
        on conflict do nothing returning record_id`,
    )
    if (added.length === 0) return false
    await tx.execute(sql`
      insert into ${recordMembers} as member (record_id, kind, account_id, created_at, is_finder)
      select ${records.id}, ${records.kind}, ${caller.id}, ${records.createdAt}, true from ${records} where ${records.id} = ${id}
      on conflict (record_id, account_id) do update set is_finder = true`)
    await recordAuditEntry(tx, { action: 'add-finder', by: caller, kind: kind.name, objectId: id })
    await notifyChange(tx, { kind: kind.name, change: 'updated', id })
    return true
  })
}

/** Takes back that the caller has met the person too. Does nothing for who found the record in another way. */
export async function deleteFinder(
  db: Database,
  kind: Pick<RecordKind, 'name'>,
  id: string,
  caller: Caller,
): Promise<void> {
  await withActor(db, caller, async (tx) => {
    const deleted = await rowsOf(
      tx,
      sql`delete from ${finders} where record_id in (select id from merged_tree(${id}))
        and account_id = ${caller.id} and via = 'self' returning record_id`,
    )
    if (deleted.length === 0) return
    await tx.execute(sql`select id from ${records} where id = ${id} for update`)
    await tx.execute(sql`select rebuild_record(${id})`)
    await recordAuditEntry(tx, { action: 'delete-finder', by: caller, kind: kind.name, objectId: id })
    await notifyChange(tx, { kind: kind.name, change: 'updated', id })
  })
}
