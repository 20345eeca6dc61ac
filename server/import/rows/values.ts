import type { z } from 'zod'
import type { FileFieldName } from '#contract/export.ts'
import { creationFields, type Field } from '#contract/fields.ts'
import type { Fault } from '#contract/import.ts'
import { DESCRIPTION_MAX, NAME_MAX, NOTES_MAX, RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import { completeAddress, isVisible, lengthOf, withoutTurns } from '#contract/plain-text.ts'
import { recordName, recordUrl } from '#contract/record.ts'
import type { Facts } from '#server/db/schema.ts'
import { text as cleanText, headquarters } from '#server/enrichment/findings.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import {
  emailOf,
  employeesOf,
  firstAddress,
  isOnlySigns,
  marksEmptiness,
  ratingOf,
  scaleOf,
  yearOf,
} from '#server/import/read/cells/cell-values.ts'
import { type DateOrder, timeOf } from '#server/import/read/cells/dates.ts'
import {
  type ImportedFinder,
  type ImportedNote,
  parseFinders,
  parseInfo,
  parseThread,
} from '#server/import/read/cells/exported.ts'
import { isNoName, namesSeveral } from '#server/import/read/cells/names.ts'
import { columnsOf, isKnownColumn, textsOf } from '#server/import/read/columns/mapping.ts'
import type { Reading, Refusal, RowParser } from '#server/import/target.ts'
import { infoText } from '#server/records/fields.ts'
import type { Fields } from '#server/records/kind.ts'
import { type HasRole, rights } from '#server/rights.ts'
import { type NoteLine, noteLine } from './note-lines.ts'
import { pipelineReader, type RowPipeline } from './pipeline-cells.ts'
import { createUnmatched, type KnownPipeline } from './pipeline-known.ts'

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
  /** Values of the pipeline, and tags. `passed`: why its status is left out, unless the record is passed already. */
  pipeline: Pick<RowPipeline, 'values' | 'tags' | 'shown' | 'passed'>
}

/** A read cell: its value, or why it is left out. `isPart` is true when the cell says more than the value. */
type Cell = { value?: unknown; sentence?: string; isPart?: boolean }

export type Reader = (text: string, column: number, header: string) => Cell

export const unreadable = (sentence: string): Cell => ({ sentence })

export const longText =
  (label: string, max: number): Reader =>
  (text) => {
    if (lengthOf(text) <= max) return { value: text }
    const cut = [...text].slice(0, max).join('')
    return {
      value: cut,
      sentence: `${label} must be at most ${max.toLocaleString('en')} characters, and the rest is left out`,
    }
  }

const SEVERAL_PEOPLE = 'This may be several people. Split the row into one for each.'
const NO_NAME = 'This may be no name'
const TURNED = 'Marks in the name that change the direction of text are left out'

/** A name is one line. A longer one is cut, because a row is refused only if it has none. `ofPeople`: it names one person. */
const nameReader =
  (ofPeople: boolean): Reader =>
  (text) => {
    const written = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
    const line = withoutTurns(written)
    if (!isVisible(line) || isOnlySigns(line)) return unreadable('Name is required')
    const isDoubted = isNoName(line) || (ofPeople && isKnownColumn(line))
    const doubt = isDoubted ? NO_NAME : ofPeople && namesSeveral(text) ? SEVERAL_PEOPLE : undefined
    const turned = line === written ? undefined : TURNED
    const { value, sentence = doubt ?? turned } = longText('Name', NAME_MAX)(line, 0, '')
    const read = recordName.safeParse(value)
    if (!read.success) return unreadable(read.error.issues[0]?.message ?? 'Name is required')
    return { value: read.data, ...(sentence !== undefined && { sentence }), isPart: read.data !== line }
  }

const address =
  (rule: z.ZodType): Reader =>
  (text) => {
    const first = firstAddress(text)
    const read = rule.safeParse(completeAddress(first))
    if (!read.success) return unreadable(read.error.issues[0]?.message ?? 'This address is not valid')
    return { value: read.data || undefined, isPart: first !== text }
  }

