import { sql } from 'drizzle-orm'
import * as schema from '#server/db/schema.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { dataIn, leftOut, noRecordData, ofRecord, role, shown } from '#server/records/record-data.ts'
import { noteRoutes } from './routes.ts'
import { listThreads } from './store.ts'

const { importId: importOf, authorId } = schema.notes

export const noteFeature = {
  heading: { name: 'Notes', description: 'Notes of fellows on records.' },
  routes: [noteRoutes],
  data: [
    dataIn(schema.notes, {
      ...{ record: ['recordId'], merge: 'moved', added: { what: 'note', at: 'createdAt' }, ...ofRecord },
      isErasedWhole: true,
      // Notes that came with the record have authors by name only.
      isImported: (importId) =>
        sql`${importOf} is not distinct from ${importId} or coalesce(${importOf}, ${authorId}) is null`,
      report: {
        ...shown('id', 'recordId', 'kind', 'content', 'createdAt', 'importId', 'importRow'),
        ...role('authorId', 'authorText'),
        ...leftOut('searchText', 'hasMentions'),
      },
    }),
    // They go with their note.
    dataIn(schema.mentions, {
      ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
      report: { ...shown('noteId', 'recordId', 'createdAt'), ...role('accountId'), ...leftOut('start', 'length') },
    }),
    noRecordData(schema.namings, 'accountId', 'namedAt', 'count'),
  ],
  filters: {
    // As in their indexes.
    hasNotes: (value) => sql`${schema.records.lastNoteAt} ${sql.raw(value === 'true' ? '>' : '=')} timestamptz 'epoch'`,
  },
  exported: { notesThread: listThreads },
} satisfies RecordFeature
