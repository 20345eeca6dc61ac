import { z } from 'zod'
import { day, timeZone } from './days.ts'
import type { Filter, Parameter, ParameterName, ParameterValue } from './filters.ts'
import { RATING_MAX, RATING_MIN } from './limits.ts'
import { Status } from './stage.ts'
import { statusWords } from './status.ts'
import { optionalText } from './text.ts'

export const COHORT_RULE = 'This link to a number is not valid, or was made for another account'

function shapeOf(parameter: Parameter): z.ZodType {
  const { label } = parameter
  if (parameter.takes === 'id') {
    const error = `${label} must be the id of ${parameter.of}${parameter.orNone ? ', or none' : ''}`
    const id = z.guid({ error })
    return parameter.orNone
      ? z.union([z.literal('none'), id], { error }).transform((value) => value.toLowerCase())
      : id.toLowerCase()
  }
  if (parameter.takes === 'word') {
    // The API document has one shape of both.
    if (parameter.words === statusWords) return Status
    const words = Object.keys(parameter.words)
    return z.enum(words, { error: `${label} must be ${words.join(words.length === 2 ? ' or ' : ', ')}` })
  }
  if (parameter.takes === 'rating') {
    const error = `${label} must be a whole number from ${RATING_MIN} to ${RATING_MAX}`
    return z
      .string({ error })
      .regex(/^(?:[1-9]|10)$/, error)
      .transform(Number)
  }
  if (parameter.takes === 'cohort')
    return z.string({ error: `${label} must be given once` }).regex(/^[\w-]{8,200}\.[\w-]{43}$/, COHORT_RULE)
  return parameter.takes === 'day' ? day(label) : optionalText(label, parameter.max)
}

function optionalOf(parameter: Parameter) {
  const { takes, description } = parameter
  const range = takes === 'rating' && { type: 'integer', minimum: RATING_MIN, maximum: RATING_MAX }
  return shapeOf(parameter)
    .optional()
    .meta({ ...(description !== undefined && { description }), ...range })
}

type Filters = Readonly<Record<string, Filter>>
type Names<Of> = { [Name in keyof Of]: Of[Name] extends { parameters: infer Parameters } ? keyof Parameters : never }
type Shapes<Of extends Filters> = {
  [Name in Names<Of>[keyof Of] & ParameterName]: z.ZodOptional<z.ZodType<ParameterValue<Name>>>
} & (true extends Of[keyof Of]['hasDays'] ? { timeZone: typeof timeZone } : unknown)

/** The parameters of filters. The time zone follows the last filter by days. */
export function filterShapes<Of extends Filters>(filters: Of): Shapes<Of> {
  const all = Object.values(filters)
  const lastByDays = all.findLast(({ hasDays }) => hasDays)
  const shapes = all.map((filter) => ({
    ...Object.fromEntries(Object.entries(filter.parameters).map(([name, parameter]) => [name, optionalOf(parameter)])),
    ...(filter === lastByDays && { timeZone }),
  }))
  return Object.assign({}, ...shapes)
}
