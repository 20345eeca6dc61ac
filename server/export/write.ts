import type { ExportColumn, ExportFormat } from '#contract/export.ts'
import type { Database } from '#server/db/database.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { RecordRow } from '#server/records/row.ts'
import { CSV_HEAD, csvRecord } from './csv.ts'
import { listThreads } from './store.ts'

const fieldsOf = (row: RecordRow): Record<ExportColumn, unknown> => ({
  name: row.name,
  linkedIn: row.linkedIn,
  website: row.website,
  description: row.description,
  notes: row.notes,
  rating: row.rating,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  stage: null,
  status: null,
  responsible: null,
  tags: null,
})

/** How each format begins, and how it writes a batch of records. */
export const formats: Record<
  ExportFormat,
  { type: string; head: string; write: (db: Database, kind: RecordKind, rows: RecordRow[]) => Promise<string> }
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: CSV_HEAD,
    write: async (_db, _kind, rows) => rows.map((row) => csvRecord(fieldsOf(row))).join(''),
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    write: async (db, kind, rows) => {
      const threads = await listThreads(
        db,
        kind,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => `${JSON.stringify({ ...fieldsOf(row), notesThread: threads.get(row.id) })}\n`).join('')
    },
  },
}
