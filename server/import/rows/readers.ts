import type { z } from 'zod'
import type { FileFieldName } from '#contract/export.ts'
import type { Field } from '#contract/fields.ts'
import type { ImportFieldName } from '#contract/import-kinds.ts'
import { DESCRIPTION_MAX, NAME_MAX, NOTES_MAX, RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import { completeAddress, isVisible, lengthOf, withoutTurns } from '#contract/plain-text.ts'
import { recordName, recordUrl } from '#contract/record.ts'
import { text as cleanText, headquarters } from '#server/enrichment/findings.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import {
  emailOf,
  employeesOf,
  firstAddress,
  isOnlySigns,
  ratingOf,
  scaleOf,
  yearOf,
} from '#server/import/read/cells/cell-values.ts'
import { timeOf } from '#server/import/read/cells/dates.ts'
import { isNoName, namesSeveral } from '#server/import/read/cells/names.ts'
import { isKnownColumn } from '#server/import/read/columns/mapping.ts'
import type { Reading } from '#server/import/target.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'

// How the cell of each field is read.

/** A read cell: its value, or why it is left out. `isPart` is true when the cell says more than the value. */
export type Cell = {
  value?: unknown
  /** The value as a record shows it, where that is not its text. */
  shown?: string
  sentence?: string
  isPart?: boolean
  /** The values of the cell that are left out, of a cell that may have several. */
  left?: { text: string; sentence: string }[]
}

/** Reads a cell. `values` are those of the pipeline that cells before it have given. */
export type Reader = (text: string, column: number, header: string, values?: PipelineValues) => Cell

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

/** The time that a cell says, in the order of its column, or in the order that a person has chosen. */
export function timeIn({ inspection, dates }: Reading, text: string, column: number): Date | 'ambiguous' | undefined {
  const proven = inspection.dates[column]?.order
  return timeOf(text, proven === undefined || proven === 'either' ? (dates ?? undefined) : proven)
}

export const AMBIGUOUS = unreadable('Choose whether this date has the day or the month first')

/** Refuses future dates, and dates before 1970, because lists are paged by times after 1970. */
export const createdAt =
  (file: Reading): Reader =>
  (text, column) => {
    const time = timeIn(file, text, column)
    if (time === 'ambiguous') return AMBIGUOUS
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

/** A field that a row may fill: where its value goes, under which name, and how its cell is read. */
export type RowField = {
  name: ImportFieldName
  to: 'fields' | 'facts' | 'pipeline'
  key: string
  /** Whether the text is the value, also where it only marks emptiness. */
  isText: boolean
  read: Reader
}

/** The fields of a kind that files have. */
export function recordFields(kind: EnrichedKind, file: Reading): RowField[] {
  const readers: Partial<Record<string, Reader>> = {
    name: nameReader(kind.matching.forms === 'person_forms'),
    notes: longText('Notes', NOTES_MAX),
    ...{ rating, createdBy, createdAt: createdAt(file) },
    ...factReaders,
  }
  return kind.fileFields.map((field) => {
    const { name, isColumn, content, info } = field
    return {
      name: name as FileFieldName,
      ...(isColumn || info === undefined ? { to: 'fields', key: name } : { to: 'facts', key: info }),
      isText: name === 'notes' || name === 'createdBy' || (isColumn === true && content === 'prose'),
      read: readers[name] ?? columnReader(kind, field),
    }
  })
}

/** Other columns follow the rules of the add form, and other public data is text. */
function columnReader({ contract }: EnrichedKind, { name, isColumn, rule }: Field): Reader {
  if (!isColumn) return fact((text) => cleanText(text), 'This text cannot be read')
  if (rule && rule.example === undefined) return longText(rule.label, rule.max)
  const { shape } = contract.Input as unknown as z.ZodObject
  // The form that adds a company has no LinkedIn page.
  const fallback = recordUrl('LinkedIn profile', 'https://www.linkedin.com/company/…')
  return address((shape[name] as z.ZodType | undefined) ?? fallback)
}
