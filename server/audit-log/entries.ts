import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AuditAction, DetailOf } from '#contract/audit-actions.ts'
import type { refusedDetail } from '#contract/audit-entry.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { auditLog, type Facts } from '#server/db/schema.ts'
import type { Actor, Origin } from './actor.ts'

/** One action, done or denied. `by` is the known part of the actor; without it, the product itself acted. */
export type AuditEntry<Action extends AuditAction = AuditAction> = {
  action: Action
  by?: { [Part in keyof Actor]?: Actor[Part] | undefined } | undefined
  kind?: string | undefined
  objectId?: string | undefined
  before?: Facts
  after?: Facts
  detail?: DetailOf<Action>
  /** The records of an export that count towards its limit. */
  exportedCount?: number
}

/** A denied request. */
export type DeniedEntry = Pick<AuditEntry, 'action' | 'by' | 'kind' | 'objectId'> & {
  detail: z.infer<typeof refusedDetail>
}

/**
 * Records what no trigger can see: sign-ins, accounts, exports, denied requests. With a transaction as `db` it commits
 * together with the change that it describes. Entries are never deleted, so they must not contain secrets.
 */
export async function recordAuditEntry<Action extends AuditAction>(
  db: Database,
  { by, ...entry }: AuditEntry<Action> | (DeniedEntry & { result: 'refused' }),
): Promise<void> {
  await db.insert(auditLog).values({
    ...entry,
    accountId: by?.id,
    accountEmail: by?.email,
    ip: by?.ip,
    requestId: by?.requestId,
    tokenId: by?.token?.id,
  })
}

/** Records what a person did with their own account. */
export const recordAccountEvent = (
  db: Database,
  action: AuditAction,
  { id, email }: { id: string; email: string },
  origin: Origin,
): Promise<void> => recordAuditEntry(db, { action, by: { id, email, ...origin }, kind: 'account', objectId: id })

const ADDRESSES_AT_ONCE = 1_000

/** Empties the network addresses of entries that are older than this. 0 keeps them. */
export async function deleteOldAddresses(db: Database, days: number): Promise<void> {
  let emptied = days === 0 ? 0 : ADDRESSES_AT_ONCE
  while (emptied === ADDRESSES_AT_ONCE) {
    const [row] = await rowsOf<{ count: number }>(
      db,
      sql`with old as materialized (
          select id, at from audit_log where ip is not null and at < now() - make_interval(days => ${days})
          order by at limit ${ADDRESSES_AT_ONCE}
        ), emptied as materialized (select empty_audit_entries(array_agg(id), array_agg(at), 'ip') from old)
        select (select count(*) from old)::int as count from emptied`,
    )
    emptied = row?.count ?? 0
  }
}
