import { actionsThat } from '#contract/audit-actions.ts'
import * as schema from '#server/db/schema.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { dataIn, leftOut, ofRecord, role, shown } from '#server/records/record-data.ts'
import { tagRoutes } from './routes.ts'

export const tagFeature = {
  heading: { name: 'Tags', description: 'Tags, which everyone shares, and acts on many records.' },
  routes: [tagRoutes],
  data: [
    dataIn(schema.recordTags, {
      ...{ record: ['recordId'], merge: 'moved', added: { what: 'tag', at: 'addedAt' }, ...ofRecord },
      report: {
        ...shown('id', 'recordId', 'kind', 'tagId', 'addedAt'),
        ...role('addedBy'),
        ...leftOut('createdAt', 'isShown', 'isImported'),
      },
    }),
    // Everyone shares a tag, so it stays when its records are erased. One whose name mentions a person is deleted.
    dataIn(schema.tags, {
      ...{ record: ['id'], through: { from: schema.recordTags.recordId, to: schema.recordTags.tagId } },
      ...{ merge: 'kept', erasure: 'kept', isErasedWhole: true, loggedAs: actionsThat(({ shows }) => shows === 'tag') },
      report: { ...shown('id', 'name', 'createdAt'), ...role('createdBy'), ...leftOut('key', 'unusedSince') },
    }),
  ],
} satisfies RecordFeature
