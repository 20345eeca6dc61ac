import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { BULK_OTHERS_MAX, type BulkInput, type BulkOutcome } from '#contract/bulk.ts'
import { kinds } from '#contract/kinds.ts'
import { RECORD_TAGS_MAX } from '#contract/tags.ts'
import { beginAct, bulkAct, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, bulkActs, bulkRows, records, recordTags } from '#server/db/schema.ts'
import { tooManyChanges } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import {
  lookAgainWithoutStatus,
  noReasonChosen,
  reasonWithoutStatus,
  requireFellow,
  requireReason,
  requireStage,
} from '#server/pipeline/change.ts'
import { mayAdvance } from '#server/pipeline/policy.ts'
import { changePipelines } from '#server/records/write/write.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { rights } from '#server/rights.ts'
import { addTags, lockTags, RECORD_IS_FULL } from '#server/tags/record-tags.ts'
import { beginMany, inPieces, type LockedRecord, lockForBulk, mergedAmong, notifyOfMany } from './locked.ts'

type Act = typeof bulkActs.$inferInsert
type Row = typeof bulkRows.$inferInsert

export const GONE = 'There is no record with this id'
export const MERGED = 'This record was merged into another one'
export const PASSED = 'This record is passed already'

/** Gives records a tag, a stage or a responsible fellow, or passes them, in one transaction. Returns the id of the act. */
export const changeMany = (
  db: Database,
  caller: Caller,
  { ids, set }: BulkInput,
  key: IdempotencyKey,
): Promise<{ id: string }> =>
  withActor(db, caller, async (tx) => {
    const id = await claimId(tx, key)
    await lockLimit(tx, caller)
    const locked = await lockForBulk(tx, ids)
    const act = await actOf(tx, id, caller, set)
    const merged = await mergedAmong(
      tx,
      ids.filter((id) => !locked.has(id)),
    )
    const tagged = await taggedAmong(tx, [...locked.keys()], act)
    const isRefused = await refusesToPass(tx, caller, act, [...locked.values()])
    const plans = ids.map((id): Plan => {
      const record = locked.get(id)
      if (record === undefined) return { id, error: merged.has(id) ? MERGED : GONE }
      if (isRefused(record)) return { id, error: rights.advance.why }
      return planOf(record, act, tagged.get(id))
    })
    const changes = plans.filter((plan) => 'record' in plan)
    await requireWithinLimit(
      tx,
      caller,
      changes.map(({ record }) => record),
    )
    await beginMany(tx, changes)
    const added = await addTagTo(tx, caller, act, changes)
    await changePipelineOf(tx, caller, act, changes)
    const moved: ('tags' | 'pipeline')[] = [...(added.size > 0 ? (['tags'] as const) : []), ...movedBy(changes)]
    await notifyOfMany(
      tx,
      changes.map(({ record }) => record),
      moved,
    )
    await saveAct(tx, act, plans, added)
    const skipped = plans.filter((plan) => 'error' in plan).length
    // Without the remark, which the erasure of a record could not take out of the entry.
    const detail = { ...set, reason: set.reason?.id, changed: changes.length, skipped }
    await recordAuditEntry(tx, { action: 'bulk', by: caller, kind: 'bulk', objectId: id, detail })
    return { id }
  })

/** What the act sets. Locks what it names, and throws the 400 for what cannot be set. */
async function actOf(tx: Database, id: string, caller: Caller, { reason, lookAgainOn, ...set }: BulkInput['set']) {
  const { addTag, stage, responsible, status } = set
  if (addTag !== undefined) await lockTags(tx, [addTag], 'addTag')
  if (typeof stage === 'string') await requireStage(tx, stage)
  if (status !== undefined && reason === undefined) throw noReasonChosen()
  if (status === undefined && reason !== undefined) throw reasonWithoutStatus()
  if (status === undefined && lookAgainOn !== undefined) throw lookAgainWithoutStatus()
  if (reason !== undefined) await requireReason(tx, reason.id)
  return {
    ...{ id, accountId: caller.id, setsTag: addTag !== undefined, tagId: addTag ?? null },
    ...{ setsStage: stage !== undefined, stageId: stage ?? null, setsResponsible: responsible !== undefined },
    responsibleId: typeof responsible === 'string' ? await requireFellow(tx, responsible) : null,
    ...{ passes: status !== undefined, passingReasonId: reason?.id ?? null, passingText: reason?.text || null },
    lookAgainOn: lookAgainOn ?? null,
  } satisfies Act & { passingText: string | null }
}
type PlannedAct = Awaited<ReturnType<typeof actOf>>

