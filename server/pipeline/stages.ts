import { asc, eq, isNull, sql } from 'drizzle-orm'
import { fold } from '#contract/fold.ts'
import { STAGES_MAX } from '#contract/limits.ts'
import type { PassingReason, PassingReasonsInput, Stage, StageInput, StagePatch } from '#contract/stage.ts'
import { type Actor, withActor } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Database } from '#server/db/database.ts'
import { passingReasons, stages } from '#server/db/schema.ts'
import { AppError, invalid, notFound } from '#server/http/errors.ts'
import { claimId, type IdempotencyKey } from '#server/http/idempotency.ts'
import { notifyChange } from '#server/records/notify.ts'

// The stages and the reasons for passing of the programme, for managers and the operator. There are few of both.

export const NO_STAGE = 'There is no stage with this id'

type Row = typeof stages.$inferSelect

const inOrder = sql`${stages.archivedAt} is not null, ${stages.position}, ${stages.id}`

const presentStage = ({ archivedAt, position, ...stage }: Row, place: number): Stage => ({
  ...stage,
  position: place + 1,
  archived: archivedAt !== null,
})

/** In their order, archived ones last. */
export const listStages = async (db: Database): Promise<Stage[]> =>
  (await db.select().from(stages).orderBy(inOrder)).map(presentStage)

/**
 * The stages that count as having reached one: itself, and those after it, because a record that was met was also
 * contacted. An archived stage has no place in the order, so it counts for itself alone.
 */
export function stagesFrom(stages: readonly Stage[], id: string): string[] {
  const from = stages.find((stage) => stage.id === id)
  if (from === undefined || from.archived) return [id]
  return stages.filter(({ archived, position }) => !archived && position >= from.position).map((stage) => stage.id)
}

export async function getStage(db: Database, id: string): Promise<Stage> {
  const stage = (await listStages(db)).find((stage) => stage.id === id)
  if (stage === undefined) throw notFound(NO_STAGE)
  return stage
}

export const nameTaken = (isArchived = false) =>
  new AppError(409, isArchived ? 'An archived stage has this name' : 'Another stage has this name')

export const lastStage = () => new AppError(409, 'This is the last stage. Add another or bring one back first.')

export const createStage = (
  db: Database,
  by: Actor | undefined,
  { name, limitDays = null }: StageInput,
  key?: IdempotencyKey,
): Promise<Stage> =>
  setUp(db, by, async (tx) => {
    const known = await listStages(tx)
    refuseTaken(known, name)
    refuseMore(known)
    const id = await claimId(tx, key)
    const position = sql`(select coalesce(max(position), 0) + 1 from ${stages})`
    await tx.insert(stages).values({ id, name, limitDays, position })
    const stage = await getStage(tx, id)
    await recordAuditEntry(tx, { ...ofStage(stage.id, by), action: 'create-stage', after: factsOf(stage) })
    return stage
  })

export const updateStage = (db: Database, by: Actor | undefined, id: string, patch: StagePatch): Promise<Stage> =>
  setUp(db, by, async (tx) => {
    const known = await listStages(tx)
    const before = known.find((stage) => stage.id === id)
    if (before === undefined) throw notFound(NO_STAGE)
    const { name = before.name, limitDays = before.limitDays, archived = before.archived } = patch
    refuseTaken(
      known.filter((stage) => stage !== before),
      name,
    )
    if (before.archived && !archived) refuseMore(known)
    if (archived && known.every((stage) => stage === before || stage.archived)) throw lastStage()
    const archivedAt = archived ? sql`coalesce(${stages.archivedAt}, now())` : null
    await tx.update(stages).set({ name, limitDays, archivedAt }).where(eq(stages.id, id))
    await order(tx, id, patch.position ?? (before.archived && !archived ? STAGES_MAX : undefined))
    const after = await getStage(tx, id)
    const [was, is] = differenceOf(factsOf(before), factsOf(after))
    if (Object.keys(is).length > 0) {
      await recordAuditEntry(tx, { ...ofStage(id, by), action: 'update-stage', before: was, after: is })
    }
    return after
  })

