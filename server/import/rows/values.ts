import { creationFields } from '#contract/fields.ts'
import type { Fault } from '#contract/import.ts'
import type { PipelineFileName } from '#contract/pipeline-fields.ts'
import type { Facts } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { marksEmptiness } from '#server/import/read/cells/cell-values.ts'
import {
  type ImportedFinder,
  type ImportedNote,
  parseFinders,
  parseInfo,
  parseThread,
} from '#server/import/read/cells/exported.ts'
import { columnsOf, textsOf } from '#server/import/read/columns/mapping.ts'
import type { Reading, Refusal, RowParser } from '#server/import/target.ts'
import { infoText } from '#server/records/fields.ts'
import type { Fields } from '#server/records/kind.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { type HasRole, rights } from '#server/rights.ts'
import { type NoteLine, noteLine } from './note-lines.ts'
import { pipelineRowFields, type RowTag } from './pipeline-cells.ts'
import { createUnmatched, type KnownPipeline } from './pipeline-known.ts'
import { type RowField, recordFields } from './readers.ts'

// Parses a row of a file: its texts by field, their values, and what is kept of the other columns.

/** A row that can be imported. */
export type ParsedRow = {
  /** The values with a column of their own. */
  fields: Fields & { name: string }
  /** The values that enrichment fills otherwise, by their names there. */
  facts: Facts
  /** What a record that the row creates keeps below its notes. */
  lines: NoteLine[]
  /** What was left out. */
  faults: Fault[]
  createdBy?: string
  createdAt?: Date
  /** Only in our own export. */
  thread: ImportedNote[]
  finders: ImportedFinder[]
  info: Facts | null
  pipeline: {
    /** Values by their columns. */
    values: PipelineValues
    tags: RowTag[]
    /** The values as a record would show them. */
    shown: Partial<Record<PipelineFileName, string>>
    /** Of a status passed that is left out: why, unless the record is passed already. */
    passed?: { fault: Fault; line: NoteLine }
  }
}

const UNREASONED = 'A record that is passed needs a reason, so its status is left out'

/**
 * Parses the rows of a file. Only managers may set creator and date of a record, and only our own export has notes and
 * finders.
 */
export function rowParser(
  kind: EnrichedKind,
  file: Reading,
  uploader: HasRole,
  known?: KnownPipeline,
): RowParser<ParsedRow> {
  const setsCreation = rights.importCreation.allows(uploader)
  const unmatched = createUnmatched()
  const rowFields = [
    ...recordFields(kind, file).filter(
      ({ name }) => setsCreation || !creationFields.some((field) => field.name === name),
    ),
    ...(known === undefined ? [] : pipelineRowFields(file, known, unmatched)),
  ]
  const isExport = setsCreation && file.dialect.format === 'jsonl'
  const cellOf = (cells: string[], name: string) => (isExport ? cells[file.columns.indexOf(name)] : undefined) ?? ''
  const kept = Object.entries(file.rest).flatMap(([column, what]) => (what === 'notes' ? [Number(column)] : []))

  const parse = (cells: string[]): ParsedRow | Refusal => {
    const texts = textsOf(file, cells)
    const info = parseInfo(kind, cellOf(cells, 'additionalInfo'))
    const values: Record<RowField['to'], Facts> = { fields: {}, facts: {}, pipeline: {} }
    const shown: ParsedRow['pipeline']['shown'] = {}
    const found: [number, Fault][] = []
    const lines: [number, NoteLine][] = []

    const columnOf = (name: RowField['name']): [column: number, header: string] => {
      const [column = 0] = columnsOf(file.mapping[name])
      return [column, file.columns[column] ?? '']
    }
    /** Adds the sentence about a cell, and the line with its text. */
    const leaveOut = (name: RowField['name'], { sentence = '', text = '' }: { sentence?: string; text?: string }) => {
      const [column, header] = columnOf(name)
      const fault = { ...(header !== '' && { column: header }), sentence }
      const line = noteLine(header, text)
      if (sentence !== '') found.push([column, fault])
      if (text !== '') lines.push([column, line])
      return { fault, line }
    }

    for (const { name, to, key, isText, read } of rowFields) {
      const { [name]: text = '' } = texts
      if (to === 'facts' && text !== '' && info?.[key] !== undefined && infoText(info[key]) === text) {
        values.facts[key] = info[key]
        continue
      }
      if (name !== 'name' && (text === '' || (!isText && marksEmptiness(text)))) continue
      const cell = read(text, ...columnOf(name), values.pipeline)
      const { value, sentence, isPart } = cell
      if (value !== undefined) values[to][key] = value
      if (cell.shown !== undefined) shown[name as PipelineFileName] = cell.shown
      // A value that is only in doubt is there in full.
      const isWhole = value !== undefined && !isPart && (name === 'name' || value === text)
      const isKept = (sentence !== undefined || isPart) && !isWhole && name !== 'notes'
      leaveOut(name, { ...(sentence !== undefined && { sentence }), ...(isKept && { text }) })
      for (const one of cell.left ?? []) leaveOut(name, one)
    }
    const pipeline = { ...valuesOfPipeline(), shown }
    const faults = inOrder(found)
    const { createdBy, createdAt, ...fields } = values.fields
    if (fields.name === undefined || (faults.length > 0 && file.cells === 'refuse')) return { isRefused: true, faults }
    for (const column of kept) {
      const text = cells[column]?.trim() ?? ''
      if (text !== '' && !marksEmptiness(text)) lines.push([column, noteLine(file.columns[column] ?? '', text)])
    }
    return {
      fields: fields as ParsedRow['fields'],
      facts: values.facts,
      lines: inOrder(lines),
      faults,
      ...(createdBy !== undefined && { createdBy: createdBy as string }),
      ...(createdAt !== undefined && { createdAt: createdAt as Date }),
      thread: parseThread(cellOf(cells, 'notesThread')),
      finders: parseFinders(cellOf(cells, 'finders')),
      info,
      pipeline,
    }

    function valuesOfPipeline(): Omit<ParsedRow['pipeline'], 'shown'> {
      const { tags = [], ...given } = values.pipeline as PipelineValues & { tags?: RowTag[] }
      if (given.status !== 'passed') return { values: given, tags }
      if (given.passingReasonId !== undefined)
        return { values: { passingText: null, lookAgainOn: null, ...given }, tags }
      const { status: _status, ...others } = given
      return { values: others, tags, passed: leaveOut('status', { sentence: UNREASONED, text: texts.status ?? '' }) }
    }
  }
  return Object.assign(parse, { unmatched: unmatched.list })
}

/** In the order of the columns. */
const inOrder = <Item>(items: [number, Item][]): Item[] =>
  items.toSorted(([one], [other]) => one - other).map(([, item]) => item)
