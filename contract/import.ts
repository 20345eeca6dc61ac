import { z } from 'zod'

// Imports: how a file is read, and which of its columns fill which field.

/** A file, its unpacked size, its rows below the header, and its columns. A larger one is refused with a sentence. */
export const IMPORT_BYTES_MAX = 50_000_000
export const IMPORT_UNPACKED_MAX = 300_000_000
export const IMPORT_ROWS_MAX = 200_000
export const IMPORT_COLUMNS_MAX = 200

/** What a text file may be encoded in, as `TextDecoder` names it. The guess is one of the first four. */
export const importEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'macintosh',
] as const

export const importSeparators = [',', ';', '\t'] as const

const HEADER_RULE = 'Choose the row that holds the names of the columns'
const headerRow = z
  .number({ error: HEADER_RULE })
  .int(HEADER_RULE)
  .min(1, HEADER_RULE)
  .max(1_048_576, HEADER_RULE)
  .meta({ description: 'The line or sheet row of the column names, counted from 1. Rows above it are no data' })

const CsvDialect = z.object({
  format: z.literal('csv'),
  encoding: z.enum(importEncodings, { error: 'Choose an encoding from the list' }),
  separator: z.enum(importSeparators, { error: 'Choose a separator from the list' }),
  headerRow,
})
export type CsvDialect = z.infer<typeof CsvDialect>

const XlsxDialect = z.object({
  format: z.literal('xlsx'),
  sheet: z.string({ error: 'Choose a sheet' }).max(200, 'Choose a sheet'),
  sheets: z.array(z.string().max(200)).max(1000),
  headerRow,
})
export type XlsxDialect = z.infer<typeof XlsxDialect>

/** JSON Lines as the export writes them: one object a line. */
const JsonlDialect = z.object({ format: z.literal('jsonl') })

/** How a file is read. Guessed by the server, changeable by the person. */
export const Dialect = z.discriminatedUnion('format', [CsvDialect, XlsxDialect, JsonlDialect], {
  error: 'Choose a file format from the list',
})
export type Dialect = z.infer<typeof Dialect>

/** The fields that a column can fill, in the order of the export. */
export const importFields = [
  'name',
  'linkedIn',
  'website',
  'description',
  'notes',
  'rating',
  'createdBy',
  'createdAt',
] as const
export type ImportField = (typeof importFields)[number]

const COLUMN_RULE = 'Choose a column of the file'
const column = z
  .number({ error: COLUMN_RULE })
  .int(COLUMN_RULE)
  .min(0, COLUMN_RULE)
  .max(IMPORT_COLUMNS_MAX - 1, COLUMN_RULE)
const otherField = column.optional()

/** The column of each field, counted from 0. A name can be two columns: first and last name. */
export const Mapping = z.object({
  name: z.union([column, z.tuple([column, column])], { error: COLUMN_RULE }).optional(),
  linkedIn: otherField,
  website: otherField,
  description: otherField,
  notes: otherField,
  rating: otherField,
  createdBy: otherField,
  createdAt: otherField,
} satisfies Record<ImportField, z.ZodType>)
export type Mapping = z.infer<typeof Mapping>
