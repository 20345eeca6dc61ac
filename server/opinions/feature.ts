import * as schema from '#server/db/schema.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { dataIn, leftOut, ofRecord, role, shown } from '#server/records/record-data.ts'
import { isWithoutOpinionOf } from './filter.ts'
import { opinionRoutes } from './routes.ts'

export const opinionFeature = {
  heading: {
    name: 'Opinions',
    description: 'Second opinions on records. Each fellow gives their own before reading others.',
  },
  routes: [opinionRoutes],
  data: [
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
    dataIn(schema.opinionAsks, {
      ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
      report: { ...shown('recordId', 'askedAt'), ...role('accountId', 'askedBy'), ...leftOut('id') },
    }),
  ],
  filters: { opinion: (_missing, { caller }) => isWithoutOpinionOf(caller) },
} satisfies RecordFeature
