import { getTableColumns, getTableName, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AuditAction } from '#contract/audit-actions.ts'
import { allFields } from '#contract/kind-fields.ts'
import * as schema from '#server/db/schema.ts'

// How a table says what it holds about records, and what happens to it. `record-features.ts` lists all of them.

/**
 * What a merge does with the rows of the duplicate. An undo does the reverse.
 * - `moved`: they move to the survivor, and the same rows move back. The table has a column `id`.
 * - `kept`: they stay under the id of the duplicate.
 * - `rebuilt`: they are deleted, and `rebuild_record` computes those of both records again.
 * - `triggered`: triggers keep them up to date.
 * - `none`: they are not about records.
 */
type OnMerge = 'moved' | 'kept' | 'rebuilt' | 'triggered' | 'none'

// `shown`: the value itself. `role`: a person, by their role. `searched`: left out, because it also has values of others,
// but read by a search for a person. `left-out`: technical or derived.
type InReport = 'shown' | 'role' | 'searched' | 'left-out'

type ColumnOf<Table extends PgTable> = keyof Table['_']['columns'] & string

type Treatment<Column extends string> = {
  /**
   * The columns that lead from the id of a record to its rows. `through` leads from there to those of another table. None
   * where texts alone may mention a person.
   */
  record?: Column[]
  through?: { from: PgColumn; to: PgColumn }
  merge: OnMerge
  /** What an undo lists if it was added to the survivor after the merge, and the time of that. */
  added?: { what: string; at: Column }
  /**
   * Whether a row that was added came with its record, or by this import. A record with any other row was changed since
   * its import, and the revert keeps it.
   */
  isImported?: (importId: string) => SQL
  /** The column with the merge that has added the row. The undo of that merge deletes it. */
  addedByMerge?: Column
  /** Rows are deleted with the record, or stay, without the values of some columns. */
  erasure: 'deleted' | 'kept' | { emptied: Column[] }
  /** A row that makes no sense without its text, such as a note, is deleted where only that text is erased. */
  isErasedWhole?: true
  /** The actions of entries about records that name its row by an id in their values. They are emptied with it. */
  loggedAs?: AuditAction[]
  report: Record<Column, InReport>
}

export type RecordData = Treatment<string> & { table: PgTable }

/** The treatment of every column of a table. */
export const dataIn = <Table extends PgTable>(table: Table, data: Treatment<ColumnOf<Table>>) =>
  ({ ...data, table }) as RecordData

/** Columns with one treatment in the report. */
const all = <Column extends string>(report: InReport, ...columns: Column[]) =>
  Object.fromEntries(columns.map((column) => [column, report])) as Record<Column, InReport>
export const shown = <Column extends string>(...columns: Column[]) => all('shown', ...columns)
export const role = <Column extends string>(...columns: Column[]) => all('role', ...columns)
export const searched = <Column extends string>(...columns: Column[]) => all('searched', ...columns)
export const leftOut = <Column extends string>(...columns: Column[]) => all('left-out', ...columns)

export const ofRecord = { erasure: 'deleted' } as const

export const noRecordData = <Table extends PgTable>(table: Table, ...columns: ColumnOf<Table>[]): RecordData => ({
  ...{ table, merge: 'none', erasure: 'kept' },
  report: leftOut<string>(...columns),
})

/** The columns of the fields that the kinds declare. */
const declaredColumns = allFields.flatMap((field) => ('isColumn' in field ? [field.name] : []))

/** The columns of `records` that are derived from other tables. As `derived_columns` in `db/functions/records.sql`. */
export const derived = {
  ...role('lastActivityBy'),
  ...leftOut('notesCount', 'lastNoteAt', 'lastActivityAt', 'hasOpinions', 'reached', 'isUnited'),
  ...shown('stageSince', 'stageSpent'),
}

/** The table of records, and those that are computed from it. */
export const ownData: RecordData[] = [
  // A merge writes the chosen values to the survivor, and `rebuild_record` what is derived.
  dataIn(schema.records, {
    ...{ record: ['id'], merge: 'kept', added: { what: 'information', at: 'informedAt' }, ...ofRecord },
    report: {
      ...shown('id', 'kind', ...declaredColumns, 'isRated', 'firstRating'),
      ...shown('additionalInfo', 'enrichment', 'enrichedAt', 'createdAt', 'mergedInto', 'isImported'),
      ...shown('deletedAt'),
      ...role('deletedBy'),
      ...role('creatorId', 'creatorText', 'notesEditedBy', 'informedBy', 'responsibleId'),
      ...shown('notesEditedAt', 'informedAt'),
      ...shown('stageId', 'status', 'nextStep', 'nextOn', 'passingReasonId', 'passingText', 'lookAgainOn'),
      ...leftOut(
        'pipelineVersion',
        'linkedInKey',
        'domainKey',
        'searchText',
        'searchGrams',
        'secondaryText',
        'version',
      ),
      ...derived,
    },
  }),
  dataIn(schema.recordMembers, {
    ...{ record: ['recordId'], merge: 'rebuilt', ...ofRecord },
    report: leftOut('recordId', 'kind', 'accountId', 'createdAt', 'isOwner', 'isFinder', 'notesCount'),
  }),
  dataIn(schema.counters, {
    ...{ merge: 'triggered', erasure: 'kept' },
    report: leftOut('creatorId', 'creatorText', 'kind', 'added', 'mine'),
  }),
]

/** A column of the table in the database, by its name in the schema. */
export const columnOf = ({ table }: RecordData, name: string): PgColumn => getTableColumns(table)[name] as PgColumn

/** The names in the database of a table and its listed columns. */
export const namesIn = (data: RecordData): { table: string; columns: string[] } => ({
  table: getTableName(data.table),
  columns: Object.keys(data.report).map((name) => columnOf(data, name).name),
})
