import { and, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { importRows, records } from '#server/db/schema.ts'
import { addressesIn, findSuppressed } from '#server/do-not-keep/listed.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { DO_NOT_KEEP } from '#server/http/errors.ts'
import type { ImportRowRecord, RowResult } from '#server/import/store/store.ts'
import type { WriteContext } from '#server/import/target.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { getRecords } from '#server/lists/store.ts'
import { recordData } from '#server/record-features.ts'
import { isOfKind } from '#server/records/kind.ts'
import { changeableFields, rightsOf } from '#server/records/policy.ts'
import { columnOf } from '#server/records/record-data.ts'
import { deletePictureOf, saveChange } from '#server/records/write/corrections.ts'
import { lockRows } from '#server/records/write/lock.ts'
import { deleteRecords } from '#server/records/write/write.ts'
import { rights } from '#server/rights.ts'
import { deleteTagRows, pipelineUndoOf, revertPipelines, tagRowsOf } from './revert-pipeline.ts'
import { hasValues, revertOf } from './undo-row.ts'

const EDITED = 'Edited since the import'

/** A row that a cancelled import has not reached still has the outcome of its preview. */
export const hasRun = ({ outcome, recordId, after }: ImportRowRecord) =>
  (outcome === 'created' && recordId !== null) || (outcome === 'updated' && after !== null)

/** The rights of the uploader count, or those of a manager who reverts. */
const allowedOf = ({ actor, uploader }: WriteContext): Account => (rights.allImports.allows(actor) ? actor : uploader)

/** Skips records that were edited since. */
export async function revertRows(
  tx: Database,
  kind: EnrichedKind,
  step: WriteContext,
  rows: ImportRowRecord[],
): Promise<RowResult[]> {
  const allowed = allowedOf(step)
  const ids = [...new Set(rows.flatMap(({ recordId }) => recordId ?? []))]
  // So that no record changes between the check and its deletion.
  await lockRows(tx, ids, isOfKind(records.kind, kind))
  const present = new Map((await getRecords(tx, kind, allowed, ids)).map((record) => [record.id, record]))
  const touched = await touchedSince(tx, step.import.id, ids, tagRowsOf(rows))
  const updated = rows.flatMap((row) => {
    const record = row.outcome === 'updated' ? present.get(row.recordId ?? '') : undefined
    return record === undefined ? [] : [{ row, record }]
  })
  const keptPipelines = await revertPipelines(tx, kind, step, allowed, updated)
  const results: RowResult[] = []
  const deleted: string[] = []
  const takenBack = await listTakenBack(tx, step.import.id, ids)
  for (const row of rows) {
    const record = present.get(row.recordId ?? '')
    if (record === undefined) results.push(await revertGone(tx, row))
    else if (row.outcome === 'updated') {
      const result = await restore(tx, kind, step, row, { record, present })
      results.push(keptPipelines.has(row.row) ? kept(row, EDITED) : result)
      if (results.at(-1)?.outcome === 'reverted') takenBack.push(row)
    } else if (touched.has(record.id) || isEdited(record, row, takenBack)) results.push(kept(row, EDITED))
    else if (!rightsOf(allowed, record).delete) results.push(kept(row, 'You may not delete this record'))
    else {
      deleted.push(record.id)
      results.push({ row: row.row, outcome: 'reverted' })
    }
  }
  if (deleted.length > 0) {
    await deleteRecords(tx, kind, deleted)
    await deleteTagRows(tx, tagRowsOf(rows), deleted)
  }
  return results
}

type TakenBack = Pick<ImportRowRecord, 'recordId' | 'after'>

/** The updates of these records by the import that an earlier batch has taken back: by rows that repeat those that created them. */
const listTakenBack = (tx: Database, importId: string, ids: string[]): Promise<TakenBack[]> =>
  tx
    .select({ recordId: importRows.recordId, after: importRows.after })
    .from(importRows)
    .where(
      and(inArray(importRows.recordId, ids), eq(importRows.importId, importId), eq(importRows.outcome, 'reverted')),
    )

/** Since the import created it. An update of its own and the revert of it are two changes. */
function isEdited(record: RecordRow, row: ImportRowRecord, takenBack: TakenBack[]): boolean {
  const own = takenBack.filter(({ recordId }) => recordId === record.id)
  const edits = own.filter(({ after }) => hasValues({ after }))
  const pipelines = own.filter(({ after }) => after?.pipeline !== undefined)
  const created = pipelineUndoOf(row).after.pipeline === undefined ? 0 : 1
  return record.version > 1 + 2 * edits.length || record.pipelineVersion > created + 2 * pipelines.length
}

const kept = ({ row, recordId, before, after }: ImportRowRecord, sentence: string): RowResult => ({
  ...{ row, recordId, before, after, faults: [{ sentence }] },
  outcome: 'kept',
})

/** A missing record was deleted, or merged into another one, which keeps its values. */
async function revertGone(tx: Database, row: ImportRowRecord): Promise<RowResult> {
  const merged = await tx.$count(records, and(eq(records.id, row.recordId ?? ''), isNull(records.deletedAt)))
  return merged > 0 ? kept(row, 'Merged into another record since the import') : { row: row.row, outcome: 'reverted' }
}

/** The records to which something was added besides these rows of the import, and those into which another one was merged. */
async function touchedSince(tx: Database, importId: string, ids: string[], ownRows: string[]): Promise<Set<string>> {
  // An array is one parameter, of which a statement has 65,535: a batch may have given thousands of tags.
  const own = sql`${sql.param(ownRows)}::uuid[]`
  const added = recordData.flatMap((data) => {
    if (data.added === undefined || data.table === records) return []
    const others = [
      ...(data.isImported ? [sql`not (${data.isImported(importId)})`] : []),
      ...('id' in getTableColumns(data.table) ? [sql`${columnOf(data, 'id')} <> all (${own})`] : []),
    ]
    return (data.record ?? [])
      .map((name) => columnOf(data, name))
      .map((id) => sql`select ${id} as id from ${data.table} where ${and(inArray(id, ids), ...others)}`)
  })
  const merged = sql`select ${records.mergedInto} from ${records} where ${inArray(records.mergedInto, ids)}`
  const rows = await rowsOf<{ id: string }>(tx, sql.join([...added, merged], sql` union `))
  return new Set(rows.map(({ id }) => id))
}

/** Restores the values that the record still has from the import. A later row of the batch meets the restored record. */
async function restore(
  tx: Database,
  kind: EnrichedKind,
  step: WriteContext,
  row: ImportRowRecord,
  { record, present }: { record: RecordRow; present: Map<string, RecordRow> },
): Promise<RowResult> {
  const changeable = changeableFields(allowedOf(step), kind, record)
  const since = step.import.startedAt
  const { change, notesEdit, isChanged, isComplete } = revertOf(kind, record, row, { changeable, since })
  if (isChanged) {
    const addresses = addressesIn(kind, { ...change.set, ...change.fields })
    if ((await findSuppressed(tx, addresses, [record.id])).length > 0) return kept(row, DO_NOT_KEEP)
    const restored = await saveChange(tx, kind, record, change, notesEdit)
    await deletePictureOf(tx, kind, record.id, change)
    present.set(record.id, { ...record, ...restored })
  }
  return isComplete ? { row: row.row, outcome: 'reverted', recordId: record.id, after: row.after } : kept(row, EDITED)
}
