import type { Pipeline } from '#contract/stage.ts'
import type { records } from '#server/db/schema.ts'

// What a record shows of its pipeline. `pipeline/` changes it.

/** The names of what the pipeline of a record refers to, and the public id of the responsible fellow. */
export type PipelineNames = {
  stageName: string | null
  reasonName: string | null
  responsible: { id: string; name: string } | null
}

type Clock = Pick<typeof records.$inferSelect, 'stageSince' | 'stageSpent'>
type Row = Pick<
  typeof records.$inferSelect,
  'stageId' | 'status' | 'nextStep' | 'nextOn' | 'passingReasonId' | 'passingText' | 'lookAgainOn' | 'pipelineVersion'
> &
  Clock &
  PipelineNames

const DAY = 86_400_000

/** The whole days in the stage; null without a stage. */
function daysInStage({ stageSince, stageSpent }: Clock): number | null {
  if (stageSince !== null) return Math.max(0, Math.floor((Date.now() - stageSince.getTime()) / DAY))
  return stageSpent === null ? null : Math.floor(stageSpent / DAY)
}

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

export function presentPipeline(row: Row): Pipeline {
  const reason = named(row.passingReasonId, row.reasonName)
  return {
    stage: named(row.stageId, row.stageName),
    status: row.status,
    responsible: row.responsible,
    nextStep: row.nextStep,
    nextOn: row.nextOn,
    daysInStage: daysInStage(row),
    version: row.pipelineVersion,
    ...(reason && { reason: { ...reason, ...(row.passingText && { text: row.passingText }) } }),
    ...(row.lookAgainOn !== null && { lookAgainOn: row.lookAgainOn }),
  }
}
