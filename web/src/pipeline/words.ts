import type { Pipeline, Stage } from '#contract/stage.ts'
import { isTimed, type Status } from '#contract/status.ts'
import { dayHere } from '#web/lib/dates.ts'

/** `12 days`. */
export const daysWords = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** How long a record has been in its stage: `12 days in this stage`. */
export const stayWords = (days: number) => `${days === 0 ? 'Less than a day' : daysWords(days)} in this stage`

/** The limit of the stage, if the record has been there for longer: as many whole days, as `isOverdue` counts. */
export const limitPassed = ({ stage, status, daysInStage }: Pipeline, stages: readonly Stage[]) => {
  const limit = stages.find(({ id }) => id === stage?.id)?.limitDays ?? null
  return isTimed(status) && limit !== null && daysInStage !== null && daysInStage >= limit ? limit : undefined
}

/** Whether a next step is late or due today; undefined while it is ahead. */
export const dueWord = (nextOn: string, today = dayHere()) =>
  nextOn < today ? 'late' : nextOn === today ? 'today' : undefined

/** A change as a person chose it, without the version that they saw. */
export type PipelineChange = {
  stage?: string | null
  status?: Status
  responsible?: string | null
  nextStep?: string | null
  nextOn?: string | null
  reason?: { id: string; text?: string }
  lookAgainOn?: string | null
}

/** Before the first change. */
export const noPipeline: Pipeline = {
  stage: null,
  status: 'active',
  responsible: null,
  nextStep: null,
  nextOn: null,
  daysInStage: null,
  version: 0,
}

type Values = Partial<Pipeline>

const valueIn = (values: Values, name: keyof PipelineChange) => {
  const value = values[name as keyof Values]
  return value !== null && typeof value === 'object' && 'id' in value ? value.id : (value ?? null)
}

const changedNames = (change: PipelineChange) =>
  (Object.keys(change) as (keyof PipelineChange)[]).filter((name) => name !== 'reason')

/** Whether a pipeline already is what the change would make it. */
export const hasAlready = (pipeline: Values, change: PipelineChange) =>
  changedNames(change).every((name) => valueIn(pipeline, name) === (change[name] ?? null))

/** Stage and status are decided together. */
const together: Partial<Record<keyof PipelineChange, readonly (keyof PipelineChange)[]>> = {
  stage: ['stage', 'status'],
  status: ['stage', 'status'],
}

/** Whether what a change sets has been changed by someone else since `seen`. Other values may differ. */
export const hasConflict = (change: PipelineChange, seen: Values, current: Values) =>
  changedNames(change)
    .flatMap((name) => together[name] ?? [name])
    .some((name) => valueIn(seen, name) !== valueIn(current, name))
