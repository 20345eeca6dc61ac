import { actionsThat } from '#contract/audit-actions.ts'
import * as schema from '#server/db/schema.ts'
import { dataIn, leftOut, ofRecord, type RecordData, role, shown } from '#server/records/record-data.ts'

export const tagData: RecordData[] = [
  dataIn(schema.recordTags, {
    ...{ record: ['recordId'], merge: 'moved', added: { what: 'tag', at: 'addedAt' }, ...ofRecord },
    report: {
      ...shown('id', 'recordId', 'kind', 'tagId', 'addedAt'),
      ...role('addedBy'),
      ...leftOut('createdAt', 'isShown'),
    },
  }),
  // Everyone shares a tag, so it stays when its records are erased. One whose name mentions a person is deleted.
  dataIn(schema.tags, {
    ...{ record: ['id'], through: { from: schema.recordTags.recordId, to: schema.recordTags.tagId } },
    ...{ merge: 'kept', erasure: 'kept', isErasedWhole: true, loggedAs: actionsThat(({ shows }) => shows === 'tag') },
    report: { ...shown('id', 'name', 'createdAt'), ...role('createdBy'), ...leftOut('key', 'unusedSince') },
  }),
]
