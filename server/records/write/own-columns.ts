import { getTableColumns } from 'drizzle-orm'
import { records } from '#server/db/schema.ts'

const {
  searchText,
  searchGrams,
  secondaryText,
  linkedInKey,
  domainKey,
  enrichedAt,
  creatorId,
  creatorText,
  mergedInto,
  isImported,
  kind,
  lastNoteAt,
  reached,
  informedAt,
  informedBy,
  firstRating,
  // A record's own columns, without those that only queries and policies read.
  ...ownColumns
} = getTableColumns(records)

export { ownColumns }

/** A record's own columns, as stored. */
export type OwnRow = Pick<typeof records.$inferSelect, keyof typeof ownColumns>
