import { sql } from 'drizzle-orm'
import type { Follow } from '#contract/follow.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { follows } from '#server/db/schema.ts'

type Of = { id: string; caller: Pick<Account, 'id'> }

/** A record unites what was chosen for each of those merged into it. A mute wins. */
export async function getFollow(db: Database, { id, caller }: Of): Promise<Follow['state']> {
  const [row] = await rowsOf<{ isMuted: boolean | null }>(
    db,
    sql`select bool_or(${follows.isMuted}) as "isMuted" from merged_tree(${id}) tree
      join ${follows} on ${follows.recordId} = tree.id and ${follows.accountId} = ${caller.id}`,
  )
  if (row?.isMuted == null) return 'none'
  return row.isMuted ? 'mute' : 'follow'
}

/** Chooses for a record and everything merged into it. */
export async function putFollow(db: Database, { id, caller }: Of, state: Follow['state']): Promise<void> {
  if (state === 'none') {
    await db.execute(
      sql`delete from ${follows} where ${follows.accountId} = ${caller.id}
        and ${follows.recordId} in (select tree.id from merged_tree(${id}) tree)`,
    )
    return
  }
  // Also a record that is erased at this moment: then there is nothing to follow.
  await db.execute(
    sql`insert into ${follows} (record_id, account_id, is_muted)
      select records.id, ${caller.id}, ${state === 'mute'} from merged_tree(${id}) tree join records on records.id = tree.id
      order by records.id for key share of records
      on conflict (account_id, record_id) do update set is_muted = excluded.is_muted, chosen_at = excluded.chosen_at
      where follows.is_muted <> excluded.is_muted`,
  )
}
