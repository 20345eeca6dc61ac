import { z } from 'zod'
import { lookAgainDay, stepDay } from './days.ts'
import { Failure } from './errors.ts'
import { NEXT_STEP_MAX, PASSING_TEXT_MAX } from './limits.ts'
import { hasControls } from './plain-text.ts'
import { RecordId } from './record.ts'
import { Pipeline, StageId, Status } from './stage.ts'
import { optionalText } from './text.ts'

/** A reason of the programme's list, and what a person adds to it. */
export const passingReason = z.object(
  {
    id: z.guid({ error: 'There is no reason with this id' }).toLowerCase(),
    text: optionalText('The remark', PASSING_TEXT_MAX).optional(),
  },
  { error: 'Choose a reason for passing' },
)

const VERSION_RULE = 'Version must be a whole number'
const version = z.int({ error: VERSION_RULE })

/** What is absent stays, null clears. `version` is the version that the person saw; 0 before the first change. */
export const PipelineInput = z.object({
  stage: StageId.nullable().optional(),
  status: Status.optional(),
  responsible: z
    .guid({ error: 'Responsible must be the id of a fellow' })
    .toLowerCase()
    .nullable()
    .optional()
    .meta({ description: 'The public id of a fellow' }),
  nextStep: optionalText('Next step', NEXT_STEP_MAX)
    .refine((text) => !hasControls(text), { error: 'Next step must be on one line' })
    .nullable()
    .optional(),
  nextOn: stepDay.nullable().optional(),
  reason: passingReason.optional().meta({ description: 'Why it is passed; required when the status becomes passed' }),
  lookAgainOn: lookAgainDay.nullable().optional().meta({ description: 'Only of a record that is passed' }),
  withCompany: z
    .object({ id: RecordId, version }, { error: 'Name the company and the version of its pipeline' })
    .optional()
    .meta({ description: 'A linked company that moves to the same stage, with the version of its pipeline' }),
  version,
})
export type PipelineInput = z.infer<typeof PipelineInput>

/** The 409 of a change: of an outdated version, with the current pipeline, or of a merged record. Nothing was changed. */
export const PipelineConflict = Failure.extend({
  id: z.uuid().optional().meta({ description: 'The record that has changed: this one, or the company' }),
  current: Pipeline.optional(),
})
