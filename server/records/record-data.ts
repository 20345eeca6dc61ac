import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type AuditAction, actionsThat } from '#contract/audit-actions.ts'
import { companyFields } from '#contract/company-fields.ts'
import { founderFields } from '#contract/founder-fields.ts'
import * as schema from '#server/db/schema.ts'

// What each table holds about records, and what happens to it. Merges and their undo run from this list. A test fails on
// a column of the database that is not listed.

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
  /** The columns that lead from the id of a record to its rows. `through` leads from there to those of another table. */
  record?: Column[]
  through?: { from: PgColumn; to: PgColumn }
  merge: OnMerge
  /** What an undo lists if it was added to the survivor after the merge, and the time of that. */
  added?: { what: string; at: Column }
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
const shown = <Column extends string>(...columns: Column[]) => all('shown', ...columns)
const role = <Column extends string>(...columns: Column[]) => all('role', ...columns)
const searched = <Column extends string>(...columns: Column[]) => all('searched', ...columns)
const leftOut = <Column extends string>(...columns: Column[]) => all('left-out', ...columns)

const ofRecord = { erasure: 'deleted' } as const

const noRecordData = <Table extends PgTable>(table: Table, ...columns: ColumnOf<Table>[]): RecordData => ({
  ...{ table, merge: 'none', erasure: 'kept' },
  report: leftOut<string>(...columns),
})

/** The columns of the fields that the kinds declare. */
const declaredColumns = [...founderFields, ...companyFields].flatMap((field) =>
  'isColumn' in field ? [field.name] : [],
)

