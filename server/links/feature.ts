import * as schema from '#server/db/schema.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { dataIn, ofRecord, role, shown } from '#server/records/record-data.ts'
import { linkRoutes } from './routes.ts'

export const linkFeature = {
  heading: { name: 'Links', description: 'The companies of a founder, and the founders of a company.' },
  routes: [linkRoutes],
  data: [
    dataIn(schema.links, {
      ...{ record: ['founderId', 'companyId'], merge: 'moved', added: { what: 'link', at: 'createdAt' }, ...ofRecord },
      report: {
        ...shown('id', 'founderId', 'founderKind', 'companyId', 'companyKind', 'role', 'createdAt'),
        ...role('createdBy'),
      },
    }),
  ],
} satisfies RecordFeature
