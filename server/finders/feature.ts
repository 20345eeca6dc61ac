import { sql } from 'drizzle-orm'
import * as schema from '#server/db/schema.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { dataIn, ofRecord, role, shown } from '#server/records/record-data.ts'
import { listFoundOf } from './found.ts'
import { finderRoutes } from './routes.ts'

export const finderFeature = {
  heading: { name: 'Finders', description: 'The fellows who have found a record.' },
  routes: [finderRoutes],
  data: [
    dataIn(schema.finders, {
      ...{ record: ['recordId'], merge: 'kept', added: { what: 'finder', at: 'foundAt' }, ...ofRecord },
      // Those of a file are known by name only.
      isImported: () => sql`${schema.finders.accountId} is null`,
      report: { ...shown('recordId', 'foundAt', 'via'), ...role('accountId', 'fellowText') },
    }),
  ],
  exported: { finders: listFoundOf },
} satisfies RecordFeature
