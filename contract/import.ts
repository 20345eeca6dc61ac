import { z } from 'zod'
import { Dialect } from './import-file.ts'
import { type ImportFieldName, type ImportKindName, importKinds } from './import-kinds.ts'
import { kindNames } from './kinds.ts'
import { matchedFields, type PipelineFileName } from './pipeline-fields.ts'
import { listQueryParts } from './record.ts'
import { requiredLine } from './text.ts'

// Imports: which columns of a file fill which field, and what becomes of its rows.

/** Limits of a file, its unpacked size, its rows below the header, and its columns. Larger files are refused. */
export const IMPORT_BYTES_MAX = 50_000_000
export const IMPORT_UNPACKED_MAX = 300_000_000
export const IMPORT_ROWS_MAX = 200_000
export const IMPORT_COLUMNS_MAX = 200

/** The number of unknown values of a field that a person can match, and the length of one. */
export const UNMATCHED_MAX = 100
export const CHOICE_TEXT_MAX = 200

/** The fields that a column can fill, in all kinds. */
const importFields = [...new Set(importKinds.flatMap(({ fields }) => fields.map(({ name }) => name)))]

const COLUMN_RULE = 'Choose a column of the file'
const column = z
  .number({ error: COLUMN_RULE })
  .int(COLUMN_RULE)
  .min(0, COLUMN_RULE)
  .max(IMPORT_COLUMNS_MAX - 1, COLUMN_RULE)
const columnOfName = z.union([column, z.tuple([column, column])], { error: COLUMN_RULE }).optional()
const otherFields = importFields
  .filter((field) => importKinds.every(({ nameField }) => nameField !== field))
  .map((field) => [field, column.optional()])

/** The column of each field, counted from 0. A name can have two columns: first and last name. */
export const Mapping = z.object({
  name: columnOfName,
  record: columnOfName,
  ...(Object.fromEntries(otherFields) as Record<
    Exclude<ImportFieldName, 'name' | 'record'>,
    z.ZodOptional<typeof column>
  >),
})
export type Mapping = z.infer<typeof Mapping>

/** The time limit for uploading a file. */
export const IMPORT_UPLOAD_SECONDS = 300

/** What an account may upload in 24 hours, and the imports that it may have without running them. */
export const IMPORT_DAILY_BYTES_MAX = 500_000_000
export const IMPORTS_NOT_RUN_MAX = 20

/** The name of the uploaded file. Its bytes are the body. */
export const ImportUploadQuery = z.object({ name: requiredLine('The name of the file', 255) })

/**
 * The treatment of rows that match a record: they are skipped, fill its empty fields, or replace its fields. A match
 * that the importer may not change ends as `duplicate`.
 */
export const ImportDuplicates = z.enum(['skip', 'fill', 'update'], { error: 'Choose skip, fill or update' })
export type ImportDuplicates = z.infer<typeof ImportDuplicates>

/** The treatment of a column that fills no field: on rows that are created, `Header: value` lines of the notes, or nothing. */
export const ImportRest = z.enum(['notes', 'drop'], { error: 'Choose notes or drop' })
/** By the number of the column, counted from 0. */
export const ImportRests = z.record(z.string().regex(/^\d{1,3}$/, COLUMN_RULE), ImportRest)

/** The treatment of a rating, date or address that cannot be read: its row is imported without it, or refused. */
export const ImportCells = z.enum(['leave-out', 'refuse'], { error: 'Choose leave-out or refuse' })

/** How dates such as 03/04/2026 are read. */
export const ImportDates = z.enum(['day-first', 'month-first'], { error: 'Choose day-first or month-first' })

/**
 * `failed` has an `error`. A file that could not be read has written nothing; an import that failed or was cancelled can
 * be reverted.
 */
export const ImportState = z.enum([
  'reading',
  'ready',
  'running',
  'done',
  'cancelled',
  'reverting',
  'reverted',
  'failed',
])
export type ImportState = z.infer<typeof ImportState>

/**
 * The outcome of a row, or its preview. `maybe` is a row that may be the same as a record by a similar name. A revert
 * turns created and updated rows into `reverted`, or `kept` with the reason.
 */
export const ImportOutcome = z.enum(
  ['created', 'updated', 'same', 'duplicate', 'maybe', 'refused', 'reverted', 'kept'],
  { error: 'Choose an outcome from the list' },
)
export type ImportOutcome = z.infer<typeof ImportOutcome>

const CHOICES_RULE = 'Choose a value of this product, or leave the value out'
/** What values of the file stand for that the product does not know by name; null leaves one out. */
export const ImportChoices = z.partialRecord(
  z.enum(matchedFields),
  z.record(
    z.string().max(CHOICE_TEXT_MAX, CHOICES_RULE),
    z.string({ error: CHOICES_RULE }).max(100, CHOICES_RULE).nullable(),
  ),
  { error: CHOICES_RULE },
)
export type ImportChoices = z.infer<typeof ImportChoices>

const ImportKind = z.enum(
  importKinds.map(({ name }): ImportKindName => name),
  { error: `Kind must be one of ${importKinds.map(({ name }) => name).join(', ')}` },
)

/** The changes that a person may make before the import runs. The file is then read again. */
export const ImportPatch = z.object({
  kind: ImportKind.optional().meta({ description: 'Managers can import notes' }),
  dialect: Dialect.optional(),
  mapping: Mapping.optional(),
  duplicates: ImportDuplicates.optional(),
  rest: ImportRests.optional(),
  cells: ImportCells.optional(),
  dates: ImportDates.optional(),
  choices: ImportChoices.optional(),
  createTags: z
    .boolean({ error: 'Create tags must be true or false' })
    .optional()
    .meta({ description: 'Whether tags of the file that do not exist are created' }),
})
export type ImportPatch = z.infer<typeof ImportPatch>

