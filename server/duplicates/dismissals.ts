import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { dismissals, duplicateChecks, duplicatePairs } from '#server/db/schema.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'

// Two records that a fellow has marked as not the same, for everyone.

type Kind = Pick<RecordKind, 'name'>

/** A pair that is dismissed already stays as it is. */
export async function dismissPair(db: Database, kind: Kind, caller: Caller, ...ids: [string, string]): Promise<void> {
  const [a, b] = ids.sort() as [string, string]
  await withActor(db, caller, async (tx) => {
    const dismissed = await tx
      .insert(duplicatePairs)
      .values({ a, b, kind: kind.name, reasons: [], score: 0, dismissed: sql`equal_addresses(${a}, ${b})` })
      .onConflictDoUpdate({
        target: [duplicatePairs.a, duplicatePairs.b],
        set: { dismissed: sql`equal_addresses(${a}, ${b})` },
        setWhere: isNull(duplicatePairs.dismissed),
      })
      .returning({ a: duplicatePairs.a })
    if (dismissed.length === 0) return
    await tx.insert(dismissals).values({ id: uuidv7(), kind: kind.name, a, b, accountId: caller.id })
    await announce(tx, kind, caller, { a, b, action: 'dismiss-duplicate' })
  })
}

/** The pair is compared again, because the records may have changed since. */
export async function undoDismissal(db: Database, kind: Kind, caller: Caller, ...ids: [string, string]): Promise<void> {
  const [a, b] = ids.sort() as [string, string]
  await withActor(db, caller, async (tx) => {
    const isPair = and(eq(duplicatePairs.a, a), eq(duplicatePairs.b, b))
    const opened = await tx
      .update(duplicatePairs)
      .set({ dismissed: null })
      .where(and(isPair, isNotNull(duplicatePairs.dismissed)))
      .returning({ reasons: duplicatePairs.reasons })
    if (opened.length === 0) return
    // No comparison has found this pair.
    if (opened[0]?.reasons.length === 0) await tx.delete(duplicatePairs).where(isPair)
    await tx
      .update(dismissals)
      .set({ undoneAt: sql`now()` })
      .where(and(eq(dismissals.a, a), eq(dismissals.b, b), isNull(dismissals.undoneAt)))
    await tx
      .insert(duplicateChecks)
      .values({ recordId: a })
      .onConflictDoUpdate({ target: duplicateChecks.recordId, set: { changeId: sql`excluded.change_id` } })
    await announce(tx, kind, caller, { a, b, action: 'undo-dismissal' })
  })
}

/** Records the act in the audit log, and notifies the pages that show either record. */
async function announce(
  tx: Database,
  { name: kind }: Kind,
  caller: Caller,
  { a, b, action }: { a: string; b: string; action: 'dismiss-duplicate' | 'undo-dismissal' },
): Promise<void> {
  await recordAuditEntry(tx, { action, by: caller, kind, objectId: a, detail: { other: b } })
  for (const id of [a, b]) await notifyChange(tx, { kind, change: 'updated', id })
}
