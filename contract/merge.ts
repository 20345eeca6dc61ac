import { z } from 'zod'
import { Failure } from './errors.ts'
import { RecordId } from './record.ts'

const SIDE_RULE = 'Choose survivor or duplicate'
const Side = z.enum(['survivor', 'duplicate'], { error: SIDE_RULE })

/**
 * Merges the duplicate into the survivor. `choices` names a side by field, also for enriched fields; a field without a
 * choice keeps the survivor's value, or the duplicate's where the survivor has none. A fellow who may not edit both has
 * no choice: the values of the record found first are kept, its empty ones filled, and the notes of both.
 */
export const MergeInput = z
  .object({
    survivorId: RecordId,
    duplicateId: RecordId,
    versions: z.record(RecordId, z.number().int(), { error: 'Versions must name the version of both records' }),
    choices: z
      .object({ notes: z.enum(['survivor', 'duplicate', 'both'], { error: `${SIDE_RULE}, or both` }).optional() })
      .catchall(Side)
      .default({}),
  })
  .refine(({ survivorId, duplicateId }) => survivorId !== duplicateId, {
    error: 'A record cannot be merged with itself',
    path: ['duplicateId'],
  })
  .refine(({ survivorId, duplicateId, versions }) => survivorId in versions && duplicateId in versions, {
    error: 'Versions must name the version of both records',
    path: ['versions'],
  })
export type MergeInput = z.infer<typeof MergeInput>

export const merged = <Record extends z.ZodType>(record: Record) => z.object({ mergeId: z.uuid(), record })

/** A field in which both records have different values. */
const DifferingField = z.object({
  field: z.string().meta({ description: 'The name of the field, as in `choices`' }),
  survivor: z.string(),
  duplicate: z.string(),
})
/** A value of the pipeline of the duplicate that the survivor does not get. An undo of the merge gives it back. */
const DroppedValue = z.object({
  field: z.string().meta({ description: 'Its name, as in the history' }),
  value: z.string().meta({ description: 'As people know it: the name of a stage, fellow or reason, or a day' }),
})
export type DroppedValue = z.infer<typeof DroppedValue>

const ProposedChoices = z.record(z.string(), z.enum(['survivor', 'duplicate', 'both'])).meta({
  description: 'By field: the fuller text, else the value of the record found first; both notes, if they fit',
})

/** What a merge would do. Nothing is written. */
export const mergePreview = <Record extends z.ZodType>(record: Record) =>
  z.object({
    differences: z.array(DifferingField),
    proposed: ProposedChoices,
    canChoose: z.boolean().meta({ description: 'Whether the caller may choose. Otherwise the rule of merges applies' }),
    notesFit: z.boolean().meta({ description: 'Whether the notes of both can be kept' }),
    dropped: z
      .array(DroppedValue)
      .optional()
      .meta({ description: 'Such as the next step of the duplicate. Absent where there is none' }),
    record: record.meta({
      description: 'The survivor, with the given choices, and the proposed ones for other fields',
    }),
  })
export type MergePreview<Record> = {
  differences: z.infer<typeof DifferingField>[]
  proposed: z.infer<typeof ProposedChoices>
  canChoose: boolean
  notesFit: boolean
  dropped?: DroppedValue[]
  record: Record
}

/** The changes and additions after the merge that an undo kept on the survivor. */
export const KeptOnSurvivor = z.object({
  what: z.string().meta({ description: '`note`, `finder`, `link`, `information`, or the name of a field' }),
  id: z.uuid().meta({ description: "The note's id, else the survivor's" }),
  reason: z.string(),
})
export type KeptOnSurvivor = z.infer<typeof KeptOnSurvivor>

export const unmerged = <Record extends z.ZodType>(record: Record) =>
  z.object({ records: z.tuple([record, record]), keptOnSurvivor: z.array(KeptOnSurvivor) })

/** The 409 of a merge: a record has changed since (`current`), or was already merged away (`mergedInto`). */
export const mergeConflict = <Record extends z.ZodType>(record: Record) =>
  Failure.extend({ current: z.tuple([record, record]).optional() })

const Fellow = z.object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() })

/** A merge that is not undone, and the record that it merged away. */
export const OpenMerge = z.object({
  id: z.uuid(),
  other: z.object({ id: z.uuid(), name: z.string() }),
  by: Fellow,
  at: z.iso.datetime(),
})
export type OpenMerge = z.infer<typeof OpenMerge>

/** A merge in the list of a record. */
export const ListedMerge = OpenMerge.extend({
  can: z.object({ undo: z.boolean() }).meta({ description: 'What the caller may do. Only the newest can be undone' }),
})
export type ListedMerge = z.infer<typeof ListedMerge>

/** The 409 of a deletion by the creator of a record into which records of others were merged. */
export const MergedInConflict = Failure.extend({
  merges: z.array(OpenMerge).optional().meta({ description: 'In the order of undoing' }),
})

/** The 409 of an undo: a newer merge has to be undone first. */
export const UndoConflict = Failure.extend({ undoFirst: z.uuid().optional() })
