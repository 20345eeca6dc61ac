import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { SortName } from '#contract/record.ts'
import { recordMembers, records, recordTags } from '#server/db/schema.ts'
import { newest, type Sort } from './cursor.ts'

// The orders of a list of records. Each has an index. All of them end with the newest first.

/** The rating that the order uses: records that are not rated come last. As in the index. */
export const ratingOrder = sql<number>`(case when ${records.isRated} then ${records.rating} else 0 end)`

export const sorts = {
  newest,
  rating: { ...newest, name: 'rating', columns: { ratingOrder: 'number', ...newest.columns } },
  lastNote: { ...newest, name: 'lastNote', columns: { lastNoteAt: 'time', ...newest.columns } },
} as const satisfies Record<SortName, Sort>

export type RecordsSort = (typeof sorts)[SortName]

/** The values by which lists of records are sorted: of the records, or of their rows in My Records. */
type SortColumns = Record<'ratingOrder' | 'lastNoteAt' | 'createdAt' | 'id', AnyColumn | SQL>

export const ofRecords: SortColumns = {
  ratingOrder,
  lastNoteAt: records.lastNoteAt,
  createdAt: records.createdAt,
  id: records.id,
}

/** My Records have the time of their record, so that their index has the order of the list. */
export const ofMembers: SortColumns = {
  ...ofRecords,
  createdAt: recordMembers.createdAt,
  id: recordMembers.recordId,
}

/** As in My Records. */
export const ofTagged: SortColumns = {
  ...ofRecords,
  createdAt: recordTags.createdAt,
  id: recordTags.recordId,
}
