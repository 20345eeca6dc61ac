import { keyOf } from '#contract/fields.ts'
import { fold } from '#contract/fold.ts'
import type { Fault } from '#contract/import.ts'
import { FACT_MAX } from '#contract/limits.ts'
import { pipelineFields } from '#contract/pipeline-fields.ts'
import { capital } from '#contract/plain-text.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { columnsOf } from '#server/import/read/columns/mapping.ts'
import type { PlanContext } from '#server/import/target.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { type AllPipelineValues, emptyPipeline, filledPipeline, pipelineOf } from '#server/pipeline/values.ts'
import { infoText } from '#server/records/fields.ts'
import { tagKey } from '#server/tags/key.ts'
import type { NoteLine } from './note-lines.ts'
import type { PipelineChange } from './plan-pipeline.ts'
import type { ParsedRow } from './values.ts'

// Sentences about the values of a row that its record lacks, so that none is dropped in silence.

/** A value of the row, that of the record, and whether they are equal. */
export type Compared = {
  field: string
  isFact: boolean
  value: unknown
  now: unknown
  isEmpty: boolean
  isEqual: boolean
}

/** A longer value is cut in a sentence. The row shows all of it. */
const SHOWN_MAX = 60
/** Of the columns that are kept in notes. */
const LINES_SHOWN_MAX = 5

const quoted = (value: unknown): string => {
  const text = (typeof value === 'object' || typeof value === 'number' ? infoText(value) : String(value)).trim()
  const [line = ''] = text.split(/\s*\n/, 1)
  const letters = [...line]
  return letters.length > SHOWN_MAX || line !== text
    ? `“${letters.slice(0, SHOWN_MAX).join('').trimEnd()}…”`
    : `“${text}”`
}

type Context = Pick<PlanContext['import'], 'columns' | 'mapping'> & { kind: EnrichedKind; of: string }

/** `different`: values of the row that the record does not get. `change`: what it gets in the pipeline and of tags. */
export function lacksOf(
  { kind, columns, mapping, of }: Context,
  row: ParsedRow,
  record: RecordRow,
  { different, lines, change }: { different: Compared[]; lines: NoteLine[]; change: PipelineChange },
): Fault[] {
  const inColumn = ({ name, label }: { name: string; label: string }, sentence: string): Fault => {
    const [at] = columnsOf(mapping[name as keyof typeof mapping])
    return {
      column: (at === undefined ? undefined : columns[at]) || capital(label),
      sentence: `${capital(of)} ${sentence}`,
    }
  }
  const values = different.flatMap(({ field: key, value, now, isEmpty }) => {
    const field = kind.fields.find((one) => keyOf(one) === key)
    // In which a longer text says more.
    const isProse = key === 'notes' || (field?.content === 'prose' && (field.rule?.max ?? 0) > FACT_MAX)
    // Another spelling of the name says nothing more.
    if (field === undefined || key === 'name' || isIn(value, isEmpty ? '' : now, isProse)) return []
    const lacks = isEmpty || isProse ? `lacks ${quoted(value)}` : `has ${quoted(now)}, not ${quoted(value)}`
    return [inColumn(field, lacks)]
  })
  const pipeline = pipelineLacks(row, change.pipeline ?? pipelineOf(record), inColumn)
  const placeOf = ({ column = '' }: Fault) => columns.indexOf(column)
  const inOrder = [...values, ...pipeline, ...tagsLack()].sort((one, other) => placeOf(one) - placeOf(other))
  return [...inOrder, ...linesLack()]

  function tagsLack(): Fault[] {
    const known = new Set([
      ...(record.tags ?? []).map(({ name }) => tagKey(name)),
      ...change.tags.map(({ key }) => key),
    ])
    const missing = row.pipeline.tags.filter(({ key }) => !known.has(key)).map(({ name }) => quoted(name))
    return missing.length === 0 ? [] : [inColumn({ name: 'tags', label: 'tags' }, `lacks ${missing.join(', ')}`)]
  }

  function linesLack(): Fault[] {
    if (lines.length === 0) return []
    const shown = lines.slice(0, LINES_SHOWN_MAX).map(({ text }) => quoted(text))
    const others = lines.length - shown.length
    return [{ sentence: `${capital(of)} lacks ${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}` }]
  }
}

/** Whether a text says all that a value says: it is the same in another case, or longer prose with it. */
function isIn(value: unknown, now: unknown, isProse: boolean): boolean {
  const [text, stored] = [value, now].map((one) => fold(infoText(one).trim())) as [string, string]
  return isProse ? stored.includes(text) : stored === text
}

/** Only what is empty there: a record moves on. */
function pipelineLacks(
  { pipeline: { values, shown } }: ParsedRow,
  before: AllPipelineValues,
  inColumn: (field: { name: string; label: string }, sentence: string) => Fault,
): Fault[] {
  const filled = filledPipeline(before, { ...emptyPipeline, ...values })
  return pipelineFields.flatMap((field) => {
    const text = shown[field.name]
    return filled[field.column] === before[field.column] || text === undefined
      ? []
      : [inColumn(field, `lacks ${quoted(text)}`)]
  })
}
