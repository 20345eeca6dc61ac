// The declaration of the values of the pipeline. The history, merges, their undo, files and labels loop over it. This file has
// no schemas, so that a list renders before the page has loaded zod.

type PipelineField = {
  /** Its name on the wire, in files, in the history and in what an undo has kept. */
  name: string
  /** As in a sentence. */
  label: string
  /** Its column of the table of records, by its name in the schema. */
  column: string
  /** Values that say one thing together. A merge fills them, and its undo keeps them, all or none. */
  group?: 'step' | 'outcome'
  /** Its column in exported files, in one order with the fields of the kinds. Imports read it. */
  file?: number
  fileLabel?: string
}

export const pipelineFields = [
  { name: 'stage', label: 'stage', column: 'stageId', file: 9 },
  { name: 'status', label: 'status', column: 'status', group: 'outcome', file: 10 },
  { name: 'responsible', label: 'responsible', column: 'responsibleId', file: 11 },
  { name: 'nextStep', label: 'next step', column: 'nextStep', group: 'step', file: 21 },
  { name: 'nextOn', label: 'next step on', column: 'nextOn', group: 'step', file: 22 },
  { name: 'reason', label: 'reason for passing', column: 'passingReasonId', group: 'outcome' },
  { name: 'reasonText', label: 'remark on the reason', column: 'passingText', group: 'outcome' },
] as const satisfies readonly PipelineField[]

export type PipelineColumn = (typeof pipelineFields)[number]['column']
