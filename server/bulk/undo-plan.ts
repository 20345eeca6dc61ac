import { type AnyColumn, and, inArray, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { isActive } from '#server/account/active-accounts.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, auditLog, bulkActs, type bulkRows, imports, merges, recordTags, stages } from '#server/db/schema.ts'
import { mayAdvance } from '#server/pipeline/policy.ts'
import { rights } from '#server/rights.ts'
import { type LockedRecord, mergedAmong } from './locked.ts'

type Act = typeof bulkActs.$inferSelect
type Row = typeof bulkRows.$inferSelect

/**
 * What of a row goes back, and the reasons why something stays. `leavesStage`: the record is not in the stage of the act, or not
 * by the act.
 */
export type UndoPlan = {
  row: Row
  record?: LockedRecord
  tag?: string
  isStage: boolean
  leavesStage: boolean
  isResponsible: boolean
  isStatus: boolean
  isStep: boolean
  kept: string[]
}

/** What the plans of all rows read at one time. */
export async function knownBefore(
  tx: Database,
  caller: Caller,
  act: Act,
  { rows, locked }: { rows: Row[]; locked: Map<string, LockedRecord> },
) {
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
    mayAdvance:
      !rows.some(({ isPassed, status }) => isPassed && status === 'advanced') || (await mayAdvance(tx, caller)),
  }
}

/** What others have changed since, also where the value is the same again. What was undone is no change. */
async function changedSince(tx: Database, { id, accountId, doneAt }: Act, ids: string[]) {
  const isUndone = (table: PgTable, undoneAt: AnyColumn, name: string) =>
    sql`(select act.${sql.identifier(undoneAt.name)} from ${table} act where act.id = (detail ->> ${name})::uuid) is not null`
  const touches = (name: string) => sql`bool_or(before ? ${name} or after ? ${name})`
  const touchesAny = (...names: string[]) => sql.join(names.map(touches), sql` or `)
  const rows = await rowsOf<Record<'stage' | 'status' | 'responsible' | 'reason' | 'step', boolean> & { id: string }>(
    tx,
    sql`
      select object_id as id, ${touches('stageId')} as stage, ${touches('status')} as status,
        ${touches('responsibleId')} as responsible, ${touchesAny('passingReasonId', 'passingText', 'lookAgainOn')} as reason,
        ${touchesAny('nextStep', 'nextOn')} as step
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

export function undoPlanOf(act: Act, row: Row, record: LockedRecord | undefined, known: Known): UndoPlan {
  const none = { row, isStage: false, leavesStage: false, isResponsible: false, isStatus: false, isStep: false }
  if (record === undefined) {
    const isMerged = known.merged.has(row.recordId)
    return { ...none, kept: [isMerged ? 'Merged into another record since' : 'Deleted since'] }
  }
  const kept: string[] = []
  const hasTag = row.recordTagId !== null && known.recordOfTag.get(row.recordTagId) === record.id
  if (row.recordTagId !== null && !hasTag) kept.push('The tag was removed since')
  const whyStage = row.isStageChanged ? whyNotStage(act, row, record, known) : undefined
  const whyResponsible = row.isResponsibleChanged ? whyNotResponsible(act, row, record, known) : undefined
  const whyStatus = row.isPassed ? whyNotStatus(act, row, record, known) : undefined
  const isStatus = row.isPassed && whyStatus === undefined
  const hadStep = isStatus && (row.nextStepBefore !== null || row.nextOnBefore !== null)
  const whyStep = hadStep ? whyNotStep(record, known) : undefined
  for (const why of new Set([whyStage, whyResponsible, whyStatus, whyStep])) if (why !== undefined) kept.push(why)
  return {
    ...{ row, record, kept, ...(hasTag && { tag: row.recordTagId as string }) },
    isStage: row.isStageChanged && whyStage === undefined,
    leavesStage: row.isStageChanged && (whyStage === undefined || whyStage === STAGE_CHANGED),
    isResponsible: row.isResponsibleChanged && whyResponsible === undefined,
    ...{ isStatus, isStep: hadStep && whyStep === undefined },
  }
}

const STAGE_CHANGED = 'The stage was changed since'
const STATUS_CHANGED = 'The status was changed since'

function whyNotStage(act: Act, row: Row, record: LockedRecord, { stages, changed }: Known): string | undefined {
  const since = changed.get(record.id)
  if (record.stageId !== act.stageId || since?.stage) return STAGE_CHANGED
  // A record that was passed keeps the stage in which it was passed.
  if (record.status !== (row.isPassed ? 'passed' : row.status) || since?.status) return STATUS_CHANGED
  if (row.stageBefore !== null && !stages.has(row.stageBefore)) return 'The stage before was archived since'
  return undefined
}

function whyNotResponsible(act: Act, row: Row, record: LockedRecord, { fellows, changed }: Known): string | undefined {
  if (record.responsibleId !== act.responsibleId || changed.get(record.id)?.responsible)
    return 'The responsible fellow was changed since'
  const { responsibleBefore: before } = row
  return before !== null && !fellows.has(before) ? 'The responsible fellow before has left since' : undefined
}

function whyNotStatus(act: Act, row: Row, record: LockedRecord, { mayAdvance, changed }: Known): string | undefined {
  const since = changed.get(record.id)
  if (record.status !== 'passed' || since?.status) return STATUS_CHANGED
  const isSame =
    record.passingReasonId === act.passingReasonId &&
    record.passingText === row.passingText &&
    record.lookAgainOn === act.lookAgainOn
  if (!isSame || since?.reason) return 'The reason was changed since'
  return row.status === 'advanced' && !mayAdvance ? rights.advance.why : undefined
}

const whyNotStep = (record: LockedRecord, { changed }: Known): string | undefined =>
  record.nextStep !== null || record.nextOn !== null || changed.get(record.id)?.step
    ? 'The next step was changed since'
    : undefined
