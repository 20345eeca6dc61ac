// The declaration of the values of the pipeline. The history, merges, their undo, files and labels loop over it. This file has
// no schemas, so that a list renders before the page has loaded zod.

type PipelineField = {
  /** Its name on the wire, in files, in the history and in what an undo has kept. */
  name: string
  /** As in a sentence. */
  label: string
  /** Its column of the table of records, by its name in the schema. */
  column: string
  /** A merge fills it from the duplicate where this one of the survivor was empty too, because it says more about it. */
  fillsWith?: string
  /** Its column in exported files, in one order with the fields of the kinds. Imports read it. */
  file?: number
  fileLabel?: string
}

export const pipelineFields = [
  { name: 'stage', label: 'stage', column: 'stageId', file: 9 },
  { name: 'status', label: 'status', column: 'status', file: 10 },
  { name: 'responsible', label: 'responsible', column: 'responsibleId', file: 11 },
  { name: 'nextStep', label: 'next step', column: 'nextStep', file: 21 },
  { name: 'nextOn', label: 'next step on', column: 'nextOn', fillsWith: 'nextStep', file: 22 },
  { name: 'reason', label: 'reason for passing', column: 'passingReasonId', fillsWith: 'status' },
  { name: 'reasonText', label: 'remark on the reason', column: 'passingText', fillsWith: 'status' },
] as const satisfies readonly PipelineField[]

export type PipelineColumn = (typeof pipelineFields)[number]['column']
