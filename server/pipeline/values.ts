import { type PipelineColumn, pipelineFields } from '#contract/pipeline-fields.ts'
import { isTimed } from '#contract/status.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'

/** All values of the pipeline of a record, by their columns. */
export type AllPipelineValues = Required<PipelineValues>

/** The values that belong together: of a group all, of the others each. */
const groups: (typeof pipelineFields)[number][][] = Object.values(
  Object.groupBy(pipelineFields, (field) => ('group' in field ? field.group : field.name)),
)

/** Of a row its values, of the table its columns. */
export const pipelineOf = <Row extends Record<PipelineColumn, unknown>>(row: Row): Pick<Row, PipelineColumn> =>
  Object.fromEntries(pipelineFields.map(({ column }) => [column, row[column]])) as Pick<Row, PipelineColumn>

/** The values of a record without a pipeline. */
export const emptyPipeline: AllPipelineValues = {
  ...(Object.fromEntries(pipelineFields.map(({ column }) => [column, null])) as unknown as AllPipelineValues),
  status: 'active',
}

/** Passing and advancing end the next step. One that the same change sets is a step like any other. */
export const endsStep = (
  from: Pick<AllPipelineValues, 'status'>,
  { status, nextStep, nextOn }: { [Column in 'status' | 'nextStep' | 'nextOn']?: PipelineValues[Column] | undefined },
): boolean => status !== undefined && status !== from.status && !isTimed(status) && !nextStep && !nextOn

/** A next step that is set where no one is responsible makes its author responsible: it is on the list of a fellow. */
export const makesResponsible = (
  from: Pick<AllPipelineValues, 'nextStep' | 'nextOn'>,
  { responsibleId, nextStep, nextOn }: PipelineValues,
): boolean => !responsibleId && Boolean(nextStep || nextOn) && (nextStep !== from.nextStep || nextOn !== from.nextOn)

/** The values of every group in which these differ. */
export function changedGroups(from: AllPipelineValues, to: AllPipelineValues): [PipelineValues, PipelineValues] {
  const changed = groups.filter((group) => group.some(({ column }) => from[column] !== to[column])).flat()
  const only = (values: AllPipelineValues): PipelineValues =>
    Object.fromEntries(changed.map(({ column }) => [column, values[column]]))
  return [only(from), only(to)]
}

/** Nothing was ever set: it is active, and all else is empty. */
const isUnused = (values: AllPipelineValues): boolean =>
  values.status === 'active' && Object.entries(values).every(([column, value]) => column === 'status' || value === null)

/** The values of one record, its empty ones filled from another one. A status says nothing while nothing else does. */
export function filledPipeline(ours: AllPipelineValues, theirs: AllPipelineValues): AllPipelineValues {
  const isEmpty = (column: keyof AllPipelineValues) => (column === 'status' ? isUnused(ours) : ours[column] === null)
  const taken = groups.filter((group) => group.every(({ column }) => isEmpty(column))).flat()
  return { ...ours, ...Object.fromEntries(taken.map(({ column }) => [column, theirs[column]])) }
}

/** The values before a merge for groups that are as the merge left them, and the names of those that stay. */
export function restoredPipeline(
  now: AllPipelineValues,
  before: AllPipelineValues,
  after: AllPipelineValues,
): { values: AllPipelineValues; kept: string[] } {
  const isChanged = ({ column }: { column: keyof AllPipelineValues }) => now[column] !== after[column]
  const kept = groups.filter((group) => group.some(isChanged)).flat()
  return {
    values: { ...before, ...Object.fromEntries(kept.map(({ column }) => [column, now[column]])) },
    kept: kept
      .filter((field) => isChanged(field) || now[field.column] !== before[field.column])
      .map(({ name }) => name),
  }
}

/** The values that differ; undefined when none does. */
export function changedPipeline(from: AllPipelineValues, to: AllPipelineValues): PipelineValues | undefined {
  const changed = pipelineFields.filter(({ column }) => from[column] !== to[column])
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map(({ column }) => [column, to[column]]))
}