export const recordData: RecordData[] = [
  // A merge writes the chosen values to the survivor, and `rebuild_record` its `notesCount`,
  // `lastNoteAt`, `hasOpinions`, `reached` and `isUnited`.
  dataIn(schema.records, {
    ...{ record: ['id'], merge: 'kept', added: { what: 'information', at: 'informedAt' }, ...ofRecord },
    report: {
      ...shown('id', 'kind', ...declaredColumns, 'isRated', 'firstRating'),
      ...shown('additionalInfo', 'enrichment', 'enrichedAt', 'createdAt', 'mergedInto', 'isImported'),
      ...shown('deletedAt'),
      ...role('deletedBy'),
      ...role('creatorId', 'creatorText', 'notesEditedBy', 'informedBy', 'responsibleId'),
      ...shown('notesEditedAt', 'informedAt'),
      ...shown('stageId', 'status', 'nextStep', 'nextOn', 'passingReasonId', 'passingText', 'stageSince', 'stageSpent'),
      ...leftOut(
        'pipelineVersion',
        'linkedInKey',
        'domainKey',
        'searchText',
        'searchGrams',
        'mentionText',
        'version',
        'notesCount',
      ),
      ...leftOut('lastNoteAt', 'isUnited', 'hasOpinions', 'reached'),
    },
  }),
  dataIn(schema.notes, {
    ...{ record: ['recordId'], merge: 'moved', added: { what: 'note', at: 'createdAt' }, ...ofRecord },
    isErasedWhole: true,
    report: {
      ...shown('id', 'recordId', 'kind', 'content', 'createdAt', 'importId', 'importRow'),
      ...role('authorId', 'authorText'),
      ...leftOut('searchText'),
    },
  }),
  dataIn(schema.pictures, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: shown('recordId', 'kind', 'size', 'bytes', 'fetchedAt'),
  }),
  dataIn(schema.finders, {
    ...{ record: ['recordId'], merge: 'kept', added: { what: 'finder', at: 'foundAt' }, ...ofRecord },
    report: { ...shown('recordId', 'foundAt', 'via'), ...role('accountId', 'fellowText') },
  }),
  dataIn(schema.links, {
    ...{ record: ['founderId', 'companyId'], merge: 'moved', added: { what: 'link', at: 'createdAt' }, ...ofRecord },
    report: {
      ...shown('id', 'founderId', 'founderKind', 'companyId', 'companyKind', 'role', 'createdAt'),
      ...role('createdBy'),
    },
  }),
  // Without their authors. Opening the report counts as reading them.
  dataIn(schema.opinions, {
    ...{ record: ['recordId'], merge: 'moved', added: { what: 'opinion', at: 'givenAt' }, ...ofRecord },
    report: {
      ...shown('id', 'recordId', 'kind', 'rating', 'comment', 'isAfterReading', 'givenAt', 'changedAt'),
      ...leftOut('accountId'),
    },
  }),
  dataIn(schema.opinionReadings, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: leftOut('recordId', 'accountId', 'readAt'),
  }),
  dataIn(schema.opinionReveals, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: { ...shown('recordId', 'revealedAt'), ...role('accountId') },
  }),
  dataIn(schema.recordTags, {
    ...{ record: ['recordId'], merge: 'moved', added: { what: 'tag', at: 'addedAt' }, ...ofRecord },
    report: {
      ...shown('id', 'recordId', 'kind', 'tagId', 'addedAt'),
      ...role('addedBy'),
      ...leftOut('createdAt', 'isShown'),
    },
  }),
  // Everyone shares a tag, so it stays when its records are erased. One whose name mentions a person is deleted.
  dataIn(schema.tags, {
    ...{ record: ['id'], through: { from: schema.recordTags.recordId, to: schema.recordTags.tagId } },
    ...{ merge: 'kept', erasure: 'kept', isErasedWhole: true, loggedAs: actionsThat(({ shows }) => shows === 'tag') },
    report: { ...shown('id', 'name', 'createdAt'), ...role('createdBy'), ...leftOut('key', 'unusedSince') },
  }),
  dataIn(schema.stageChanges, {
    ...{ record: ['recordId'], merge: 'kept', addedByMerge: 'mergeId', ...ofRecord },
    report: {
      ...shown('id', 'recordId', 'kind', 'stageId', 'enteredAt', 'leftAt'),
      ...role('accountId', 'leftBy'),
      ...leftOut('mergeId', 'actId', 'statusBefore', 'replaced'),
    },
  }),
  // They stay under the id that calendars know.
  dataIn(schema.endedSteps, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: { ...shown('id', 'recordId', 'nextOn', 'endedAt'), ...role('accountId'), ...leftOut('sequence') },
  }),
  dataIn(schema.pipelineCounts, {
    ...{ merge: 'triggered', erasure: 'kept' },
    report: leftOut('kind', 'stageId', 'status', 'count'),
  }),
  noRecordData(schema.stages, 'id', 'name', 'position', 'limitDays', 'archivedAt'),
  noRecordData(schema.passingReasons, 'id', 'name', 'position', 'removedAt'),
  dataIn(schema.assignments, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: { ...shown('recordId', 'assignedAt'), ...role('accountId', 'assignedBy') },
  }),
  dataIn(schema.bulkRows, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: {
      ...shown('bulkId', 'recordId', 'recordTagId', 'isStageChanged', 'stageBefore', 'status', 'isResponsibleChanged'),
      ...role('responsibleBefore'),
      ...leftOut('place', 'error'),
    },
  }),
  dataIn(schema.bulkActs, {
    ...{ record: ['id'], through: { from: schema.bulkRows.recordId, to: schema.bulkRows.bulkId } },
    ...{ merge: 'kept', erasure: 'kept' },
    report: {
      ...shown('id', 'setsTag', 'tagId', 'setsStage', 'stageId', 'setsResponsible', 'doneAt', 'undoneAt'),
      ...role('accountId', 'responsibleId'),
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
  dataIn(schema.merges, {
    ...{ record: ['survivorId', 'duplicateId'], merge: 'kept', ...ofRecord },
    report: {
      ...shown('id', 'kind', 'survivorId', 'duplicateId', 'before', 'after', 'mergedAt', 'undoneAt'),
      ...role('accountId'),
      ...leftOut('moved', 'swapsFinder'),
    },
  }),
  dataIn(schema.duplicatePairs, {
    ...{ record: ['a', 'b'], merge: 'kept', ...ofRecord },
    report: shown('a', 'b', 'kind', 'reasons', 'score', 'dismissed'),
  }),
  dataIn(schema.duplicateChecks, {
    ...{ record: ['recordId'], merge: 'triggered', ...ofRecord },
    report: { ...shown('recordId'), ...leftOut('changeId', 'priority') },
  }),
  dataIn(schema.dismissals, {
    ...{ record: ['a', 'b'], merge: 'kept', ...ofRecord },
    report: { ...shown('id', 'kind', 'a', 'b', 'dismissedAt', 'undoneAt'), ...role('accountId') },
  }),
  dataIn(schema.importRows, {
    ...{ record: ['recordId'], merge: 'kept', erasure: { emptied: ['cells', 'faults', 'marks', 'before', 'after'] } },
    report: {
      ...shown('importId', 'row', 'cells', 'outcome', 'recordId', 'faults', 'marks', 'before', 'after'),
      ...leftOut('isAdded', 'repeats', 'hasMore', 'isWithheld'),
    },
  }),
  // A file contains whole rows, so it is deleted when one of its people is erased.
  dataIn(schema.importFiles, {
    ...{ record: ['importId'], through: { from: schema.importRows.recordId, to: schema.importRows.importId } },
    ...{ merge: 'kept', ...ofRecord },
    report: { ...shown('importId', 'createdAt'), ...leftOut('piece', 'bytes') },
  }),
  dataIn(schema.auditLog, {
    ...{ record: ['objectId'], merge: 'kept' },
    erasure: { emptied: ['before', 'after', 'detail', 'accountEmail', 'ip'] },
    report: {
      ...shown('id', 'at', 'action', 'kind', 'objectId', 'result', 'before', 'after', 'detail'),
      ...role('accountId', 'accountEmail'),
      ...leftOut('ip', 'requestId', 'exportedCount'),
    },
  }),
  dataIn(schema.deniedRequests, {
    ...{ record: ['objectId'], merge: 'kept', erasure: { emptied: ['accountEmail', 'ip', 'detail'] } },
    report: {
      ...shown('id', 'at', 'action', 'kind', 'objectId', 'detail'),
      ...role('accountEmail'),
      ...leftOut('ip', 'requestId'),
    },
  }),
  dataIn(schema.idempotencyKeys, {
    ...{ record: ['madeId'], merge: 'kept', erasure: 'kept' },
    report: leftOut('accountId', 'key', 'fingerprint', 'madeId', 'madeAt'),
  }),
  noRecordData(schema.accounts, 'id', 'name', 'email', 'emailVerified', 'disabledAt', 'role', 'pendingSince'),
  noRecordData(schema.accounts, 'readmittedAt', 'publicId', 'createdAt', 'updatedAt', 'formerNumber', 'plainHash'),
  noRecordData(schema.accounts, 'leftAt', 'devicesEndedAt', 'noticesSeenAt', 'countsSince'),
  noRecordData(schema.doNotKeep, 'hash', 'erasureId'),
  dataIn(schema.overrules, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: { ...shown('recordId', 'kind'), ...leftOut('hash') },
  }),
  // The ledger has ids and keyed hashes only.
  noRecordData(schema.ledger, 'id', 'at', 'kind', 'facts'),
  noRecordData(schema.attempts, 'key', 'count', 'blockedUntil', 'forgetAt'),
  noRecordData(schema.credentials, 'id', 'accountId', 'provider', 'providerAccount', 'password'),
  noRecordData(schema.credentials, 'createdAt', 'updatedAt'),
  // The samples of an import are values of its rows.
  dataIn(schema.imports, {
    ...{ record: ['id'], through: { from: schema.importRows.recordId, to: schema.importRows.importId } },
    ...{ merge: 'kept', erasure: { emptied: ['inspection', 'doubts', 'unmatched', 'choices', 'error'] } },
    report: {
      ...shown('id', 'fileName', 'columns', 'createdAt'),
      // The dialect of a workbook has the names of its sheets.
      ...searched('dialect', 'inspection', 'doubts', 'unmatched', 'choices', 'error'),
      ...role('accountId'),
      ...leftOut('state', 'kind', 'mapping', 'bytes', 'rest', 'cells', 'dates'),
      ...leftOut('createTags', 'createdTags', 'stateAfterAdding', 'duplicates', 'counts', 'done', 'total'),
      ...leftOut('lastRow', 'startedAt', 'revertedAt', 'step', 'attempts', 'furthestRow', 'workedAt', 'deletedAt'),
    },
  }),
  noRecordData(schema.importVolumes, 'accountId', 'hour', 'bytes'),
  noRecordData(schema.importLookUps, 'importId', 'askedAt', 'queuedAt'),
  noRecordData(schema.invitations, 'id', 'hash', 'email', 'expiresAt', 'createdBy', 'createdAt'),
  noRecordData(schema.oneTimeTokens, 'hash', 'purpose', 'accountId', 'expiresAt', 'email'),
  noRecordData(schema.providerCooldowns, 'provider', 'reason', 'until'),
  noRecordData(schema.recoveryCodes, 'accountId', 'hash'),
  noRecordData(schema.sessions, 'id', 'accountId', 'token', 'expiresAt', 'ipAddress', 'userAgent'),
  noRecordData(schema.sessions, 'createdAt', 'updatedAt', 'confirmedAt', 'signIn'),
  noRecordData(schema.sinceSeen, 'accountId', 'key', 'kind', 'seenUntil'),
  noRecordData(schema.settings, 'key', 'value'),
  noRecordData(schema.twoFactors, 'accountId', 'secret', 'lastStep', 'confirmedAt'),
]

/** A column of the table in the database, by its name in the schema. */
export const columnOf = ({ table }: RecordData, name: string): PgColumn => getTableColumns(table)[name] as PgColumn

/** The names in the database of a table and its listed columns. */
export const namesIn = (data: RecordData): { table: string; columns: string[] } => ({
  table: getTableName(data.table),
  columns: Object.keys(data.report).map((name) => columnOf(data, name).name),
})
