import type { Import, ImportRow } from '#contract/import.ts'
import type { ImportRecord, ImportRowRecord } from './store.ts'
import { textsOf } from './values.ts'

/** An import on the wire, field by field. */
export function presentImport(record: ImportRecord): Import {
  const { counts } = record
  return {
    id: record.id,
    name: record.fileName,
    by: record.by,
    createdAt: record.createdAt.toISOString(),
    startedAt: record.startedAt?.toISOString() ?? null,
    state: record.state,
    kind: record.kind,
    dialect: record.dialect,
    columns: record.columns,
    mapping: record.mapping,
    duplicates: record.duplicates,
    counts: {
      created: counts.created ?? 0,
      updated: counts.updated ?? 0,
      same: counts.same ?? 0,
      duplicate: counts.duplicate ?? 0,
      refused: counts.refused ?? 0,
      ...(counts.reverted !== undefined && { reverted: counts.reverted }),
      ...(counts.kept !== undefined && { kept: counts.kept }),
    },
    done: record.done,
    total: record.total,
    ...(record.error !== null && { error: record.error }),
  }
}

export const presentRow = ({ mapping }: ImportRecord, row: ImportRowRecord): ImportRow => ({
  row: row.row,
  outcome: row.outcome,
  ...(row.recordId !== null && { recordId: row.recordId }),
  ...(row.columnName !== null && { column: row.columnName }),
  ...(row.error !== null && { error: row.error }),
  values: textsOf({ mapping }, row.cells),
})
