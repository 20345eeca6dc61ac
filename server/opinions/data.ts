import * as schema from '#server/db/schema.ts'
import { dataIn, leftOut, ofRecord, type RecordData, role, shown } from '#server/records/record-data.ts'

export const opinionData: RecordData[] = [
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
]
