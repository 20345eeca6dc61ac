// The declaration of the values of the pipeline. The history, merges, their undo, files and labels loop over it. This file has
// no schemas, so that a list renders before the page has loaded zod.

type PipelineField = {
  /** Its name on the wire, in files, in the history and in what an undo has kept. */
  name: string
  /** As in a sentence. */
  label: string
  /** Its column of the table of records, by its name in the schema. */
  column: string
  /** It is a day. */
  isDay?: true
  /** Values that say one thing together. A merge fills them, and its undo keeps them, all or none. */
  group?: 'step' | 'outcome'
  /** Its column in exported files, in one order with the fields of the kinds. Imports read it. */
  file?: number
  fileLabel?: string
  /** Its name in JSON Lines, if a column of an exported CSV does not have it. */
  line?: string
}

export const pipelineFields = [
  { name: 'stage', label: 'stage', column: 'stageId', file: 9 },
  { name: 'status', label: 'status', column: 'status', group: 'outcome', file: 10 },
  { name: 'responsible', label: 'responsible', column: 'responsibleId', file: 11, fileLabel: 'Responsible fellow' },
  { name: 'nextStep', label: 'next step', column: 'nextStep', group: 'step', file: 21 },
  {
    name: 'nextOn',
    label: 'next step on',
    column: 'nextOn',
    group: 'step',
    isDay: true,
    file: 22,
    fileLabel: 'Date of the next step',
  },
  { name: 'reason', label: 'reason for passing', column: 'passingReasonId', group: 'outcome', line: 'passingReason' },
  { name: 'reasonText', label: 'remark on the reason', column: 'passingText', group: 'outcome', line: 'passingRemark' },
  {
    name: 'lookAgainOn',
    label: 'look again on',
    column: 'lookAgainOn',
    group: 'outcome',
    isDay: true,
    line: 'lookAgainOn',
  },
] as const satisfies readonly PipelineField[]

export type PipelineColumn = (typeof pipelineFields)[number]['column']

/** Tags have a column of exported files too. */
export const tagsField = { name: 'tags', label: 'tags', file: 12 } as const

/** What a column of an imported file can fill, besides the fields of the kinds. */
export const pipelineFileFields = [...pipelineFields, tagsField] as const

export type PipelineFileName = (typeof pipelineFileFields)[number]['name']

/** The name of a field in our own files. */
export const ownColumnOf = (field: { name: string; line?: string }): string => field.line ?? field.name

/** The fields whose values in a file a person may match by hand. */
export const matchedFields = ['stage', 'status', 'responsible', 'reason'] as const satisfies PipelineFileName[]
export type MatchedField = (typeof matchedFields)[number]
