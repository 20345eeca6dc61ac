import { z } from 'zod'
import type { Import, ImportField } from '#contract/import.ts'
import { RATING_DEFAULT } from '#contract/limits.ts'
import { completeAddress } from '#contract/plain-text.ts'
import { recordUrl } from '#contract/record.ts'
import type { Facts } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { Fields } from '#server/records/kind.ts'
import { timeOf } from './dates.ts'
import { type ImportedFinder, type ImportedNote, parseFinders, parseInfo, parseThread } from './exported.ts'
import { firstAddress } from './mapping.ts'

// Parses a row of a file: its texts by field, and their values.

type Mapped = Pick<Import, 'columns' | 'mapping'>

/** The texts of the mapped columns, without blank ones. */
export type RowTexts = Partial<Record<ImportField, string>>

/** The columns of a field. A name may have two. */
export const columnsOf = (column: number | [number, number] | undefined): number[] =>
  column === undefined ? [] : [column].flat()

export function textsOf({ mapping }: Pick<Mapped, 'mapping'>, cells: string[]): RowTexts {
  const texts: RowTexts = {}
  for (const [field, column] of Object.entries(mapping) as [ImportField, number | [number, number]][]) {
    const text = columnsOf(column)
      .map((at) => cells[at]?.trim() ?? '')
      .filter((part) => part !== '')
      .join(' ')
    if (text !== '') texts[field] = text
  }
  return texts
}

/** A row that can be imported. `fields` are those with a value. */
export type ParsedRow = {
  fields: Fields & { name: string }
  createdBy?: string
  createdAt?: Date
  /** Only in our own export. */
  thread: ImportedNote[]
  finders: ImportedFinder[]
  info: Facts | null
}

/** The reason why a row cannot be imported, with the name of the column. */
export type Refusal = { error: string; columnName?: string | undefined }

export const faultOf = ({ error, columnName }: Refusal) => ({
  ...(columnName !== undefined && { column: columnName }),
  sentence: error,
})

export const isRefusal = (parsed: ParsedRow | Refusal): parsed is Refusal => 'error' in parsed

/** Refuses future dates, and dates before 1970, because lists are paged by times after 1970. */
const createdAt = z.string().transform((text, context) => {
  const time = timeOf(text)
  if (time !== undefined && time.getTime() > 0 && time.getTime() <= Date.now()) return time
  context.addIssue('The date must be written as 2026-03-18 or 2026-03-18T10:32:00Z, and not be in the future')
  return z.NEVER
})

const createdBy = z.string().max(200, 'The creator must be at most 200 characters')

const rating = (rule: z.ZodType) =>
  z
    .string()
    .transform((text): unknown => (/^\d{1,3}(\.0+)?$/.test(text) ? Number(text) : text))
    .pipe(rule as z.ZodType<number, unknown>)

/** The rules of each field: those of the add form. */
function rulesOf(kind: EnrichedKind): Partial<Record<ImportField, z.ZodType>> {
  const { shape } = kind.contract.Input as unknown as z.ZodObject
  const byHand = Object.fromEntries(kind.fields.map((field) => [field, shape[field] as z.ZodType]))
  const address = recordUrl('LinkedIn profile', 'https://www.linkedin.com/company/…')
  return { linkedIn: address, ...byHand, rating: rating(byHand.rating as z.ZodType), createdBy, createdAt }
}

export type RowParser = (cells: string[]) => ParsedRow | Refusal

/**
 * Parses the rows of a file. Only managers may set creator and date of a record, and only our own export has notes and
 * finders.
 */
export function rowParser(
  kind: EnrichedKind,
  file: Mapped & { dialect: Import['dialect'] },
  { isManager }: { isManager: boolean },
): RowParser {
  const managersOnly = new Set<string>(['createdBy', 'createdAt'])
  const rules = Object.entries(rulesOf(kind)).filter(([field]) => isManager || !managersOnly.has(field))
  const isExport = isManager && file.dialect.format === 'jsonl'
  const cellOf = (cells: string[], name: string) => (isExport ? cells[file.columns.indexOf(name)] : undefined) ?? ''
  return (cells) => {
    const texts = textsOf(file, cells)
    const values: Record<string, unknown> = {}
    for (const [field, rule] of rules as [ImportField, z.ZodType][]) {
      const text = texts[field]
      if (text === undefined && field !== 'name') continue
      const isAddress = field === 'linkedIn' || field === 'website'
      const result = rule.safeParse(isAddress && text !== undefined ? completeAddress(firstAddress(text)) : text)
      if (!result.success) {
        return {
          error: result.error.issues[0]?.message ?? 'This value is not valid',
          columnName: columnOf(file, field),
        }
      }
      values[field] = result.data
    }
    const { createdBy, createdAt, ...fields } = values
    return {
      fields: fields as ParsedRow['fields'],
      ...(createdBy !== undefined && { createdBy: createdBy as string }),
      ...(createdAt !== undefined && { createdAt: createdAt as Date }),
      thread: parseThread(cellOf(cells, 'notesThread')),
      finders: parseFinders(cellOf(cells, 'finders')),
      info: parseInfo(kind, cellOf(cells, 'additionalInfo')),
    }
  }
}

/** The name of the column of a field in the file; the first one for a name in two columns. */
function columnOf({ columns, mapping }: Mapped, field: ImportField): string | undefined {
  const [column] = columnsOf(mapping[field])
  return column === undefined ? undefined : columns[column]
}

/** The values of a new record for fields that the row leaves out. Imported records may lack an address and notes. */
export const BLANK = { notes: '', rating: RATING_DEFAULT } as const
