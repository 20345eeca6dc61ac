import type { Import, ImportRow } from '#contract/import.ts'
import type { Database } from '#server/db/database.ts'
import type { ImportRecord, ImportRowRecord } from '#server/import/store/store.ts'
import type { ImportTarget, RowView } from '#server/import/target.ts'
import { canAdd } from './add-rows.ts'

/** A step in progress without a sign of life for this long waits for its turn, or for a process after a crash. */
const WAITING_MS = 5_000

const isWaiting = ({ state, workedAt }: ImportRecord) =>
  ['reading', 'running', 'reverting'].includes(state) &&
  (workedAt === null || Date.now() - workedAt.getTime() > WAITING_MS)

/** An import on the wire, field by field. */
export function presentImport(caller: { id: string }, record: ImportRecord): Import {
  const { counts } = record
  return {
    id: record.id,
    name: record.fileName,
    by: record.by,
    isMine: record.accountId === caller.id,
    bytes: record.bytes,
    createdAt: record.createdAt.toISOString(),
    startedAt: record.startedAt?.toISOString() ?? null,
    state: record.state,
    kind: record.kind,
    dialect: record.dialect,
    columns: record.columns,
    mapping: record.mapping,
    duplicates: record.duplicates,
    samples: record.inspection.samples,
    rest: record.rest,
    cells: record.cells,
    dates: record.dates,
    choices: record.choices ?? {},
    createTags: record.createTags,
    unmatched: record.unmatched,
    doubts: record.doubts,
    counts: {
      created: counts.created ?? 0,
      updated: counts.updated ?? 0,
      same: counts.same ?? 0,
      duplicate: counts.duplicate ?? 0,
      maybe: counts.maybe ?? 0,
      refused: counts.refused ?? 0,
      marked: counts.marked ?? 0,
      ...(counts.reverted !== undefined && { reverted: counts.reverted }),
      ...(counts.kept !== undefined && { kept: counts.kept }),
      ...(counts.notes !== undefined && { notes: counts.notes, records: counts.records ?? 0 }),
    },
    ...(isWaiting(record) && { isWaiting: true }),
    done: record.done,
    total: record.total,
    ...(record.error !== null && { error: record.error }),
  }
}

/** Rows on the wire. */
export async function presentRows(
  db: Database,
  target: ImportTarget,
  record: ImportRecord,
  rows: ImportRowRecord[],
): Promise<ImportRow[]> {
  const shown = await target.presentRows(db, record, rows)
  return rows.map((row, at) => ({
    row: row.row,
    outcome: row.outcome,
    ...(row.recordId !== null && { recordId: row.recordId }),
    canAdd: canAdd(record, row),
    faults: row.faults.map(({ ofMatch: _, ...fault }) => fault),
    ...(shown[at] as RowView),
  }))
}