const rating: Reader = (text, _column, header) => {
  const value = ratingOf(text, scaleOf(header))
  return value === undefined
    ? unreadable(`Rating must be a whole number from ${RATING_MIN} to ${RATING_MAX}`)
    : { value }
}

const createdBy: Reader = (text) => {
  if (lengthOf(text) > NAME_MAX) return unreadable(`The creator must be at most ${NAME_MAX} characters`)
  return { value: text, ...(namesSeveral(text) && { sentence: 'This may be several people' }) }
}

/** Refuses future dates, and dates before 1970, because lists are paged by times after 1970. */
export const createdAt =
  ({ inspection, dates }: Reading): Reader =>
  (text, column) => {
    const proven = inspection.dates[column]?.order
    const order: DateOrder | undefined = proven === undefined || proven === 'either' ? (dates ?? undefined) : proven
    const time = timeOf(text, order)
    if (time === 'ambiguous') return unreadable('Choose whether this date has the day or the month first')
    if (time !== undefined && time.getTime() > 0 && time.getTime() <= Date.now()) return { value: time }
    return unreadable('The date must be written as 2026-03-18 or 2026-03-18T10:32:00Z, and not be in the future')
  }

/** A value that enrichment fills otherwise, read as providers' values are. */
const fact =
  (read: (text: string) => unknown, sentence: string): Reader =>
  (text) => {
    const value = read(text)
    return value === undefined
      ? unreadable(sentence)
      : { value, isPart: typeof value === 'string' && isCut(value, text) }
  }

const isCut = (value: string, text: string) => lengthOf(value) < lengthOf(text) && text.startsWith(value)

