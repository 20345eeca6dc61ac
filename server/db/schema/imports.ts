import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Fault, Import, ImportDuplicates, ImportOutcome, ImportState, Mapping } from '#contract/import.ts'
import type { Dialect, Inspection } from '#contract/import-file.ts'
import type { ImportKindName } from '#contract/import-kinds.ts'
import { at, bytea, type Facts } from './columns.ts'

/** `ofMatch`: about the record or row that it meets, so it goes when the row is added anyway. */
export type StoredFault = Fault & { ofMatch?: true }

export const imports = pgTable('imports', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  fileName: text('file_name').notNull(),
  state: text('state').$type<ImportState>().notNull(),
  kind: text('kind').$type<ImportKindName>().notNull(),
  dialect: jsonb('dialect').$type<Dialect>().notNull(),
  columns: jsonb('columns').$type<string[]>().notNull(),
  mapping: jsonb('mapping').$type<Mapping>().notNull(),
  bytes: integer('bytes').notNull().default(0),
  inspection: jsonb('inspection')
    .$type<Inspection>()
    .notNull()
    .default({ samples: [], rows: 0, constant: [], dates: {}, isCertain: true }),
  rest: jsonb('rest').$type<Import['rest']>().notNull().default({}),
  cells: text('cells').$type<Import['cells']>().notNull().default('leave-out'),
  dates: text('dates').$type<NonNullable<Import['dates']>>(),
  doubts: jsonb('doubts').$type<Import['doubts']>().notNull().default({}),
  /** Null until a person has looked at the unknown values. */
  choices: jsonb('choices').$type<Import['choices']>(),
  createTags: boolean('create_tags').notNull().default(false),
  unmatched: jsonb('unmatched').$type<Import['unmatched']>().notNull().default({}),
  /** The ids of the tags that it has created. */
  createdTags: jsonb('created_tags').$type<string[]>().notNull().default([]),
  stateAfterAdding: text('state_after_adding').$type<'done' | 'cancelled'>(),
  duplicates: text('duplicates').$type<ImportDuplicates>().notNull().default('skip'),
  counts: jsonb('counts')
    .$type<Partial<Record<ImportOutcome | 'marked' | 'notes' | 'records', number>>>()
    .notNull()
    .default({}),
  done: integer('done').notNull().default(0),
  total: integer('total').notNull().default(0),
  lastRow: integer('last_row').notNull().default(-1),
  error: text('error'),
  startedAt: at('started_at'),
  revertedAt: at('reverted_at'),
  step: integer('step').notNull().default(0),
  attempts: integer('attempts').notNull().default(0),
  furthestRow: integer('furthest_row').notNull().default(-1),
  workedAt: at('worked_at'),
  deletedAt: at('deleted_at'),
  createdAt: at('created_at').notNull().defaultNow(),
  /** The access token by which it was uploaded, whose rights its rows have. */
  tokenId: uuid('token_id'),
})

export const importVolumes = pgTable(
  'import_volumes',
  {
    accountId: uuid('account_id').notNull(),
    hour: timestamp('hour', { withTimezone: true, precision: 0 }).notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.hour] })],
)

export const importFiles = pgTable(
  'import_files',
  {
    importId: uuid('import_id').notNull(),
    piece: integer('piece').notNull(),
    bytes: bytea('bytes').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.piece] })],
)

export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id').notNull(),
    row: integer('row').notNull(),
    cells: jsonb('cells').$type<string[]>().notNull(),
    outcome: text('outcome').$type<ImportOutcome>().notNull(),
    recordId: uuid('record_id'),
    faults: jsonb('faults').$type<StoredFault[]>().notNull().default([]),
    marks: jsonb('marks').$type<string[]>().notNull().default([]),
    isAdded: boolean('is_added').notNull().default(false),
    repeats: integer('repeats'),
    /** Whether it is a duplicate with values that its record lacks. */
    hasMore: boolean('has_more').notNull().default(false),
    /** Refused for an address that is not kept, or erased before the run. It has no values. */
    isWithheld: boolean('is_withheld').notNull().default(false),
    before: jsonb('before').$type<Facts>(),
    after: jsonb('after').$type<Facts>(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
)

export const importLookUps = pgTable('import_look_ups', {
  importId: uuid('import_id').primaryKey(),
  askedAt: at('asked_at').notNull().defaultNow(),
  queuedAt: at('queued_at'),
})
