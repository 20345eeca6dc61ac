import { z } from 'zod'
import { lookAgainDay } from './days.ts'
import { passingReason } from './pipeline.ts'
import { RecordId } from './record.ts'
import { StageId } from './stage.ts'
import { NO_TAG } from './tags.ts'

export const BULK_MAX = 500
/** An act on many records can be undone for this long. */
export const BULK_UNDO_DAYS = 30

/** The records of others that a fellow changes in 24 hours. Managers have no limit. */
export const BULK_OTHERS_MAX = 1000

const SET_RULE = 'Choose a tag, a stage, a responsible fellow or the status passed'
const COUNT_RULE = `Choose 1 to ${BULK_MAX} records`

/** One act on records of any kind. What is absent stays; a stage or responsible fellow of null is cleared. */
export const BulkInput = z.object({
  ids: z
    .array(RecordId, { error: COUNT_RULE })
    .min(1, COUNT_RULE)
    .max(BULK_MAX, COUNT_RULE)
    .transform((ids) => [...new Set(ids)]),
  set: z
    .strictObject(
      {
        addTag: z.guid({ error: NO_TAG }).toLowerCase().optional(),
        stage: StageId.nullable().optional(),
        responsible: z
          .guid({ error: 'Responsible must be the id of a fellow' })
          .toLowerCase()
          .nullable()
          .optional()
          .meta({ description: 'The public id of a fellow' }),
        status: z.literal('passed', { error: 'The status of many records can only become passed' }).optional(),
        reason: passingReason.optional().meta({ description: 'Why they are passed; required with the status' }),
        lookAgainOn: lookAgainDay.optional().meta({ description: 'The day to look again at those that are passed' }),
      },
      { error: SET_RULE },
    )
    .refine((set) => Object.values(set).some((value) => value !== undefined), { error: SET_RULE }),
})
export type BulkInput = z.infer<typeof BulkInput>

export const BulkOutcome = z.object({
  bulkId: z.uuid(),
  changed: z.int().meta({ description: 'Records that had all of it already are neither changed nor skipped' }),
  skipped: z.array(z.object({ id: z.uuid(), error: z.string() })).meta({ description: 'In the order of the request' }),
})
export type BulkOutcome = z.infer<typeof BulkOutcome>

export const NO_BULK = 'There is no act on several records with this id'
export const BulkParams = z.object({ id: z.uuid({ error: NO_BULK }).toLowerCase() })

export const BulkUndone = z.object({
  restored: z.int().meta({ description: 'The records of which at least one value is as before' }),
  kept: z
    .array(z.object({ id: z.uuid(), reason: z.string() }))
    .meta({ description: 'What has changed since and stays, with the record. A record may have several' }),
})
export type BulkUndone = z.infer<typeof BulkUndone>