const factReaders: Partial<Record<FileFieldName, Reader>> = {
  // Affinity separates several companies by semicolons, and Notion adds the address of its page.
  company: fact((text) => cleanText(text.split(/;\s|\s\(https?:/, 1)[0]), 'This company cannot be read'),
  title: fact((text) => cleanText(text), 'This title cannot be read'),
  industry: fact((text) => cleanText(text), 'This industry cannot be read'),
  bio: fact((text) => cleanText(text, DESCRIPTION_MAX), 'This text cannot be read'),
  place: (text) => {
    const value = headquarters({ city: text })
    return value === undefined
      ? unreadable('This place cannot be read')
      : { value, isPart: isCut(value.city ?? '', text) }
  },
  email: (text) => {
    const value = emailOf(text)
    return value === undefined
      ? unreadable('Enter an email address, such as ada@mit.edu')
      : { value, isPart: value !== text }
  },
  founded: (text) => {
    const value = yearOf(text)
    return value === undefined
      ? unreadable('The year must be a whole number, not in the future')
      : { value, isPart: !/^\D?\d{4}\D?$/.test(text) }
  },
  employees: fact((text) => employeesOf(text), 'Employees must be a number or a range, such as 51-200'),
}

/** Readers of fields by name. Other columns follow the rules of the add form, and other public data is text. */
const readersOf = (kind: EnrichedKind, file: Reading): Partial<Record<FileFieldName, Reader>> => ({
  ...{
    name: nameReader(kind.matching.forms === 'person_forms'),
    notes: longText('Notes', NOTES_MAX),
    rating,
    createdBy,
    createdAt: createdAt(file),
  },
  ...factReaders,
})

function columnReader({ contract }: EnrichedKind, { name, isColumn, rule }: Field): Reader {
  if (!isColumn) return fact((text) => cleanText(text), 'This text cannot be read')
  if (rule && rule.example === undefined) return longText(rule.label, rule.max)
  const { shape } = contract.Input as unknown as z.ZodObject
  // The form that adds a company has no LinkedIn page.
  const fallback = recordUrl('LinkedIn profile', 'https://www.linkedin.com/company/…')
  return address((shape[name] as z.ZodType | undefined) ?? fallback)
}

/** Whether the text is the value, also where it only marks emptiness. */
const isText = ({ name, isColumn, content }: Field) =>
  name === 'notes' || name === 'createdBy' || (isColumn === true && content === 'prose')

/**
 * Parses the rows of a file. Only managers may set creator and date of a record, and only our own export has notes and
 * finders.
 */
export function rowParser(
  kind: EnrichedKind,
  file: Reading,
  uploader: HasRole,
  knownPipeline?: KnownPipeline,
): RowParser<ParsedRow> {
  const setsCreation = rights.importCreation.allows(uploader)
  const unmatched = createUnmatched()
  const readPipeline = pipelineReader(file, knownPipeline, unmatched)
  const byName = readersOf(kind, file)
  const readers = kind.fileFields
    .filter(({ name }) => setsCreation || !creationFields.some((field) => field.name === name))
    .map((field) => {
      const name = field.name as FileFieldName
      const fact = field.isColumn ? undefined : field.info
      return { name, fact, isText: isText(field), read: byName[name] ?? columnReader(kind, field) }
    })
  const isExport = setsCreation && file.dialect.format === 'jsonl'
  const cellOf = (cells: string[], name: string) => (isExport ? cells[file.columns.indexOf(name)] : undefined) ?? ''
  const kept = Object.entries(file.rest).flatMap(([column, what]) => (what === 'notes' ? [Number(column)] : []))

  const parse = (cells: string[]): ParsedRow | Refusal => {
    const texts = textsOf(file, cells)
    const info = parseInfo(kind, cellOf(cells, 'additionalInfo'))
    const values: Record<string, unknown> = {}
    const facts: Facts = {}
    const found: [number, Fault][] = []
    const lines: [number, NoteLine][] = []

    for (const { name: field, fact, isText, read } of readers) {
      const text = texts[field]
      if (text !== undefined && fact !== undefined && info?.[fact] !== undefined && infoText(info[fact]) === text) {
        facts[fact] = info[fact]
        continue
      }
      if (field !== 'name' && (text === undefined || (!isText && marksEmptiness(text)))) continue
      const [column = 0] = columnsOf(file.mapping[field])
      const header = file.columns[column] ?? ''
      const { value, sentence, isPart } = read(text ?? '', column, header)
      if (value !== undefined && fact !== undefined) facts[fact] = value
      else if (value !== undefined) values[field] = value
      if (sentence !== undefined) found.push([column, { ...(header !== '' && { column: header }), sentence }])
      // A value that is only in doubt is there in full.
      const isWhole = value !== undefined && !isPart && (field === 'name' || value === text)
      if ((sentence !== undefined || isPart) && !isWhole && text !== undefined && field !== 'notes') {
        lines.push([column, noteLine(header, text)])
      }
    }
    const pipeline = readPipeline(texts)
    found.push(...pipeline.faults)
    lines.push(...pipeline.lines)
    const faults = inOrder(found)
    if (values.name === undefined || (faults.length > 0 && file.cells === 'refuse')) return { isRefused: true, faults }
    for (const column of kept) {
      const text = cells[column]?.trim() ?? ''
      if (text !== '' && !marksEmptiness(text)) lines.push([column, noteLine(file.columns[column] ?? '', text)])
    }
    const { createdBy, createdAt, ...fields } = values
    return {
      fields: fields as ParsedRow['fields'],
      facts,
      lines: inOrder(lines),
      faults,
      ...(createdBy !== undefined && { createdBy: createdBy as string }),
      ...(createdAt !== undefined && { createdAt: createdAt as Date }),
      thread: parseThread(cellOf(cells, 'notesThread')),
      finders: parseFinders(cellOf(cells, 'finders')),
      info,
      pipeline,
    }
  }
  return Object.assign(parse, { unmatched: unmatched.list })
}

/** In the order of the columns. */
const inOrder = <Item>(items: [number, Item][]): Item[] =>
  items.toSorted(([one], [other]) => one - other).map(([, item]) => item)
