import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Dialect, ImportDuplicates, ImportOutcome, ImportState, Mapping } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'
import { at, bytea, type Facts } from './columns.ts'

export const imports = pgTable('imports', {
  id: uuid('id').primaryKey(),
  accountId: uuid('account_id').notNull(),
  fileName: text('file_name').notNull(),
  state: text('state').$type<ImportState>().notNull(),
  kind: text('kind').$type<KindName>().notNull(),
  dialect: jsonb('dialect').$type<Dialect>().notNull(),
  columns: jsonb('columns').$type<string[]>().notNull(),
  mapping: jsonb('mapping').$type<Mapping>().notNull(),
  duplicates: text('duplicates').$type<ImportDuplicates>().notNull().default('skip'),
  counts: jsonb('counts').$type<Partial<Record<ImportOutcome, number>>>().notNull().default({}),
  done: integer('done').notNull().default(0),
  total: integer('total').notNull().default(0),
  lastRow: integer('last_row').notNull().default(-1),
  error: text('error'),
  startedAt: at('started_at'),
  revertedAt: at('reverted_at'),
  createdAt: at('created_at').notNull().defaultNow(),
})

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
    error: text('error'),
    columnName: text('column_name'),
    repeats: integer('repeats'),
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