const count = z.number().int()

/** Values of the file that the product does not know by name, with their numbers of rows. */
export const Unmatched = z
  .partialRecord(
    z.enum([...matchedFields, 'tags'] satisfies PipelineFileName[]),
    z.array(z.object({ text: z.string(), count })),
  )
  .meta({ description: `Values that are not known by name, at most ${UNMATCHED_MAX} of each field` })
export type Unmatched = z.infer<typeof Unmatched>

export const Import = z.object({
  id: z.uuid(),
  name: z.string().meta({ description: 'The name of the file' }),
  by: z.string().meta({ description: 'Who imports: name, else e-mail' }),
  isMine: z.boolean().meta({ description: 'Whether the caller has uploaded it' }),
  bytes: count.meta({ description: 'The size of the file' }),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable().meta({ description: 'When it started to write records' }),
  state: ImportState,
  kind: ImportKind,
  dialect: Dialect,
  columns: z.array(z.string()).meta({ description: 'The names of the columns, in order' }),
  mapping: Mapping,
  duplicates: ImportDuplicates,
  samples: z.array(z.array(z.string())).meta({ description: 'Up to three different values of each column' }),
  rest: ImportRests.meta({ description: 'The treatment of each column that fills no field' }),
  cells: ImportCells,
  dates: ImportDates.nullable().meta({ description: 'How ambiguous dates are read; null until a person chooses' }),
  choices: ImportChoices.meta({
    description: 'Stages, statuses, fellows (by public id) and reasons by values of the file',
  }),
  createTags: z.boolean(),
  unmatched: Unmatched,
  doubts: z
    .object({
      dialect: z.boolean().optional().meta({ description: 'The dialect, sheet or header was not certain' }),
      kind: z.boolean().optional().meta({ description: 'The kind was not certain' }),
      mapping: z.boolean().optional().meta({ description: 'A column was not certain' }),
      values: z
        .boolean()
        .optional()
        .meta({ description: 'Values of the file are not known, and none was chosen for them' }),
      dates: z.string().optional().meta({ description: 'A date of the file that can be read in two ways' }),
      encoding: z
        .string()
        .optional()
        .meta({ description: 'A decoded line of a file that is not valid Unicode, or was encoded twice' }),
    })
    .meta({ description: 'What was guessed without certainty. Empty: the preview can come immediately' }),
  counts: z
    .object({ created: count, updated: count, same: count, duplicate: count, maybe: count, refused: count })
    .extend({
      marked: count.meta({
        description: 'Rows that are imported with a sentence, and duplicates with values that their record lacks',
      }),
    })
    .extend({ reverted: count.optional(), kept: count.optional() })
    .extend({
      notes: count.optional().meta({ description: 'Of an import of notes: those that it adds. A long row is several' }),
      records: count.optional().meta({ description: 'Of an import of notes: the records that it adds notes to' }),
    })
    .meta({ description: 'Rows by outcome; until the import runs, as they would be' }),
  isWaiting: z
    .boolean()
    .optional()
    .meta({ description: 'The current step waits for its turn, or is about to continue after a restart' }),
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

const pageParts = { limit: listQueryParts.limit, cursor: listQueryParts.cursor }

/** The query of a list of imports, newest first. `all=true` lists those of everyone, for managers. */
export const ImportsQuery = z.object({
  ...pageParts,
  all: z
    .enum(['true', 'false'], { error: 'All must be true or false' })
    .optional()
    .meta({ description: "`true` for everyone's, which managers see" }),
})

export const ImportRowsQuery = z.object({
  ...pageParts,
  outcome: ImportOutcome.optional(),
  marked: z.literal('true', { error: 'Marked must be true' }).optional().meta({
    description: 'Only rows that are imported with a sentence, or are left out and have more than their record',
  }),
})

const ROWS_RULE = 'Rows must be a list of row numbers, or "all"'
/** Rows to add that are `maybe`, or duplicates that have more: their numbers in the file, or all that are `maybe`. */
export const ImportAdd = z.object({
  rows: z.union([z.literal('all'), z.array(z.number().int().min(0).max(2_147_483_647)).min(1).max(500)], {
    error: ROWS_RULE,
  }),
})
export type ImportAdd = z.infer<typeof ImportAdd>

/** What is wrong with a row, and in which column. */
export const Fault = z.object({ column: z.string().optional(), sentence: z.string() })
export type Fault = z.infer<typeof Fault>

/** A row of the file, with the values of its mapped columns. Of a note, `record` is the name of the record it belongs to. */
export const ImportRow = z.object({
  row: count.meta({ description: 'The line or sheet row, as a person finds it in the file' }),
  outcome: ImportOutcome,
  recordId: z.uuid().optional().meta({ description: 'The record that it created, changed or matched' }),
  recordKind: z.enum(kindNames).optional().meta({ description: 'Of an import of notes: the kind of that record' }),
  parts: count.optional().meta({ description: 'Of an import of notes: the notes that its text is split into' }),
  canAdd: z.boolean().meta({ description: 'Whether the row can be added although a record is or may be the same' }),
  faults: z
    .array(Fault)
    .meta({ description: 'Why it is refused, a duplicate or kept, what was left out of it, or what its record lacks' }),
  values: z.partialRecord(z.enum(importFields), z.string()),
})
export type ImportRow = z.infer<typeof ImportRow>
