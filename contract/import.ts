import { z } from 'zod'
import { type KindName, kinds } from './kinds.ts'
import { listQueryParts } from './record.ts'
import { requiredLine } from './text.ts'

// Imports: how a file is read, and which of its columns fill which field.

/** Limits of a file, its unpacked size, its rows below the header, and its columns. Larger files are refused. */
export const IMPORT_BYTES_MAX = 50_000_000
export const IMPORT_UNPACKED_MAX = 300_000_000
export const IMPORT_ROWS_MAX = 200_000
export const IMPORT_COLUMNS_MAX = 200

/** The encodings of text files, by their `TextDecoder` names. The guess is one of the first four. */
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
  .meta({ description: 'The line or sheet row of the column names, counted from 1. Rows above it are ignored' })

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

/** JSON Lines as the export writes them: one object per line. */
const JsonlDialect = z.object({ format: z.literal('jsonl') })

/** The options for reading a file. The server guesses them, and the person can change them. */
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

/**
 * The fields of each kind. No form has a company's LinkedIn page, but lists have it. Only managers fill the last two.
 */
export const importFieldsOf: Record<KindName, readonly ImportField[]> = {
  founder: ['name', 'linkedIn', 'notes', 'rating', 'createdBy', 'createdAt'],
  company: ['name', 'website', 'linkedIn', 'description', 'notes', 'rating', 'createdBy', 'createdAt'],
}

const COLUMN_RULE = 'Choose a column of the file'
const column = z
  .number({ error: COLUMN_RULE })
  .int(COLUMN_RULE)
  .min(0, COLUMN_RULE)
  .max(IMPORT_COLUMNS_MAX - 1, COLUMN_RULE)
const otherField = column.optional()

/** The column of each field, counted from 0. A name can have two columns: first and last name. */
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

/** The time limit for uploading a file. */
export const IMPORT_UPLOAD_SECONDS = 300

/** The name of the uploaded file. Its bytes are the body. */
export const ImportUploadQuery = z.object({ name: requiredLine('The name of the file', 255) })

/**
 * The treatment of rows that match a record: they are skipped, fill its empty fields, or replace its fields. A match
 * that the importer may not change ends as `duplicate`.
 */
export const ImportDuplicates = z.enum(['skip', 'fill', 'update'], { error: 'Choose skip, fill or update' })
export type ImportDuplicates = z.infer<typeof ImportDuplicates>

/**
 * `failed` has an `error`. A file that could not be read has written nothing; an import that failed can be reverted.
 */
export const ImportState = z.enum(['reading', 'ready', 'running', 'done', 'reverting', 'reverted', 'failed'])
export type ImportState = z.infer<typeof ImportState>

/**
 * The outcome of a row, or its preview. A revert turns created and updated rows into `reverted`, or `kept` with the
 * reason.
 */
export const ImportOutcome = z.enum(['created', 'updated', 'same', 'duplicate', 'refused', 'reverted', 'kept'], {
  error: 'Choose an outcome from the list',
})
export type ImportOutcome = z.infer<typeof ImportOutcome>

const ImportKind = z.enum(
  kinds.map(({ name }): KindName => name),
  { error: `Kind must be one of ${kinds.map(({ name }) => name).join(', ')}` },
)

/** The changes that a person may make before the import runs. The file is then read again. */
export const ImportPatch = z.object({
  kind: ImportKind.optional(),
  dialect: Dialect.optional(),
  mapping: Mapping.optional(),
  duplicates: ImportDuplicates.optional(),
})
export type ImportPatch = z.infer<typeof ImportPatch>

const count = z.number().int()

export const Import = z.object({
  id: z.uuid(),
  name: z.string().meta({ description: 'The name of the file' }),
  by: z.string().meta({ description: 'Who imports: name, else e-mail' }),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable().meta({ description: 'When it started to write records' }),
  state: ImportState,
  kind: ImportKind,
  dialect: Dialect,
  columns: z.array(z.string()).meta({ description: 'The names of the columns, in order' }),
  mapping: Mapping,
  duplicates: ImportDuplicates,
  counts: z
    .object({ created: count, updated: count, same: count, duplicate: count, refused: count })
    .extend({ reverted: count.optional(), kept: count.optional() })
    .meta({ description: 'Rows by outcome; until the import runs, as they would be' }),
  done: count.meta({ description: 'Rows that the current step has finished' }),
  total: count.meta({ description: 'Rows of the current step; 0 while the file is read' }),
  error: z.string().optional(),
})
export type Import = z.infer<typeof Import>

/** Lookups of public data for the records that an import has created. */
export const ImportLookUps = z.object({
  count: count.meta({ description: 'The records that it has created, if a source is configured' }),
  askedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When a person requested the lookups, which is possible once' }),
})
export type ImportLookUps = z.infer<typeof ImportLookUps>

/** The query of a list of imports, newest first. */
export const ImportsQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

export const ImportRowsQuery = ImportsQuery.extend({ outcome: ImportOutcome.optional() })

/** A row of the file, with the values of its mapped columns. */
export const ImportRow = z.object({
  row: count.meta({ description: 'The line or sheet row, as a person finds it in the file' }),
  outcome: ImportOutcome,
  recordId: z.uuid().optional().meta({ description: 'The record that it created, changed or matched' }),
  column: z.string().optional().meta({ description: 'The column of a refused value' }),
  error: z.string().optional(),
  values: z.partialRecord(z.enum(importFields), z.string()),
})
export type ImportRow = z.infer<typeof ImportRow>
