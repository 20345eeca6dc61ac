import { type AnyColumn, and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { BULK_UNDO_DAYS, type BulkUndone, NO_BULK } from '#contract/bulk.ts'
import { kinds } from '#contract/kinds.ts'
import { isActive } from '#server/account/active-accounts.ts'
import { beginAct, undoOfBulk, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import {
  accounts,
  auditLog,
  bulkActs,
  bulkRows,
  imports,
  merges,
  records,
  recordTags,
  stages,
} from '#server/db/schema.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { forgetStays, restartClocks } from '#server/pipeline/stays.ts'
import { changePipelines } from '#server/records/write/write.ts'
import { authorize, rights } from '#server/rights.ts'
import { beginMany, inPieces, type LockedRecord, lockForBulk, mergedAmong, notifyOfMany } from './locked.ts'

type Act = typeof bulkActs.$inferSelect
type Row = typeof bulkRows.$inferSelect

export const UNDONE = 'This has been undone'
export const TOO_LATE = `This can be undone for ${BULK_UNDO_DAYS} days`

/**
 * What of a row goes back, and the reasons why something stays. `leavesStage`: the record is not in the stage of the act, or not
 * by the act.
 */
type Plan = {
  row: Row
  record?: LockedRecord
  tag?: string
  isStage: boolean
  leavesStage: boolean
  isResponsible: boolean
  kept: string[]
}

/** Gives records back what they had before an act. What has changed since stays, and is listed. Throws the 403 and the 409. */
export const undoMany = (db: Database, caller: Caller, id: string): Promise<BulkUndone> =>
  withActor(db, caller, async (tx) => {
    const act = await lockAct(tx, caller, id)
    const rows = await tx
      .select()
      .from(bulkRows)
      .where(and(eq(bulkRows.bulkId, id), isNull(bulkRows.error)))
      .orderBy(bulkRows.place)
    const locked = await lockForBulk(
      tx,
      rows.map(({ recordId }) => recordId),
    )
    const known = await knownBefore(tx, act, rows, locked)
    const plans = rows.map((row) => planOf(act, row, locked.get(row.recordId), known))
    const restored = plans.filter(({ tag, isStage, isResponsible }) => tag !== undefined || isStage || isResponsible)
    const isUntagged = restored.some(({ tag }) => tag !== undefined)
    await beginMany(tx, restored)
    await beginAct(tx, caller, undoOfBulk(id))
    await deleteTags(tx, restored)
    const left = plans.flatMap(({ record, leavesStage }) => (record && leavesStage ? record.id : []))
    await forgetStays(tx, id, left)
    await beginAct(tx, caller, { ...undoOfBulk(id), action: 'update-pipeline' })
    const isMoved = await restorePipelines(tx, id, restored)
    for (const piece of inPieces(left)) await restartClocks(tx, piece)
    await notifyOfMany(
      tx,
      restored.flatMap(({ record }) => record ?? []),
      [...(isUntagged ? (['tags'] as const) : []), ...(isMoved ? (['pipeline'] as const) : [])],
    )
    await tx.update(bulkActs).set({ undoneAt: sql`now()` }).where(eq(bulkActs.id, id))
    const kept = plans.flatMap(({ row, kept }) => kept.map((reason) => ({ id: row.recordId, reason })))
    const detail = { restored: restored.length, kept: kept.length }
    await recordAuditEntry(tx, { action: 'undo-bulk', by: caller, kind: 'bulk', objectId: id, detail })
    return { restored: restored.length, kept }
  })

/** Locks the act, so that it is undone once. */
async function lockAct(tx: Database, caller: Caller, id: string): Promise<Act> {
  const [act] = await tx
    .select({
      act: bulkActs,
      isLate: sql<boolean>`${bulkActs.doneAt} < now() - make_interval(days => ${BULK_UNDO_DAYS})`,
    })
    .from(bulkActs)
    .where(eq(bulkActs.id, id))
    .for('update')
  if (act === undefined) throw notFound(NO_BULK)
  authorize(caller, rights.undoBulk, act.act.accountId)
  if (act.act.undoneAt !== null) throw new AppError(409, UNDONE)
  if (act.isLate) throw new AppError(409, TOO_LATE)
  return act.act
}

/** What the plans of all rows read at one time. */
async function knownBefore(tx: Database, act: Act, rows: Row[], locked: Map<string, LockedRecord>) {
  const ids = (of: (row: Row) => string | null) => [...new Set(rows.flatMap((row) => of(row) ?? []))]
  const tagRows = await tx
    .select({ id: recordTags.id, recordId: recordTags.recordId })
    .from(recordTags)
    .where(
      inArray(
        recordTags.id,
        ids(({ recordTagId }) => recordTagId),
      ),
    )
  const open = await tx
    .select({ id: stages.id })
    .from(stages)
    .where(
      and(
        inArray(
          stages.id,
          ids(({ stageBefore }) => stageBefore),
        ),
        isNull(stages.archivedAt),
      ),
    )
    .for('share')
  const here = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        inArray(
          accounts.id,
          ids(({ responsibleBefore }) => responsibleBefore),
        ),
        isActive,
      ),
    )
  return {
    merged: await mergedAmong(
      tx,
      ids(({ recordId }) => recordId).filter((id) => !locked.has(id)),
    ),
    changed: await changedSince(tx, act, [...locked.keys()]),
    recordOfTag: new Map(tagRows.map(({ id, recordId }) => [id, recordId])),
    stages: new Set(open.map(({ id }) => id)),
    fellows: new Set(here.map(({ id }) => id)),
  }
}