/** Puts a stage at a place among those that are not archived, and numbers all. */
async function order(tx: Database, id: string, position: number | undefined): Promise<void> {
  const ids = (await listStages(tx)).map((stage) => stage.id)
  if (position !== undefined) {
    ids.splice(ids.indexOf(id), 1)
    ids.splice(position - 1, 0, id)
  }
  for (const [place, id] of ids.entries()) {
    await tx
      .update(stages)
      .set({ position: place + 1 })
      .where(eq(stages.id, id))
  }
}

/** One at a time, and every page loads again what it shows: this is rare. */
const setUp = <Result>(db: Database, by: Actor | undefined, work: (tx: Database) => Promise<Result>): Promise<Result> =>
  withActor(db, by, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('set up of the pipeline', 0))`)
    const result = await work(tx)
    await notifyChange(tx, { kind: 'everything' })
    return result
  })

function refuseTaken(known: Stage[], name: string): void {
  const other = known.find((stage) => fold(stage.name) === fold(name))
  if (other !== undefined) throw nameTaken(other.archived)
}

function refuseMore(known: Stage[]): void {
  const open = known.filter(({ archived }) => !archived)
  if (open.length >= STAGES_MAX) throw new AppError(409, `There can be ${STAGES_MAX} stages at most`)
}

const ofStage = (objectId: string, by: Actor | undefined) => ({ by, kind: 'stage', objectId })
const factsOf = ({ name, position, archived, limitDays }: Stage) => ({ name, position, archived, limitDays })

function differenceOf(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = Object.keys(after).filter((name) => before[name] !== after[name])
  const only = (facts: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, facts[name]]))
  return [only(before), only(after)] as const
}

/** In their order, without removed ones. */
export const listReasons = (db: Database): Promise<PassingReason[]> =>
  db
    .select({ id: passingReasons.id, name: passingReasons.name, lookAgain: passingReasons.lookAgain })
    .from(passingReasons)
    .where(isNull(passingReasons.removedAt))
    .orderBy(asc(passingReasons.position), asc(passingReasons.id))

/** `Too early (6 months)`. */
const wordsOf = ({ name, lookAgain }: PassingReason) => (lookAgain === null ? name : `${name} (${lookAgain} months)`)

export const noReason = () => new AppError(409, 'There must be at least one reason for passing')

/** Replaces the list. A reason that is not in it any more is removed, and stays with the records that name it. */
export const replaceReasons = (
  db: Database,
  by: Actor | undefined,
  wanted: PassingReasonsInput,
): Promise<PassingReason[]> =>
  setUp(db, by, async (tx) => {
    if (wanted.length === 0) throw noReason()
    const before = await listReasons(tx)
    const names = wanted.map(({ name }) => fold(name))
    if (new Set(names).size < names.length) throw new AppError(409, 'Two reasons have the same name')
    const all = new Set((await tx.select({ id: passingReasons.id }).from(passingReasons)).map(({ id }) => id))
    const ids = wanted.flatMap(({ id }) => id ?? [])
    if (ids.some((id) => !all.has(id)) || new Set(ids).size < ids.length) {
      throw invalid({ id: 'There is no reason with this id' })
    }
    await tx.update(passingReasons).set({ removedAt: sql`now()` }).where(isNull(passingReasons.removedAt))
    for (const [place, { id, name, lookAgain }] of wanted.entries()) {
      const row = { name, position: place + 1, removedAt: null, ...(lookAgain !== undefined && { lookAgain }) }
      if (id === undefined) await tx.insert(passingReasons).values(row)
      else await tx.update(passingReasons).set(row).where(eq(passingReasons.id, id))
    }
    const after = await listReasons(tx)
    const namesOf = (reasons: PassingReason[]) => ({ reasons: reasons.map(wordsOf).join(', ') })
    await recordAuditEntry(tx, {
      ...{ by, kind: 'pipeline', action: 'update-passing-reasons' },
      ...{ before: namesOf(before), after: namesOf(after) },
    })
    return after
  })
