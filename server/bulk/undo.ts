import { type AnyColumn, and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { BULK_UNDO_DAYS, type BulkUndone, NO_BULK } from '#contract/bulk.ts'
import { kinds } from '#contract/kinds.ts'
import { beginAct, undoOfBulk, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { bulkActs, bulkRows, records, recordTags } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/http/errors.ts'
import { forgetStays, restartClocks } from '#server/pipeline/stays.ts'
import { changePipelines } from '#server/records/write/write.ts'
import { authorize, rights } from '#server/rights.ts'
import { beginMany, inPieces, lockForBulk, notifyOfMany } from './locked.ts'
import { knownBefore, type UndoPlan, undoPlanOf } from './undo-plan.ts'

type Act = typeof bulkActs.$inferSelect

export const UNDONE = 'This has been undone'
export const TOO_LATE = `This can be undone for ${BULK_UNDO_DAYS} days`

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
    const known = await knownBefore(tx, caller, act, { rows, locked })
    const plans = rows.map((row) => undoPlanOf(act, row, locked.get(row.recordId), known))
    const restored = plans.filter((plan) => plan.tag !== undefined || isMoved(plan))
    const isUntagged = restored.some(({ tag }) => tag !== undefined)
    await beginMany(tx, restored)
    await beginAct(tx, caller, undoOfBulk(id))
    await deleteTags(tx, restored)
    const left = plans.flatMap(({ record, leavesStage }) => (record && leavesStage ? record.id : []))
    await forgetStays(tx, id, left)
    await beginAct(tx, caller, { ...undoOfBulk(id), action: 'update-pipeline' })
    const hasMoved = await restorePipelines(tx, id, restored)
    for (const piece of inPieces(left)) await restartClocks(tx, piece)
    await notifyOfMany(
      tx,
      restored.flatMap(({ record }) => record ?? []),
      [...(isUntagged ? (['tags'] as const) : []), ...(hasMoved ? (['pipeline'] as const) : [])],
    )
    await tx.update(bulkActs).set({ undoneAt: sql`now()` }).where(eq(bulkActs.id, id))
    await restoreActivity(tx, [...locked.keys()])
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

/** A record that a merge has given the tag too keeps it. */
async function deleteTags(tx: Database, plans: UndoPlan[]): Promise<void> {
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

/** The act was the last activity of those that no one has changed since. */
const restoreActivity = (tx: Database, ids: string[]) =>
  tx.execute(sql`select derive_columns(id) from unnest(${sql.param(ids)}::uuid[]) id`)

const isMoved = ({ isStage, isResponsible, isStatus, isStep }: UndoPlan): boolean =>
  isStage || isResponsible || isStatus || isStep

type Before = 'stage_before' | 'responsible_before' | 'status' | 'next_step_before' | 'next_on_before'

/** Whether there was anything to restore. */
async function restorePipelines(tx: Database, id: string, plans: UndoPlan[]): Promise<boolean> {
  const idsOf = (chosen: UndoPlan[]) => chosen.map(({ row }) => row.recordId)
  const before = (column: Before) => sql`(
    select ${sql.identifier(column)} from ${bulkRows} where ${bulkRows.bulkId} = ${id} and ${bulkRows.recordId} = ${records.id}
  )`
  let isAny = false
  for (const kind of kinds) {
    const own = plans.filter((plan) => plan.record?.kind === kind.name && isMoved(plan))
    if (own.length === 0) continue
    isAny = true
    for (const piece of inPieces(own)) {
      /** The value of the records that get one back. The others keep theirs. */
      const restored = (goesBack: (plan: UndoPlan) => boolean, column: AnyColumn, value: SQL) => {
        const ids = sql.param(idsOf(piece.filter(goesBack)))
        return sql`case when ${records.id} = any (${ids}::uuid[]) then ${value} else ${column} end`
      }
      const isPassed = (plan: UndoPlan) => plan.isStatus
      const hadStep = (plan: UndoPlan) => plan.isStep
      await changePipelines(tx, kind, idsOf(piece), {
        stageId: restored(({ isStage }) => isStage, records.stageId, before('stage_before')),
        responsibleId: restored(
          ({ isResponsible }) => isResponsible,
          records.responsibleId,
          before('responsible_before'),
        ),
        status: restored(isPassed, records.status, before('status')),
        passingReasonId: restored(isPassed, records.passingReasonId, sql`null`),
        passingText: restored(isPassed, records.passingText, sql`null`),
        lookAgainOn: restored(isPassed, records.lookAgainOn, sql`null`),
        nextStep: restored(hadStep, records.nextStep, before('next_step_before')),
        nextOn: restored(hadStep, records.nextOn, before('next_on_before')),
      })
    }
  }
  return isAny
}
