import { z } from 'zod'
import { day, timeZone } from './days.ts'
import { filterShapes } from './filter-shapes.ts'
import { allOwnFilters, filtersOf, sharedFilters } from './filters.ts'
import { kindShape } from './kind-shape.ts'
import { type Kind, kinds } from './kinds.ts'
import { BOARD_COLUMN } from './limits.ts'
import { listQueryParts } from './record.ts'
import { Pipeline, Status } from './stage.ts'

// The columns are the stages, and the switch of statuses has one always.
const { stage: _stage, status: _status, ...boardFilters } = sharedFilters

/** The filters are those of lists. */
export const BoardQuery = z
  .object({
    kind: kindShape,
    status: Status.default('active'),
    ...filterShapes(boardFilters),
    ...filterShapes(allOwnFilters),
  })
  .superRefine(({ kind, ...query }, { addIssue }) => {
    const given: Readonly<Record<string, unknown>> = query
    const own = filtersOf({ name: kind }).flatMap(([, { parameters }]) => Object.keys(parameters))
    for (const other of kinds) {
      for (const [parameter, { label }] of filtersOf(other).flatMap(([, { parameters }]) =>
        Object.entries(parameters),
      )) {
        if (given[parameter] === undefined || own.includes(parameter)) continue
        addIssue({ code: 'custom', path: [parameter], message: `${label} is a filter of ${other.path}` })
      }
    }
  })
export type BoardQuery = z.infer<typeof BoardQuery>

/** The columns of the board: not started first, then the stages; an archived one only while it has records. */
export const board = <Record extends z.ZodType>(record: Record) =>
  z.array(
    z.object({
      stage: Pipeline.shape.stage,
      count: z.int(),
      isMore: z
        .literal(true)
        .optional()
        .meta({ description: 'With a filter and many records of the kind: there are more than `count`' }),
      records: z.array(record).meta({ description: `The newest ${BOARD_COLUMN}` }),
      next: z.string().optional().meta({ description: 'The address of the next page of the list with these records' }),
    }),
  )

export const NextStepsQuery = z.object({
  limit: listQueryParts.limit,
  cursor: listQueryParts.cursor,
  until: day('Until').optional().meta({ description: 'The last day' }),
  next: listQueryParts.next,
  timeZone,
})

export type NextStepsQuery = z.infer<typeof NextStepsQuery>

/** A next step of the caller, with its record. */
export const NextStep = z.object({
  kind: kindShape,
  record: z.object({ id: z.uuid(), name: z.string() }),
  nextStep: z.string().nullable(),
  nextOn: z.iso.date(),
  ...Pipeline.pick({ stage: true, status: true, version: true }).shape,
})
export type NextStep = z.infer<typeof NextStep>

const counts = z.object(Object.fromEntries(kinds.map(({ path }) => [path, z.int()])) as Record<Kind['path'], z.ZodInt>)

/** Of the counts and the calendar files. The events of a file are whole days, the same in every zone. */
export const ViewerQuery = z.object({ timeZone })

/** How many next steps of the caller are late, and due today: lists with `responsible` and `next` show the same. */
export const NextStepCounts = z.object({
  responsible: z.uuid().meta({ description: 'The public id of the caller' }),
  late: counts,
  due: counts,
})
export type NextStepCounts = z.infer<typeof NextStepCounts>

export const StaysQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/** A stay of a record in a stage. Those of a record that was merged into it do not count for its time in a stage. */
export const Stay = z.object({
  stage: z.object({ id: z.guid(), name: z.string() }),
  enteredAt: z.iso.datetime(),
  leftAt: z.iso.datetime().nullable().meta({ description: 'Null while it is there' }),
  by: z.string().nullable().meta({ description: 'Who moved it there: name, else e-mail' }),
  of: z.object({ id: z.uuid(), name: z.string() }).optional().meta({ description: 'The merged record that was there' }),
})
export type Stay = z.infer<typeof Stay>
