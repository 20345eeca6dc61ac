import { z } from 'zod'
import { fellowsRead } from './audit-actions.ts'
import { OTHER_RECORD } from './plain-text.ts'
import { listQueryParts } from './record.ts'

export const HistoryQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

export const HistoryAction = z.enum(fellowsRead)
export type HistoryAction = z.infer<typeof HistoryAction>

const HistoryValue = z.union([z.string(), z.number()]).nullable()

export const HistoryChange = z.object({
  field: z.string().meta({ description: 'The name of the field on the wire; `note` for the content of a note' }),
  before: HistoryValue,
  after: HistoryValue,
  source: z.string().optional().meta({ description: 'The provider, for public data' }),
})
export type HistoryChange = z.infer<typeof HistoryChange>

/** One event in the history of a record. Lists of them are newest first. */
export const HistoryEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  by: z.string().nullable().meta({ description: 'Name, else e-mail; null for automatic actions of the product' }),
  token: z
    .string()
    .optional()
    .meta({ description: 'The name of the access token by which it was done, while it is known' }),
  action: HistoryAction,
  sentence: z
    .string()
    .meta({ description: `What was done, after the name of who did it. \`${OTHER_RECORD}\` is the name of \`other\`` }),
  changes: z.array(HistoryChange).meta({ description: 'Empty for a note that has been deleted' }),
  notice: z.string().optional().meta({ description: 'The notice of a refresh, for example about an empty result' }),
  merge: z
    .object({ id: z.uuid(), duplicateId: z.uuid() })
    .optional()
    .meta({ description: 'On `merge`: what to undo, and the record that was merged into this one' }),
  other: z
    .object({ id: z.uuid(), name: z.string().nullable().meta({ description: 'Null once it is deleted' }) })
    .optional()
    .meta({ description: 'The other record of a link, a merge or its undo' }),
  bulk: z
    .object({ id: z.uuid(), isUndo: z.boolean() })
    .optional()
    .meta({ description: 'The act on many records, or its undo, of which this is a part' }),
  hints: z.record(z.string(), z.string()).optional().meta({ description: 'The hints given to a refresh' }),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>
