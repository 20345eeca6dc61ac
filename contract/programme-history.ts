import { z } from 'zod'
import { listQueryParts } from './record.ts'

// The audit log, as managers read it.

const day = (label: string) => z.iso.date(`${label} must be a day, as in 2026-03-18`).optional()
const word = (label: string) =>
  z.string().trim().min(1, `${label} is empty`).max(320, `${label} is too long`).optional()

const filters = {
  person: word('Person').describe('The address of the person who acted'),
  action: word('Action').describe('The name of the act, as in `delete`'),
  record: z.uuid('Record must be an id').optional().describe('The id of the record, account or import'),
  after: day('After').describe('The first day, UTC'),
  before: day('Before').describe('The last day, UTC'),
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
