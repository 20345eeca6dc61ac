import { z } from 'zod'
import { day, timeZone } from './days.ts'
import { listQueryParts } from './record.ts'

// The audit log, as managers read it.

const word = (label: string) =>
  z.string().trim().min(1, `${label} is empty`).max(320, `${label} is too long`).optional()

const filters = {
  person: word('Person').describe('The address of the person who acted'),
  action: word('Action').describe('The name of the act, as in `delete`'),
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
  kind: z.string().nullable(),
  objectId: z.string().nullable(),
  name: z.string().nullable().describe('The name of the record, while it is here'),
  isRefused: z.boolean(),
  before: values,
  after: values,
  detail: values,
})
export type PastAct = z.infer<typeof PastAct>
