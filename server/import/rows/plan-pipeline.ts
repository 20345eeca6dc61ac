import type { Fault, ImportDuplicates } from '#contract/import.ts'
import { isAdvance } from '#contract/status.ts'
import { RECORD_TAGS_MAX } from '#contract/tags.ts'
import type { RecordRow } from '#server/lists/row.ts'
import {
  type AllPipelineValues,
  changedPipeline,
  emptyPipeline,
  endsStep,
  filledPipeline,
  makesResponsible,
  pipelineOf,
} from '#server/pipeline/values.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { rights } from '#server/rights.ts'
import { tagKey } from '#server/tags/key.ts'
import { RECORD_IS_FULL } from '#server/tags/record-tags.ts'
import type { RowTag } from './pipeline-cells.ts'
import type { ParsedRow } from './values.ts'

// What a row changes in the pipeline and the tags of a record that is here. Anyone may change these.

/** All values of the pipeline afterwards, if any changes, and the tags that it gets. */
export type PipelineChange = { pipeline?: AllPipelineValues; tags: RowTag[] }

type Planned = { isSame: boolean; change: PipelineChange; faults: Fault[] }

/** Without the sentence about a status passed that has no reason, which says nothing new of a record that is passed. */
export function dropUnreasonedPass(row: ParsedRow, { status }: Pick<RecordRow, 'status'>): ParsedRow {
  const { passed } = row.pipeline
  if (passed === undefined || status !== 'passed') return row
  const { faults, lines } = row
  return {
    ...row,
    faults: faults.filter((fault) => fault !== passed.fault),
    lines: lines.filter((line) => line !== passed.line),
  }
}

export const NOW_RESPONSIBLE = 'No one is responsible, so the next step makes the person who imports responsible'

/** The values of a record that a row creates, and a sentence if they make the importer responsible. */
export function planNewPipeline(
  { values }: ParsedRow['pipeline'],
  importerId: string,
): { pipeline: PipelineValues; faults: Fault[] } {
  if (!makesResponsible(emptyPipeline, { ...emptyPipeline, ...values })) return { pipeline: values, faults: [] }
  return { pipeline: { ...values, responsibleId: importerId }, faults: [{ sentence: NOW_RESPONSIBLE }] }
}

/** Fill and update add tags, and take none away. */
export function planPipeline(
  { duplicates, canAdvance, importerId }: { duplicates: ImportDuplicates; canAdvance: boolean; importerId: string },
  { pipeline: { values, tags } }: ParsedRow,
  record: RecordRow,
): Planned {
  const before = pipelineOf(record)
  const given = { ...before, ...values }
  const known = new Set((record.tags ?? []).map(({ name }) => tagKey(name)))
  const missing = tags.filter(({ key }) => !known.has(key))
  const isSame = changedPipeline(before, given) === undefined && missing.length === 0
  if (duplicates === 'skip' || isSame) return { isSame, change: { tags: [] }, faults: [] }

  const faults: Fault[] = []
  let to = duplicates === 'fill' ? filledPipeline(before, { ...emptyPipeline, ...values }) : given
  if (endsStep(before, { ...values, status: to.status })) to = { ...to, nextStep: null, nextOn: null }
  if (to.status !== 'passed') to = { ...to, passingReasonId: null, passingText: null, lookAgainOn: null }
  if (isAdvance(before.status, to.status) && !canAdvance) {
    const { status, passingReasonId, passingText, lookAgainOn } = before
    to = { ...to, status, passingReasonId, passingText, lookAgainOn }
    faults.push({ sentence: rights.advance.why })
  }
  if (makesResponsible(before, to)) {
    to = { ...to, responsibleId: importerId }
    faults.push({ sentence: NOW_RESPONSIBLE })
  }
  const free = Math.max(0, RECORD_TAGS_MAX - known.size)
  if (missing.length > free) faults.push({ sentence: RECORD_IS_FULL })
  const isChanged = changedPipeline(before, to) !== undefined
  return { isSame, change: { ...(isChanged && { pipeline: to }), tags: missing.slice(0, free) }, faults }
}