/** What happens to a record. One with nothing to change has a plan without changes. */
type Change = {
  record: LockedRecord
  addsTag: boolean
  changesStage: boolean
  changesResponsible: boolean
  passes: boolean
}
type Plan = { id: string; error: string } | { id: string; isSame: true } | ({ id: string } & Change)

function planOf(record: LockedRecord, act: PlannedAct, tagged = { count: 0, hasTag: false }): Plan {
  const { id } = record
  const addsTag = act.setsTag && !tagged.hasTag
  // Nothing of a record that one part of the act is refused for is changed.
  if (addsTag && tagged.count >= RECORD_TAGS_MAX) return { id, error: RECORD_IS_FULL }
  if (act.passes && record.status === 'passed') return { id, error: PASSED }
  const changesStage = act.setsStage && record.stageId !== act.stageId
  const changesResponsible = act.setsResponsible && record.responsibleId !== act.responsibleId
  const { passes } = act
  if (!addsTag && !changesStage && !changesResponsible && !passes) return { id, isSame: true }
  return { id, record, addsTag, changesStage, changesResponsible, passes }
}

/** Only those who may take *Advanced* back pass a record that is advanced. */
async function refusesToPass(tx: Database, caller: Caller, act: PlannedAct, locked: LockedRecord[]) {
  const isAdvanced = ({ status }: LockedRecord) => act.passes && status === 'advanced'
  const isAllowed = !locked.some(isAdvanced) || (await mayAdvance(tx, caller))
  return (record: LockedRecord) => !isAllowed && isAdvanced(record)
}

