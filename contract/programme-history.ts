import { z } from 'zod'
import { actionsThat } from './audit-actions.ts'
import { day, timeZone } from './days.ts'
import { listQueryParts } from './record.ts'

// The audit log, as managers read it.

const word = (label: string) =>
  z.string().trim().min(1, `${label} is empty`).max(320, `${label} is too long`).optional()

const ACTIONS_MAX = 20
const managersRead = actionsThat(({ readers }) => readers !== 'operator')

const filters = {
  person: word('Person').describe('The address of the person who acted'),
  action: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(
      z
        .array(z.string().min(1, 'Action is empty').max(320, 'Action is too long'))
        .max(ACTIONS_MAX, `At most ${ACTIONS_MAX} actions at a time`),
    )
    .optional()
    .meta({ type: 'string', description: `Names of acts, separated by commas: ${managersRead.join(', ')}` }),
  record: z.uuid('Record must be an id').optional().describe('The id of the record, account or import'),
  after: day('After').optional().describe('The first day'),
  before: day('Before').optional().describe('The last day'),
  timeZone,
}

export const PastActsExport = z.object(filters)
export const PastActsQuery = z.object({ ...filters, limit: listQueryParts.limit, cursor: listQueryParts.cursor })

const values = z.record(z.string(), z.unknown()).nullable()

/** An act, done or refused. Lists of them are newest first. */
export const PastAct = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  by: z.string().nullable().describe('The address, as it was then. Null: the product itself, or a visitor'),
  action: z.string(),
  sentence: z.string().describe('Who did what, with names instead of ids'),
  kind: z.string().nullable(),
  objectId: z.string().nullable(),
  name: z.string().nullable().describe('The name of the record, while it is here'),
  isRefused: z.boolean(),
  before: values,
  after: values,
  detail: values,
})
export type PastAct = z.infer<typeof PastAct>
