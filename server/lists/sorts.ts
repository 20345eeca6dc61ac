import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { SortName } from '#contract/record.ts'
import { recordMembers, records, recordTags } from '#server/db/schema.ts'
import { LATEST, newest, type Sort } from '#server/records/cursor.ts'

// The orders of a list of records. Each has an index.

/** The rating that the order uses: records that are not rated come last. As in the index. */
export const ratingOrder = sql<number>`(case when ${records.isRated} then ${records.rating} else 0 end)`

/** Since when a record has been in its stage, for the order: records whose time does not run come last. */
export const stageOrder =
  sql<Date>`coalesce(${records.stageSince}, ${sql.raw(`timestamptz '${LATEST.toISOString()}'`)})`.mapWith(
    records.stageSince,
  )

export const sorts = {
  newest,
  rating: { ...newest, name: 'rating', columns: { ratingOrder: 'number', ...newest.columns } },
  lastNote: { ...newest, name: 'lastNote', columns: { lastNoteAt: 'time', ...newest.columns } },
  stageAge: { name: 'stageAge', direction: 'asc', columns: { stageOrder: 'time', ...newest.columns } },
} as const satisfies Record<SortName, Sort>

export type RecordsSort = (typeof sorts)[SortName]

/** The values by which lists of records are sorted: of the records, or of their rows in My Records. */
export type SortColumns = Record<'ratingOrder' | 'lastNoteAt' | 'stageOrder' | 'createdAt' | 'id', AnyColumn | SQL>

export const recordSource: SortColumns = {
  ratingOrder,
  lastNoteAt: records.lastNoteAt,
  stageOrder,
  createdAt: records.createdAt,
  id: records.id,
}

/** My Records have the time of their record, so that their index has the order of the list. */
export const memberSource: SortColumns = {
  ...recordSource,
  createdAt: recordMembers.createdAt,
  id: recordMembers.recordId,
}

/** As in My Records. */
export const taggedSource: SortColumns = {
  ...recordSource,
  createdAt: recordTags.createdAt,
  id: recordTags.recordId,
}
