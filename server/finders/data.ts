import { sql } from 'drizzle-orm'
import * as schema from '#server/db/schema.ts'
import { dataIn, ofRecord, type RecordData, role, shown } from '#server/records/record-data.ts'

export const finderData: RecordData[] = [
  dataIn(schema.finders, {
    ...{ record: ['recordId'], merge: 'kept', added: { what: 'finder', at: 'foundAt' }, ...ofRecord },
    // Those of a file are known by name only.
    isImported: () => sql`${schema.finders.accountId} is null`,
    report: { ...shown('recordId', 'foundAt', 'via'), ...role('accountId', 'fellowText') },
  }),
]
