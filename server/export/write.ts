import type { ExportColumn, ExportFormat } from '#contract/export.ts'
import type { Database } from '#server/db/database.ts'
import type { Facts } from '#server/db/schema.ts'
import { listFindersOf } from '#server/finders/store.ts'
import { infoOf, infoText } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { RecordRow } from '#server/records/row.ts'
import { CSV_HEAD, csvRecord } from './csv.ts'
import { listThreads } from './store.ts'

/** The values of the columns. A record that was imported without a rating has none. */
const fieldsOf = ({ infoFields }: RecordKind, row: RecordRow): Record<ExportColumn, unknown> => ({
  name: row.name,
  linkedIn: row.linkedIn,
  website: row.website,
  description: row.description,
  notes: row.notes,
  rating: row.isRated ? row.rating : null,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  stage: null,
  status: null,
  responsible: null,
  tags: null,
  company: null,
  title: null,
  email: null,
  place: null,
  industry: null,
  founded: null,
  employees: null,
  bio: null,
  nextStep: null,
  nextOn: null,
  ...infoColumns(infoFields, infoOf(row.additionalInfo)),
})

const infoColumns = (infoFields: RecordKind['infoFields'], info: Facts) =>
  Object.fromEntries(Object.entries(infoFields).map(([column, name]) => [column, infoText(info[name]) || null]))

/** Enriched values. The address of a picture is left out, because it is one of this product. */
function exportedInfo(additionalInfo: unknown): Facts | null {
  if (additionalInfo === null) return null
  const { profile_picture_url: _, ...info } = infoOf(additionalInfo)
  return info
}

/** The header of each format, and its writer of a batch of records. */
export const formats: Record<
  ExportFormat,
  { type: string; head: string; write: (db: Database, kind: RecordKind, rows: RecordRow[]) => Promise<string> }
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: CSV_HEAD,
    write: async (_db, kind, rows) => rows.map((row) => csvRecord(fieldsOf(kind, row))).join(''),
  },
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    write: async (db, kind, rows) => {
      const ids = rows.map(({ id }) => id)
      const [threads, finders] = await Promise.all([listThreads(db, kind, ids), listFindersOf(db, ids)])
      const lineOf = (row: RecordRow) =>
        JSON.stringify({
          ...fieldsOf(kind, row),
          additionalInfo: exportedInfo(row.additionalInfo),
          notesThread: threads.get(row.id),
          finders: finders.get(row.id)?.map(({ name, foundAt, via }) => ({ name, foundAt, via })),
        })
      return rows.map((row) => `${lineOf(row)}\n`).join('')
    },
  },
}
