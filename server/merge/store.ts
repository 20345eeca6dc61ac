import { eq, getTableColumns, getTableName, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { KeptOnSurvivor, MergeInput } from '#contract/merge.ts'
import { beginAct, withActor } from '#server/audit-log/actor.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { counters, merges, recordMembers, records } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { recordData } from '#server/record-features.ts'
import { isOfKind, mergedKind, type RecordKind } from '#server/records/kind.ts'
import { listOpenMerges, rootOf } from '#server/records/merged.ts'
import { notifyChange } from '#server/records/notify.ts'
import { columnOf, type RecordData } from '#server/records/record-data.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { editRecord, refuseListedRecords } from '#server/records/write/write.ts'
import { byHand } from '#server/records/write/written-columns.ts'
import { RECORD_DELETED, UNDO_NEWER_FIRST, VALUES_ERASED } from './policy.ts'
import { changeTo, type FullRecord, foundFirst, restoredValues, type Values, valuesAfter, valuesOf } from './values.ts'

// A merged record keeps its row under its id, so that an undo finds it there. `record-features.ts` says what happens
// to the rows of its other tables. The creator is special, because it is the first finder of a record: see `firstFinderOf`.

export type Merge = typeof merges.$inferSelect

/**
 * Part of a transaction of the caller. Undefined, without a change, when a record is gone, merged away, or no longer at
 * the given version. Without `canChoose` the rule of merges applies, and other choices are refused.
 */
export async function mergeRecords(
  tx: Database,
  kind: RecordKind,
  caller: Caller,
  id: string,
  { survivorId, duplicateId, versions, choices, canChoose }: MergeInput & { canChoose: boolean },
): Promise<Merge | undefined> {
  const [survivor, duplicate] = await lockBoth(tx, survivorId, duplicateId, isOfKind(records.kind, kind))
  if (survivor?.version !== versions[survivorId] || duplicate?.version !== versions[duplicateId]) return undefined
  if (!survivor || !duplicate) return undefined
  const both = { survivor, duplicate }
  const before = valuesOf(kind, survivor)
  const after = valuesAfter(kind, both, { choices, canChoose })
  const swapsFinder = foundFirst(both) === 'duplicate'
  await lockCounters(tx, kind, survivor, duplicate)
  const detail = { survivorId, duplicateId }
  await beginAct(tx, caller, { action: 'merge', detail: { mergeId: id, ...detail }, mergeId: id, assignments: 'kept' })
  const moved: Merge['moved'] = {}
  for (const rows of rowsThat('moved')) {
    // A table with two columns of records is moved by each of them. One kind of record is in one column.
    const ids = await moveRows(tx, rows, { from: duplicateId, to: survivorId })
    moved[getTableName(rows.table)] = [...(moved[getTableName(rows.table)] ?? []), ...ids]
  }
  for (const rows of rowsThat('rebuilt')) {
    await tx.execute(sql`delete from ${rows.table} where ${rows.record} = ${duplicateId}`)
  }
  const [merge] = await tx
    .insert(merges)
    .values({ id, kind: kind.name, ...detail, accountId: caller.id, before, after, moved, swapsFinder })
    .returning()
  await editRecord(tx, kind, duplicateId, {
    kind: sql`${mergedKind(kind).name}`,
    mergedInto: survivorId,
    ...(swapsFinder && firstFinderOf(survivor)),
  })
  const change = { ...changeTo(after, survivor), ...(swapsFinder && firstFinderOf(duplicate)) }
  await editRecord(tx, kind, survivorId, { ...change, ...byHand(caller) })
  await rebuild(tx, [survivorId, duplicateId])
  await notifyChange(tx, { kind: kind.name, change: 'merged', id: survivorId, mergedId: duplicateId })
  return merge
}

/** Restores both records, except for later changes. Throws the 409 when that is not possible. */
export async function undoMerge(
  db: Database,
  kind: RecordKind,
  caller: Caller,
  { id }: Pick<Merge, 'id'>,
): Promise<KeptOnSurvivor[]> {
  return withActor(db, caller, async (tx) => {
    const { survivorId, duplicateId, ...asked } = await getMerge(tx, id)
    const [survivor, duplicate] = await lockBoth(tx, survivorId, duplicateId)
    if (!survivor || !duplicate || survivor.deletedAt || duplicate.deletedAt) throw new AppError(409, RECORD_DELETED)
    const { undoneAt } = await getMerge(tx, id)
    if (undoneAt !== null) throw new AppError(409, 'This merge has been undone')
    const [newest] = await listOpenMerges(tx, await rootOf(tx, survivorId))
    if (newest?.id !== id) throw new AppError(409, UNDO_NEWER_FIRST, { undoFirst: newest?.id })
    if (!hasValues(asked)) throw new AppError(409, VALUES_ERASED)
    await lockCounters(tx, kind, survivor, duplicate)
    const detail = { mergeId: id, survivorId, duplicateId }
    await beginAct(tx, caller, { action: 'undo-merge', detail, isUndo: true, assignments: 'kept' })

    const { values, kept } = restoredValues(
      kind,
      valuesOf(kind, survivor),
      asked.before as Values,
      asked.after as Values,
    )
    await refuseListedRecords(tx, [kind], [duplicateId])
    await editRecord(tx, { ...kind, ...mergedKind(kind) }, duplicateId, {
      kind: sql`${kind.name}`,
      mergedInto: null,
      enrichment: sql`${records.enrichment} - 'runningSince'`,
      ...(asked.swapsFinder && firstFinderOf(survivor)),
    })
    await editRecord(tx, kind, survivorId, {
      ...changeTo(values, survivor),
      ...(asked.swapsFinder && firstFinderOf(duplicate)),
    })
    for (const rows of rowsThat('moved')) {
      const ids = asked.moved[getTableName(rows.table)] ?? []
      await moveRows(tx, rows, { from: survivorId, to: duplicateId, ids })
    }
    for (const entry of recordData) {
      if (entry.addedByMerge !== undefined) {
        await tx.execute(sql`delete from ${entry.table} where ${or(...rowsIn(entry).map(({ record }) => eq(record, survivorId)))}
          and ${columnOf(entry, entry.addedByMerge)} = ${id}`)
      }
    }
    await tx.update(merges).set({ undoneAt: sql`now()` }).where(eq(merges.id, id))
    await rebuild(tx, [survivorId, duplicateId])
    await notifyChange(tx, { kind: kind.name, change: 'created', id: duplicateId })
    const changed = kept.map((what) => ({ what, id: survivorId, reason: 'Changed after the merge' }))
    return [...changed, ...(await addedSince(tx, asked.mergedAt, survivorId))]
  })
}

/** Whether an undo has what it needs: an erasure empties the values of a merge. */
export const hasValues = ({ before, after }: Pick<Merge, 'before' | 'after'>): boolean =>
  [before, after].every((values) => Object.keys(values).length > 0)

export async function getMerge(db: Database, id: string): Promise<Merge> {
  const [merge] = await db.select().from(merges).where(eq(merges.id, id))
  if (merge === undefined) throw notFound('There is no merge with this id')
  return merge
}

/** Locks the rows of both, and returns them. */
async function lockBoth(tx: Database, survivorId: string, duplicateId: string, isLive?: SQL) {
  const rows = await lockRecords(tx, [survivorId, duplicateId], getTableColumns(records), 'update', isLive)
  const rowOf = (wanted: string) => rows.find(({ id }) => id === wanted)
  return [rowOf(survivorId), rowOf(duplicateId)] as const
}

/** A table, and a column of it that leads to the record. */
type Rows = { table: RecordData['table']; record: PgColumn }

const rowsIn = (entry: RecordData): Rows[] =>
  (entry.record ?? []).map((name) => ({ table: entry.table, record: columnOf(entry, name) }))

const rowsThat = (merge: RecordData['merge']): Rows[] =>
  recordData.filter((entry) => entry.merge === merge).flatMap(rowsIn)

/**
 * Moves the rows of a record to another one: all, or those with the given ids. Returns their ids. Locks them in the order
 * of their ids first: a link is moved by merges of both of its records.
 */
async function moveRows(
  tx: Database,
  { table, record }: Rows,
  { from, to, ids }: { from: string; to: string; ids?: string[] },
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    tx,
    sql`with moving as materialized (
        select id from ${table} where ${record} = ${from} ${ids && sql`and id = any(${sql.param(ids)}::uuid[])`}
        order by id for update
      )
      update ${table} set ${sql.identifier(record.name)} = ${to}
      from moving where ${table}.id = moving.id returning ${table}.id`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Locks the counters of all finders and note authors of both, in the order in which triggers update them. Special, since
 * it is no treatment of rows. Not a SQL function, so that `plans.test.ts` sees what it reads.
 */
async function lockCounters(tx: Database, { name }: RecordKind, ...both: FullRecord[]) {
  const ids = sql`(${sql.join(
    both.map(({ id }) => sql`${id}`),
    sql`, `,
  )})`
  await tx.execute(sql`
    select from ${counters} where ${counters.kind} = ${name} and (
      ${counters.creatorId} in (
        select account_id from merged_tree(${both[0]?.id}) tree join finders on record_id = tree.id
        union select account_id from merged_tree(${both[1]?.id}) tree join finders on record_id = tree.id
        union select account_id from ${recordMembers} where record_id in ${ids}
        union select owner_of(creator_id, creator_text) from ${records} where id in ${ids}
      )
      or ${counters.creatorText} in (select creator_text from ${records} where id in ${ids})
    )
    order by ${counters.creatorId}, ${counters.creatorText} for update`)
}

/**
 * The creator of a record is its first finder. When the duplicate was found first, the two rows swap their creators.
 */
const firstFinderOf = ({ creatorId, creatorText, createdAt, isImported, firstRating }: FullRecord) => ({
  creatorId,
  creatorText,
  createdAt,
  isImported,
  firstRating,
})

/** Rebuilds one after the other, so that counters are locked in a fixed order. */
async function rebuild(tx: Database, ids: string[]) {
  for (const id of ids) await tx.execute(sql`select rebuild_record(${id})`)
}

/** The first finders of both records, and of those merged into them. Null for an unknown one. */
export async function listFirstFinders(
  db: Database,
  { survivorId, duplicateId }: Pick<Merge, 'survivorId' | 'duplicateId'>,
): Promise<(string | null)[]> {
  const rows = await rowsOf<{ id: string | null }>(
    db,
    sql`select owner_of(creator_id, creator_text) as id from ${records}
      where ${records.id} in (select tree.id from merged_tree(${survivorId}) tree union select ${duplicateId}::uuid)`,
  )
  return rows.map(({ id }) => id)
}

/** The rows that were added to the survivor after the merge, of the tables that list them. */
async function addedSince(tx: Database, mergedAt: Date, survivorId: string) {
  const kept: KeptOnSurvivor[] = []
  for (const entry of recordData) {
    if (entry.added === undefined) continue
    const { what, at } = entry.added
    const id = 'id' in entry.report ? columnOf(entry, 'id') : sql`${survivorId}::uuid`
    for (const { table, record } of rowsIn(entry)) {
      const rows = await rowsOf<{ id: string }>(
        tx,
        sql`select ${id} as id from ${table}
          where ${record} = ${survivorId} and ${columnOf(entry, at)} > ${mergedAt.toISOString()}::timestamptz`,
      )
      kept.push(...rows.map(({ id }) => ({ what, id, reason: 'Added after the merge' })))
    }
  }
  return kept
}
