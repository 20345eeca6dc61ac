import { z } from 'zod'
import { listQueryParts } from './record.ts'

export const HistoryQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

export const HistoryAction = z.enum(['create', 'update', 'enrich', 'delete', 'add-note', 'update-note', 'delete-note'])
export type HistoryAction = z.infer<typeof HistoryAction>

const HistoryValue = z.union([z.string(), z.number()]).nullable()

export const HistoryChange = z.object({
  field: z.string().meta({ description: 'By its name on the wire; `note` for what a note says' }),
  before: HistoryValue,
  after: HistoryValue,
  source: z.string().optional().meta({ description: 'Who gave it, for outside data' }),
})
export type HistoryChange = z.infer<typeof HistoryChange>

/** One thing that happened to a record. A list of them is newest first. */
export const HistoryEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  by: z.string().nullable().meta({ description: 'Name, else e-mail; null when the product did it by itself' }),
  action: HistoryAction,
  changes: z.array(HistoryChange).meta({ description: 'Empty for a note that has been deleted' }),
  notice: z.string().optional().meta({ description: 'What a refresh had to say: that nothing was found, or why' }),
  hints: z.record(z.string(), z.string()).optional().meta({ description: 'What a refresh was asked to go by' }),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>
