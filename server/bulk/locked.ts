import { getTableColumns, sql } from 'drizzle-orm'
import { type KindName, kinds } from '#contract/kinds.ts'
import type { Status } from '#contract/status.ts'
import type { Database } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { isOfAny, mergedKind } from '#server/records/kind.ts'
import { notifyChange } from '#server/records/notify.ts'
import { lockRecords } from '#server/records/write/lock.ts'

/** A record of any kind, as the act finds it. */
export type LockedRecord = {
  id: string
  kind: KindName
  status: Status
  stageId: string | null
  responsibleId: string | null
  nextStep: string | null
  nextOn: string | null
  passingReasonId: string | null
  passingText: string | null
  lookAgainOn: string | null
  lastActivityAt: Date
  lastActivityBy: string | null
  ownerId: string | null
}

/**
 * Locks the records among these ids in the order of ids, as merges do. Merged and deleted ones are not locked: a deletion locks
 * them after the record into which they were merged.
 */
export async function lockForBulk(tx: Database, ids: string[]): Promise<Map<string, LockedRecord>> {
  const { id, kind, stageId, responsibleId, nextStep, nextOn, lastActivityAt, lastActivityBy, ...others } =
    getTableColumns(records)
  const { status, passingReasonId, passingText, lookAgainOn } = others
  const outcome = { status, passingReasonId, passingText, lookAgainOn }
  const columns = {
    id,
    kind,
    stageId,
    responsibleId,
    nextStep,
    nextOn,
    ...outcome,
    lastActivityAt,
    lastActivityBy,
    ownerId,
  }
  const rows = await lockRecords(tx, ids, columns, 'no key update', isOfAny(records.kind))
  return new Map(rows.map((row) => [row.id, row]))
}

const isAmong = (ids: string[]) => sql`${records.id} = any (${sql.param(ids)}::uuid[])`

/** Why there is no record with these ids, by id: those that were merged. All others were deleted, or never existed. */
export async function mergedAmong(tx: Database, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .select({ id: records.id })
    .from(records)
    .where(sql`${isAmong(ids)} and ${isOfAny(records.kind, kinds.map(mergedKind))}`)
  return new Set(rows.map(({ id }) => id))
}

const ownerId = sql<string | null>`owner_of(${records.creatorId}, ${records.creatorText})`

/** More changes than this are one event for each kind, as in `notify_of_records`. */
const NAMED = 20

/** Suppresses the events of single records, if there are many. `notifyOfMany` sends one for each kind. */
export async function beginMany(tx: Database, rows: unknown[]): Promise<void> {
  if (rows.length > NAMED) await tx.execute(sql`select set_config('sourcebook.quiet', 'on', true)`)
}

export async function notifyOfMany(
  tx: Database,
  rows: { kind: KindName }[],
  changes: ('tags' | 'pipeline')[],
): Promise<void> {
  if (rows.length <= NAMED) return
  for (const kind of new Set(rows.map((row) => row.kind))) {
    for (const change of changes) await notifyChange(tx, { kind, change })
  }
}

const AT_ONCE = 100

/**
 * Changes of rows of the table of records are made so many at a time: each computes the keys of the name for the indexes again,
 * which takes milliseconds for a company, and a statement has a time limit.
 */
export const inPieces = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, at) => items.slice(at * AT_ONCE, (at + 1) * AT_ONCE))
