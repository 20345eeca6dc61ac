import { sql } from 'drizzle-orm'
import * as schema from '#server/db/schema.ts'
import { dataIn, leftOut, ofRecord, type RecordData, role, shown } from '#server/records/record-data.ts'

const { importId: importOf, authorId } = schema.notes

export const noteData: RecordData[] = [
  dataIn(schema.notes, {
    ...{ record: ['recordId'], merge: 'moved', added: { what: 'note', at: 'createdAt' }, ...ofRecord },
    isErasedWhole: true,
    // Notes that came with the record have authors by name only.
    isImported: (importId) =>
      sql`${importOf} is not distinct from ${importId} or coalesce(${importOf}, ${authorId}) is null`,
    report: {
      ...shown('id', 'recordId', 'kind', 'content', 'createdAt', 'importId', 'importRow'),
      ...role('authorId', 'authorText'),
      ...leftOut('searchText'),
    },
  }),
]