/** The number of tags of each record that has any, and whether it has this one. */
async function taggedAmong(tx: Database, ids: string[], { setsTag, tagId }: PlannedAct) {
  const rows = setsTag
    ? await rowsOf<{ id: string; count: number; hasTag: boolean }>(
        tx,
        sql`select ${recordTags.recordId} as id, count(*)::int as count, bool_or(${recordTags.tagId} = ${tagId}) as "hasTag"
          from ${recordTags} where ${recordTags.recordId} = any (${sql.param(ids)}::uuid[]) and ${recordTags.isShown} group by 1`,
      )
    : []
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the ids of the new rows, by record. */
async function addTagTo(tx: Database, caller: Caller, { id, tagId }: PlannedAct, changes: Change[]) {
  const chosen = changes.filter(({ addsTag }) => addsTag)
  await beginAct(tx, caller, bulkAct(id))
  return addTags(
    tx,
    chosen.map(({ record }) => ({ recordId: record.id, tagId: tagId as string })),
    caller,
  )
}

async function changePipelineOf(tx: Database, caller: Caller, act: PlannedAct, changes: Change[]): Promise<void> {
  const values: PipelineValues = {
    ...(act.setsStage && { stageId: act.stageId }),
    ...(act.setsResponsible && { responsibleId: act.responsibleId }),
    // Passing ends the next step.
    ...(act.passes && {
      ...{ status: 'passed', passingReasonId: act.passingReasonId, passingText: act.passingText },
      lookAgainOn: act.lookAgainOn,
      ...{ nextStep: null, nextOn: null },
    }),
  }
  await beginAct(tx, caller, { ...bulkAct(act.id), action: 'update-pipeline' })
  for (const kind of kinds) {
    const ids = changes
      .filter((change) => change.record.kind === kind.name && movedBy([change]).length > 0)
      .map(({ record }) => record.id)
    for (const piece of inPieces(ids)) await changePipelines(tx, kind, piece, values, caller)
  }
}

const movedBy = (changes: Change[]): 'pipeline'[] =>
  changes.some(({ changesStage, changesResponsible, passes }) => changesStage || changesResponsible || passes)
    ? ['pipeline']
    : []

/** Keeps what the records had before, and why others were skipped. */
async function saveAct(tx: Database, act: PlannedAct, plans: Plan[], added: Map<string, string>): Promise<void> {
  const { passingText, ...values } = act
  await tx.insert(bulkActs).values(values)
  const active = await lastActivities(tx, plans)
  const rows = plans.flatMap((plan, place): Row[] => {
    const row = { bulkId: act.id, place, recordId: plan.id }
    if ('error' in plan) return [{ ...row, error: plan.error }]
    if ('isSame' in plan) return []
    const { record, changesStage, changesResponsible, passes } = plan
    const { status, nextStep, nextOn, lastActivityAt, lastActivityBy } = record
    const activeAt = active.get(plan.id)
    return [
      {
        ...row,
        recordTagId: added.get(plan.id) ?? null,
        ...(changesStage && { isStageChanged: true, stageBefore: record.stageId, status }),
        ...(changesResponsible && { isResponsibleChanged: true, responsibleBefore: record.responsibleId }),
        ...(passes && { isPassed: true, status, passingText, nextStepBefore: nextStep, nextOnBefore: nextOn }),
        // A change that was put back is no activity.
        ...(activeAt &&
          activeAt > lastActivityAt && { activeAt, activeBefore: lastActivityAt, activeBeforeBy: lastActivityBy }),
      },
    ]
  })
  if (rows.length > 0) await tx.insert(bulkRows).values(rows)
}

/** The time of the last activity of each record, by its id. */
async function lastActivities(tx: Database, plans: Plan[]): Promise<Map<string, Date>> {
  const { id, lastActivityAt } = records
  const ids = plans.filter((plan) => 'record' in plan).map((plan) => plan.id)
  const rows = await tx.select({ id, lastActivityAt }).from(records).where(inArray(id, ids))
  return new Map(rows.map((row) => [row.id, row.lastActivityAt]))
}

/** The outcome of an act. Records that were erased since are not in it. */
export async function getOutcome(db: Database, { id }: { id: string }): Promise<BulkOutcome> {
  const [changed, skipped] = await Promise.all([
    db.$count(bulkRows, and(eq(bulkRows.bulkId, id), isNull(bulkRows.error))),
    db
      .select({ id: bulkRows.recordId, error: sql<string>`${bulkRows.error}` })
      .from(bulkRows)
      .where(and(eq(bulkRows.bulkId, id), isNotNull(bulkRows.error)))
      .orderBy(asc(bulkRows.place)),
  ])
  return { bulkId: id, changed, skipped }
}

const DAY_SECONDS = 86_400

/** Acts of one fellow follow one after the other, so that two at once do not pass the limit. Locked before their records. */
const lockLimit = (tx: Database, { id }: Caller) =>
  tx.execute(sql`select from ${accounts} where ${accounts.id} = ${id} for no key update`)

/** Throws the 429 for more records of others than a fellow may change in 24 hours. What was undone counts too. */
async function requireWithinLimit(tx: Database, caller: Caller, changed: { ownerId: string | null }[]) {
  const others = changed.filter(({ ownerId }) => ownerId !== caller.id).length
  if (rights.changeMany.allows(caller) || others === 0) return
  // Act by act: as a join PostgreSQL would read all rows of all acts.
  const acts = await rowsOf<{ count: number; age: number }>(
    tx,
    sql`
      select (
          select count(*)::int from (
            select ${bulkRows.recordId} as id from ${bulkRows} where ${bulkRows.bulkId} = ${bulkActs.id} and ${bulkRows.error} is null offset 0
          ) changed join ${records} on ${records.id} = changed.id
          where owner_of(${records.creatorId}, ${records.creatorText}) is distinct from ${caller.id}::uuid
        ) as count, extract(epoch from now() - ${bulkActs.doneAt})::float8 as age
      from ${bulkActs}
      where ${bulkActs.accountId} = ${caller.id} and ${bulkActs.doneAt} > now() - make_interval(secs => ${DAY_SECONDS})
      order by ${bulkActs.doneAt} desc`,
  )
  let left = BULK_OTHERS_MAX - others
  for (const { count, age } of acts) {
    left -= count
    // There is room once this act and all before it are older.
    if (left < 0) throw tooManyChanges(BULK_OTHERS_MAX, Math.max(1, Math.ceil(DAY_SECONDS - age)))
  }
}
