import * as schema from '#server/db/schema.ts'
import { dataIn, ofRecord, type RecordData, role, shown } from '#server/records/record-data.ts'

export const linkData: RecordData[] = [
  dataIn(schema.links, {
    ...{ record: ['founderId', 'companyId'], merge: 'moved', added: { what: 'link', at: 'createdAt' }, ...ofRecord },
    report: {
      ...shown('id', 'founderId', 'founderKind', 'companyId', 'companyKind', 'role', 'createdAt'),
      ...role('createdBy'),
    },
  }),
]
