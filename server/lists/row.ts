import { getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import type { Note } from '#contract/note.ts'
import type { RecordTag } from '#contract/tags.ts'
import { accounts, type counters, recordMembers, records } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { hasMoreFinders, type KnownFinder } from '#server/finders/found.ts'
import { notesPreview } from '#server/notes/preview.ts'
import type { PipelineNames } from '#server/pipeline/present.ts'
import type { Ownership } from '#server/records/policy.ts'
import { type OwnRow, ownColumns } from '#server/records/write/own-columns.ts'
import { shownTags } from '#server/tags/shown.ts'

const { creatorId } = getTableColumns(records)

/** The name to show for the creator: name, else email, else the imported text, else null. Needs `accounts` joined. */
export const creatorLabel = (table: typeof records | typeof counters) =>
  sql<string | null>`${shownName(accounts, table.creatorText)}`

/** What one statement reads of a record for one caller. Needs `accounts` joined as the creator. */
export const columnsFor = (callerId: string | Placeholder) => ({
  ...ownColumns,
  creatorId,
  createdBy: creatorLabel(records),
  hasCreatorLeft: sql<boolean>`(${accounts.leftAt} is not null or ${accounts.formerNumber} is not null)`,
  isCreatorErased: sql<boolean>`(${accounts.formerNumber} is not null)`,
  notesPreview,
  tags: shownTags,
  hasMoreFinders,
  // Not `exists`, for which PostgreSQL may read all records of which the caller is a member.
  isMember: sql<boolean>`coalesce((
    select true from ${recordMembers}
    where ${recordMembers.recordId} = ${records.id} and ${recordMembers.accountId} = ${callerId}
  ), false)`,
})

/** A record as one statement reads it. `complete` adds what only some records have. */
export type ReadRow = OwnRow &
  Pick<typeof records.$inferSelect, 'creatorId'> &
  Pick<Ownership, 'isMember'> & {
    createdBy: string | null
    hasCreatorLeft: boolean
    isCreatorErased: boolean
    notesPreview: Note[] | null
    tags: RecordTag[] | null
    hasMoreFinders: boolean
  }

/** A record as stored, for one caller: with its creator, its newest notes, its finders, and the facts that rights depend on. */
export type RecordRow = OwnRow &
  Ownership &
  PipelineNames & {
    createdBy: string | null
    notesEditor: string | null
    notesPreview: Note[]
    tags: RecordTag[] | null
    finders: KnownFinder[]
  }
