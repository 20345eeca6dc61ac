import * as schema from '#server/db/schema.ts'
import { dataIn, leftOut, ofRecord, type RecordData, role, shown } from '#server/records/record-data.ts'

export const noteData: RecordData[] = [
  dataIn(schema.notes, {
    ...{ record: ['recordId'], merge: 'moved', added: { what: 'note', at: 'createdAt' }, ...ofRecord },
    isErasedWhole: true,
    report: {
      ...shown('id', 'recordId', 'kind', 'content', 'createdAt', 'importId', 'importRow'),
      ...role('authorId', 'authorText'),
      ...leftOut('searchText'),
    },
  }),
]
