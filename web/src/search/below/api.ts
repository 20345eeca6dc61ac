import type { Kind } from '#contract/kinds.ts'
import { listRecords } from '#web/records/api.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'

/** Records that the exact search leaves out. One page, in an order of its own. */
export const listBelow = (kind: Kind, query: RecordQuery, place: NonNullable<RecordQuery['in']>) => ({
  ...listRecords(kind, { ...query, sort: 'newest', in: place }),
  placeholderData: () => undefined,
  // The section itself shows a failure.
  meta: {},
})
