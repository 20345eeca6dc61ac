import { and, eq, getTableColumns, isNull, or } from 'drizzle-orm'
import type { PipelineInput } from '#contract/pipeline.ts'
import { isActive } from '#server/account/active-accounts.ts'
import { beginAct, withActor } from '#server/audit-log/actor.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, passingReasons, records, stages } from '#server/db/schema.ts'
import { AppError, invalid } from '#server/http/errors.ts'
import { getLink } from '#server/links/store.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { changePipelines } from '#server/records/write/write.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { authorizeStatus } from './policy.ts'
import { presentPipeline } from './present.ts'
import { getPipeline, type PipelineRow } from './store.ts'
import { type AllPipelineValues, endsStep, makesResponsible, pipelineOf } from './values.ts'

/** Only a company moves along. */
type Kinds = { company: RecordKind }
type Place = { kind: RecordKind; id: string }

/** Someone else has changed the pipeline of this record meanwhile. */
export const pipelineChanged = (record: PipelineRow | undefined) =>
  new AppError(409, 'Someone else changed the pipeline of this record meanwhile', {
    ...(record && { id: record.id, current: presentPipeline(record) }),
  })

/** Changes the pipeline of a record, and moves a linked company along. Returns the pipeline. */
export const changePipeline = (
  db: Database,
  kinds: Kinds,
  caller: Caller,
  place: Place,
  { version, withCompany, ...input }: PipelineInput,
): Promise<PipelineRow> =>
  withActor(db, caller, async (tx) => {
    const company = withCompany && { kind: kinds.company, id: withCompany.id }
    const locked = await lockRecords(tx, [place.id, ...(company ? [company.id] : [])], LOCKED, 'no key update')
    /** The values of a record. Throws the refusal for one that is gone, and for one at another version. */
    const lockedAt = async ({ kind, id }: Place, version: number): Promise<AllPipelineValues> => {
      const row = locked.find((one) => one.id === id && one.kind === kind.name)
      if (row?.pipelineVersion !== version) throw pipelineChanged(await getPipeline(tx, kind, id))
      return row
    }
    const changes = [{ ...place, values: await valuesOf(tx, caller, await lockedAt(place, version), input) }]
    if (company) {
      await refuseCompany(tx, place, company, input)
      const row = await lockedAt(company, withCompany.version)
      changes.push({ ...company, values: await valuesOf(tx, caller, row, { stage: input.stage }) })
    }
    await beginAct(tx, caller, { action: 'update-pipeline' })
    for (const { kind, id, values } of changes) {
      if (Object.keys(values).length > 0) await changePipelines(tx, kind, [id], values, caller)
    }
    return getPipeline(tx, place.kind, place.id)
  })

/** What a change depends on. */
const { id, kind, pipelineVersion } = getTableColumns(records)
const LOCKED = { id, kind, pipelineVersion, ...pipelineOf(records) }

/** Throws the refusal for a company that may not move along. */
async function refuseCompany(tx: Database, place: Place, company: Place, { stage }: Pick<PipelineInput, 'stage'>) {
  if (!place.kind.isPerson) throw invalid({ withCompany: 'Only a founder can take a company along' })
  if (stage === undefined) throw invalid({ withCompany: 'A company moves along to a stage' })
  const link = await getLink(tx, { founderId: place.id, companyId: company.id })
  if (link === undefined) throw invalid({ withCompany: 'This company is not linked to this founder' })
}

/** The values that change, by their columns. Throws the refusal for a change that is not allowed. */
async function valuesOf(
  tx: Database,
  caller: Caller,
  record: AllPipelineValues,
  {
    stage,
    status = record.status,
    responsible,
    nextStep,
    nextOn,
    reason,
    lookAgainOn,
  }: Omit<PipelineInput, 'version' | 'withCompany'>,
): Promise<PipelineValues> {
  if (typeof stage === 'string' && stage !== record.stageId) await requireStage(tx, stage)
  await authorizeStatus(tx, caller, record.status, status)
  const responsibleId =
    responsible === undefined ? record.responsibleId : await accountOf(tx, responsible, record.responsibleId)
  const isEnded = endsStep(record, { status, nextStep, nextOn })
  const wanted: PipelineValues = {
    ...(stage !== undefined && { stageId: stage }),
    status,
    responsibleId,
    ...((nextStep !== undefined || isEnded) && { nextStep: nextStep || null }),
    ...((nextOn !== undefined || isEnded) && { nextOn: nextOn ?? null }),
    ...(await reasonOf(tx, record, { status, reason, lookAgainOn })),
  }
  if (makesResponsible(record, { ...record, ...wanted })) wanted.responsibleId = caller.id
  return Object.fromEntries(
    Object.entries(wanted).filter(([column, value]) => value !== record[column as keyof PipelineValues]),
  )
}

/** Waits for a change of the stage, which then may be archived. */
export async function requireStage(tx: Database, id: string): Promise<void> {
  const [stage] = await tx
    .select({ name: stages.name, archivedAt: stages.archivedAt })
    .from(stages)
    .where(eq(stages.id, id))
    .for('share')
  if (stage === undefined) throw invalid({ stage: 'There is no stage with this id' })
  if (stage.archivedAt !== null) throw invalid({ stage: `“${stage.name}” was archived. Choose another stage.` })
}

/** The account of a fellow. One who is responsible already may have left. */
const accountOf = async (tx: Database, fellowId: string | null, known: string | null): Promise<string | null> =>
  fellowId === null ? null : requireFellow(tx, fellowId, known)

/** The account of a fellow who may become responsible, or is `known`. */
export async function requireFellow(tx: Database, fellowId: string, known: string | null = null): Promise<string> {
  const [account] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.publicId, fellowId), known === null ? isActive : or(isActive, eq(accounts.id, known))))
  if (account === undefined) throw invalid({ responsible: 'There is no fellow with this id who can be responsible' })
  return account.id
}

export const reasonWithoutStatus = () => invalid({ reason: 'Only a record that is passed has a reason' })
export const lookAgainWithoutStatus = () =>
  invalid({ lookAgainOn: 'Only a record that is passed has a day to look again' })
export const noReasonChosen = () => invalid({ reason: 'Choose a reason for passing' })

/** The reason for passing: required when the status becomes passed, and empty in every other one, as the day to look again. */
async function reasonOf(
  tx: Database,
  record: AllPipelineValues,
  { status, reason, lookAgainOn }: Pick<PipelineInput, 'reason' | 'lookAgainOn'> & Pick<AllPipelineValues, 'status'>,
): Promise<PipelineValues> {
  if (status !== 'passed') {
    if (reason !== undefined) throw reasonWithoutStatus()
    if (lookAgainOn) throw lookAgainWithoutStatus()
    return { passingReasonId: null, passingText: null, lookAgainOn: null }
  }
  const again = lookAgainOn === undefined ? {} : { lookAgainOn }
  if (reason === undefined) {
    if (record.status !== 'passed') throw noReasonChosen()
    return again
  }
  if (reason.id !== record.passingReasonId) await requireReason(tx, reason.id)
  return { passingReasonId: reason.id, passingText: reason.text || null, ...again }
}

export async function requireReason(tx: Database, id: string): Promise<void> {
  const [known] = await tx
    .select({ id: passingReasons.id })
    .from(passingReasons)
    .where(and(eq(passingReasons.id, id), isNull(passingReasons.removedAt)))
  if (known === undefined) throw invalid({ reason: 'There is no such reason any more. Choose another one.' })
}
