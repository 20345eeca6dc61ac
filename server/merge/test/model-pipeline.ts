import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import { passTime } from '#server/records/test/pipeline-world.ts'
import type { fellowOf } from '#server/test/fellow.ts'

// The pipeline in the model of merges.

type Fellow = Awaited<ReturnType<typeof fellowOf>>

/** By the columns of the schema. */
export type PipelineValues = Record<
  'stageId' | 'status' | 'responsibleId' | 'nextStep' | 'nextOn' | 'passingReasonId' | 'passingText' | 'lookAgainOn',
  string | null
>
export type ModelStay = {
  stage: string
  account: string
  merge: string | null
  statusBefore: string | null
  isOpen: boolean
}

export type ModelEnded = { account: string; day: string; sequence: number }

/** What the model of a record has of it. */
type WithPipeline = {
  id: string
  pipelineVersion: number
  stays: ModelStay[]
  ended: ModelEnded[]
  values: { pipeline: PipelineValues }
}

/** The next step leaves the calendar of a fellow, unless it is in it afterwards. */
export function endStep(record: WithPipeline, { responsibleId, nextOn }: PipelineValues, after = noPipeline()): void {
  if (responsibleId === null || nextOn === null) return
  if (after.responsibleId === responsibleId && after.nextOn !== null) return
  const sequence = record.pipelineVersion + 1 + 2 * record.ended.length
  record.ended.push({ account: responsibleId, day: nextOn, sequence })
}

/** The values of which a merge takes all or none, each with its name. */
const GROUPS: [name: string, column: keyof PipelineValues][][] = [
  [['stage', 'stageId']],
  [
    ['status', 'status'],
    ['reason', 'passingReasonId'],
    ['reasonText', 'passingText'],
    ['lookAgainOn', 'lookAgainOn'],
  ],
  [['responsible', 'responsibleId']],
  [
    ['nextStep', 'nextStep'],
    ['nextOn', 'nextOn'],
  ],
]

export const noPipeline = (): PipelineValues => ({
  ...{ stageId: null, status: 'active', responsibleId: null, nextStep: null, nextOn: null },
  ...{ passingReasonId: null, passingText: null, lookAgainOn: null },
})

export const clockRuns = ({ stageId, status }: PipelineValues) =>
  stageId !== null && (status === 'active' || status === 'on_hold')

export function filled(ours: PipelineValues, theirs: PipelineValues): PipelineValues {
  const isUnused = JSON.stringify(ours) === JSON.stringify({ ...noPipeline() })
  const values = { ...ours }
  for (const group of GROUPS) {
    const isEmpty = group.every(([, column]) => (column === 'status' ? isUnused : ours[column] === null))
    if (isEmpty) for (const [, column] of group) values[column] = theirs[column]
  }
  return values
}

/** The earlier values, except that a group that was changed since keeps all of its present ones. */
export function restored(now: PipelineValues, before: PipelineValues, after: PipelineValues) {
  const values = { ...now }
  const kept: string[] = []
  for (const group of GROUPS) {
    const changed = group.filter(([, column]) => now[column] !== after[column])
    for (const [name, column] of group) {
      if (changed.length === 0) values[column] = before[column]
      else if (now[column] !== after[column] || now[column] !== before[column]) kept.push(name)
    }
  }
  return { values, kept }
}

/** Gives a record these values. The stays are those that began and ended by that. */
export function setPipeline(
  record: WithPipeline,
  values: PipelineValues,
  by: { account: string; merge?: string },
): void {
  const was = record.values.pipeline
  if (JSON.stringify(was) === JSON.stringify(values)) return
  record.pipelineVersion += 1
  if (was.stageId !== values.stageId || clockRuns(was) !== clockRuns(values)) {
    for (const stay of record.stays) stay.isOpen = false
    if (clockRuns(values)) {
      const stage = values.stageId as string
      const statusBefore = was.stageId === stage ? was.status : null
      record.stays.push({ stage, account: by.account, merge: by.merge ?? null, statusBefore, isOpen: true })
    }
  }
  record.values.pipeline = { ...values }
  endStep(record, was, values)
}

export type Choices = { stages: string[]; reasons: string[]; fellows: Fellow[]; db: Database }

/** Changes some values of the pipeline over the API. The number says which. */
export async function movePipeline(
  record: WithPipeline,
  fellow: Fellow,
  chance: number,
  { stages, reasons, fellows, db }: Choices,
) {
  const at = <Item>(items: Item[], by: number) => items[Math.floor(chance / by) % items.length] as Item
  const was = record.values.pipeline
  const status = at(['active', 'passed', 'on_hold', 'advanced', 'active'], 1)
  const responsible = at([undefined, ...fellows], 3)
  const [account] = responsible
    ? await db.select({ id: accounts.publicId }).from(accounts).where(eq(accounts.id, responsible.account.id))
    : []
  const parts: Partial<PipelineValues>[] = [
    { stageId: at([null, ...stages], 2) },
    { stageId: at(stages, 5), status },
    { nextStep: at([null, 'Call', 'Write'], 2), nextOn: at([null, '2030-01-01', '2031-01-01'], 3) },
    { responsibleId: responsible?.account.id ?? null },
    { status },
  ]
  const set = at(parts, 7)
  const after = set.status ?? was.status
  const reason = { id: at(reasons, 4), ...(chance % 2 === 0 && { text: `Because ${chance}` }) }
  const takesReason = set.status === 'passed'
  const lookAgainOn = at([undefined, '2031-05-03', null, '2032-05-03'], 2)
  const again = takesReason && lookAgainOn !== undefined ? { lookAgainOn } : {}
  // Later than a correction of the move before (server/pipeline/undone-moves.test.ts).
  await passTime({ db }, record.id, 11 * 60_000)
  const { status: answered, body } = await fellow.client.put(`/api/records/${record.id}/pipeline`, {
    ...('stageId' in set && { stage: set.stageId }),
    ...('status' in set && { status: set.status }),
    ...('responsibleId' in set && { responsible: account?.id ?? null }),
    ...('nextStep' in set && { nextStep: set.nextStep, nextOn: set.nextOn }),
    ...(takesReason && { reason }),
    ...again,
    version: record.pipelineVersion,
  })
  expect([answered, body.error]).toEqual([200, undefined])
  const given = takesReason ? { passingReasonId: reason.id, passingText: reason.text ?? null, ...again } : {}
  const cleared = after === 'passed' ? {} : { passingReasonId: null, passingText: null, lookAgainOn: null }
  const isEnded = after !== was.status && !clockRuns({ ...was, stageId: '', status: after })
  const ended = isEnded ? { nextStep: null, nextOn: null } : {}
  const isOwn = Boolean(set.nextStep || set.nextOn) && was.responsibleId === null
  const own = isOwn ? { responsibleId: fellow.account.id } : {}
  setPipeline(record, { ...was, ...set, ...given, ...cleared, ...ended, ...own }, { account: fellow.account.id })
  expect(body.version).toBe(record.pipelineVersion)
}
