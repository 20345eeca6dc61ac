import { z } from 'zod'
import { PASSING_REASON_MAX, PASSING_REASONS_MAX, STAGE_DAYS_MAX, STAGE_NAME_MAX, STAGES_MAX } from './limits.ts'
import { lookAgainMonths, statuses } from './status.ts'
import { requiredLine } from './text.ts'

export const Status = z.enum(statuses, { error: `Status must be ${statuses.join(', ')}` })

const NO_STAGE = 'There is no stage with this id'
export const StageId = z.guid({ error: NO_STAGE }).toLowerCase()
export const StageParams = z.object({ id: StageId })

export const Stage = z.object({
  id: z.guid(),
  name: z.string(),
  position: z.int().meta({ description: 'From 1, without archived ones. Archived stages come last' }),
  archived: z.boolean(),
  limitDays: z.int().nullable().meta({ description: 'The days after which a record has been there too long' }),
})
export type Stage = z.infer<typeof Stage>

const LIMIT_RULE = `The limit must be a whole number of days from 1 to ${STAGE_DAYS_MAX}`
const limitDays = z.int({ error: LIMIT_RULE }).min(1, LIMIT_RULE).max(STAGE_DAYS_MAX, LIMIT_RULE).nullable().optional()
const stageName = requiredLine('Name', STAGE_NAME_MAX)

export const StageInput = z.object({ name: stageName, limitDays })
export type StageInput = z.infer<typeof StageInput>

const POSITION_RULE = `Position must be a whole number from 1 to ${STAGES_MAX}`

/** What is absent stays. A `limitDays` of null removes the limit. */
export const StagePatch = z.object({
  name: stageName.optional(),
  position: z.int({ error: POSITION_RULE }).min(1, POSITION_RULE).max(STAGES_MAX, POSITION_RULE).optional(),
  archived: z.boolean({ error: 'Archived must be true or false' }).optional(),
  limitDays,
})
export type StagePatch = z.infer<typeof StagePatch>

const LookAgain = z.literal(lookAgainMonths, { error: `Look again must be after ${lookAgainMonths.join(', ')} months` })

export const PassingReason = z.object({
  id: z.guid(),
  name: z.string(),
  lookAgain: LookAgain.nullable().meta({ description: 'The months that the form for passing proposes' }),
})
export type PassingReason = z.infer<typeof PassingReason>

/** All reasons in their order. Known ones have their id. */
export const PassingReasonsInput = z
  .array(
    z.object({
      id: z.guid({ error: 'There is no reason with this id' }).toLowerCase().optional(),
      name: requiredLine('Name', PASSING_REASON_MAX),
      lookAgain: LookAgain.nullable().optional().meta({ description: 'What is absent stays; null proposes nothing' }),
    }),
    { error: 'Send a list of reasons' },
  )
  .max(PASSING_REASONS_MAX, `There can be ${PASSING_REASONS_MAX} reasons at most`)
export type PassingReasonsInput = z.infer<typeof PassingReasonsInput>

const named = z.object({ id: z.guid(), name: z.string() })

/** The pipeline of a record, also in lists. */
export const Pipeline = z.object({
  stage: named.nullable().meta({ description: 'Null: not started' }),
  status: Status,
  responsible: named.nullable().meta({ description: 'A fellow. The id is the public one of the account' }),
  nextStep: z.string().nullable(),
  nextOn: z.iso.date().nullable(),
  daysInStage: z.int().nullable().meta({ description: 'The whole days in this stage while active or on hold' }),
  version: z.int().meta({ description: 'Counts the changes of the pipeline of this record. 0 before the first' }),
  reason: z
    .object({ id: z.guid(), name: z.string(), text: z.string().optional() })
    .optional()
    .meta({ description: 'Why it was passed, while it is' }),
  lookAgainOn: z.iso.date().optional().meta({ description: 'The day to look again, while it is passed' }),
})
export type Pipeline = z.infer<typeof Pipeline>
