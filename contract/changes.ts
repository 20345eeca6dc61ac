import { z } from 'zod'
import { listQueryParts } from './record.ts'

/** Changes are listed for this long. Older merges can still be undone from the history of their record. */
export const CHANGES_DAYS = 30

export const ChangesQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/** Something that a fellow did to several records, and that may be undone. Lists of them are newest first. */
export const Change = z.object({
  id: z.uuid().meta({
    description: 'The id of the merge, the dismissal, the import, the act on many records, or the deleted record',
  }),
  act: z.enum(['merge', 'dismissal', 'import', 'bulk', 'deletion']),
  what: z.string().meta({
    description:
      'The kind of the records; of an import, the name of its file; of an act on many records, what they got',
  }),
  count: z.number().int().meta({ description: 'The number of records, or of notes' }),
  counted: z.literal('notes').optional().meta({ description: 'Of an import of notes' }),
  records: z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .max(2)
    .meta({
      description:
        'Without deleted ones, except of a deletion. Of a merge, the survivor comes first. Of an act on many records, the first two. Empty for an import',
    }),
  by: z.object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() }),
  at: z.iso.datetime(),
  can: z
    .object({
      undo: z.boolean(),
      whyNotUndo: z.string().optional().meta({ description: 'Absent once it is undone' }),
    })
    .meta({ description: 'What the caller may do' }),
  undoneAt: z.iso.datetime().optional(),
})
export type Change = z.infer<typeof Change>