/** What others have changed since, also where the value is the same again. What was undone is no change. */
async function changedSince(tx: Database, { id, accountId, doneAt }: Act, ids: string[]) {
  const isUndone = (table: PgTable, undoneAt: AnyColumn, name: string) =>
    sql`(select act.${sql.identifier(undoneAt.name)} from ${table} act where act.id = (detail ->> ${name})::uuid) is not null`
  const touches = (name: string) => sql`bool_or(before ? ${name} or after ? ${name})`
  const rows = await rowsOf<{ id: string; stage: boolean; status: boolean; responsible: boolean }>(
    tx,
    sql`
      select object_id as id, ${touches('stageId')} as stage, ${touches('status')} as status,
        ${touches('responsibleId')} as responsible
      from ${auditLog}
      where object_id = any (${sql.param(ids)}::uuid[]) and at >= ${doneAt.toISOString()}::timestamptz
        and account_id is distinct from ${accountId}
        and (detail is null or not (
          detail ?| '{isUndo,revertedImport}' or detail ->> 'bulkId' is not distinct from ${id}
          or ${isUndone(bulkActs, bulkActs.undoneAt, 'bulkId')} or ${isUndone(merges, merges.undoneAt, 'mergeId')}
          or ${isUndone(imports, imports.revertedAt, 'import')}
        ))
      group by object_id`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
type Known = Awaited<ReturnType<typeof knownBefore>>

function planOf(act: Act, row: Row, record: LockedRecord | undefined, known: Known): Plan {
  const none = { row, isStage: false, leavesStage: false, isResponsible: false }
  if (record === undefined) {
    const isMerged = known.merged.has(row.recordId)
    return { ...none, kept: [isMerged ? 'Merged into another record since' : 'Deleted since'] }
  }
  const kept: string[] = []
  const hasTag = row.recordTagId !== null && known.recordOfTag.get(row.recordTagId) === record.id
  if (row.recordTagId !== null && !hasTag) kept.push('The tag was removed since')
  const whyStage = row.isStageChanged ? whyNotStage(act, row, record, known) : undefined
  const whyResponsible = row.isResponsibleChanged ? whyNotResponsible(act, row, record, known) : undefined
  for (const why of [whyStage, whyResponsible]) if (why !== undefined) kept.push(why)
  return {
    ...{ row, record, kept, ...(hasTag && { tag: row.recordTagId as string }) },
    isStage: row.isStageChanged && whyStage === undefined,
    leavesStage: row.isStageChanged && (whyStage === undefined || whyStage === STAGE_CHANGED),
    isResponsible: row.isResponsibleChanged && whyResponsible === undefined,
  }
}

const STAGE_CHANGED = 'The stage was changed since'

function whyNotStage(act: Act, row: Row, record: LockedRecord, { stages, changed }: Known): string | undefined {
  const since = changed.get(record.id)
  if (record.stageId !== act.stageId || since?.stage) return STAGE_CHANGED
  // A record that was passed keeps the stage in which it was passed.
  if (record.status !== row.status || since?.status) return 'The status was changed since'
  if (row.stageBefore !== null && !stages.has(row.stageBefore)) return 'The stage before was archived since'
  return undefined
}

function whyNotResponsible(act: Act, row: Row, record: LockedRecord, { fellows, changed }: Known): string | undefined {
  if (record.responsibleId !== act.responsibleId || changed.get(record.id)?.responsible)
    return 'The responsible fellow was changed since'
  const { responsibleBefore: before } = row
  return before !== null && !fellows.has(before) ? 'The responsible fellow before has left since' : undefined
}

/** A record that a merge has given the tag too keeps it. */
async function deleteTags(tx: Database, plans: Plan[]): Promise<void> {
  const tagged = plans.filter(({ tag }) => tag !== undefined)
  if (tagged.length === 0) return
  const [ids, recordIds] = [tagged.map(({ tag }) => tag), tagged.map(({ row }) => row.recordId)].map(
    (values) => sql`any (${sql.param(values)}::uuid[])`,
  )
  await tx.execute(sql`delete from ${recordTags} where ${recordTags.id} = ${ids}`)
  await tx.execute(sql`
    select arrange_tags(hidden.id) from (
      select distinct ${recordTags.recordId} as id from ${recordTags}
      where ${recordTags.recordId} = ${recordIds} and not ${recordTags.isShown}
    ) hidden`)
}

/** Whether there was anything to restore. */
async function restorePipelines(tx: Database, id: string, plans: Plan[]): Promise<boolean> {
  const idsOf = (chosen: Plan[]) => chosen.map(({ row }) => row.recordId)
  const before = (column: 'stage_before' | 'responsible_before') => sql`(
    select ${sql.identifier(column)} from ${bulkRows} where ${bulkRows.bulkId} = ${id} and ${bulkRows.recordId} = ${records.id}
  )`
  const isAmong = (chosen: Plan[]) => sql`${records.id} = any (${sql.param(idsOf(chosen))}::uuid[])`
  let isAny = false
  for (const kind of kinds) {
    const own = plans.filter(
      ({ record, ...plan }) => record?.kind === kind.name && (plan.isStage || plan.isResponsible),
    )
    if (own.length === 0) continue
    isAny = true
    for (const piece of inPieces(own)) {
      const isStage = isAmong(piece.filter((plan) => plan.isStage))
      const isResponsible = isAmong(piece.filter((plan) => plan.isResponsible))
      await changePipelines(tx, kind, idsOf(piece), {
        stageId: sql`case when ${isStage} then ${before('stage_before')} else ${records.stageId} end`,
        responsibleId: sql`case when ${isResponsible} then ${before('responsible_before')} else ${records.responsibleId} end`,
      })
    }
  }
  return isAny
}
