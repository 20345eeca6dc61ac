import type { Kind } from '#contract/kinds.ts'
import type { Mention } from '#contract/mention.ts'
import { listRecords } from '#web/records/api.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'

/** A record below the results, and where the term was found in it. */
export type FoundRow = RecordRow & { mention?: Mention }

/** Records that the exact search leaves out. One page, in an order of its own. */
export const listBelow = (kind: Kind, query: RecordQuery, place: NonNullable<RecordQuery['in']>) => ({
  ...listRecords(kind, { ...query, sort: 'newest', in: place }),
  placeholderData: () => undefined,
  // The section itself shows a failure.
  meta: {},
})
