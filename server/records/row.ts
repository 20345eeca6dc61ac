import { getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import { NOTES_PREVIEWED } from '#contract/limits.ts'
import type { Note } from '#contract/note.ts'
import type { RecordTag } from '#contract/tags.ts'
import { accounts, type counters, finders, notes, recordMembers, records, recordTags, tags } from '#server/db/schema.ts'
import { isoTime, shownName } from '#server/db/sql.ts'
import type { PipelineNames } from './pipeline.ts'
import type { Ownership } from './policy.ts'

const {
  searchText,
  searchGrams,
  mentionText,
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

/** The name to show for the creator: name, else email, else the imported text, else null. Needs `accounts` joined. */
export const creatorLabel = (table: typeof records | typeof counters) =>
  sql<string | null>`${shownName(accounts, table.creatorText)}`

/**
 * The newest notes of a record in the enclosing query, as on the wire, limited to those that a card shows; null without
 * one.
 */
const notesPreview = sql<Note[] | null>`case when ${records.notesCount} > 0 then (
  select json_agg(json_build_object(
    'id', newest.id,
    'content', newest.content,
    'author', coalesce(nullif(author.name, ''), author.email, newest.author_text),
    'authorEmail', coalesce(author.email, ''),
    'createdAt', ${isoTime(sql`newest.created_at`)}
  ) order by newest.created_at desc, newest.id desc)
  from (
    select id, content, author_id, author_text, created_at from ${notes} where ${notes.recordId} = ${records.id}
    order by created_at desc, id desc limit ${sql.raw(String(NOTES_PREVIEWED))}
  ) newest left join ${accounts} author on author.id = newest.author_id
) end`

/** The tags of a record in the enclosing query, by name; null without one. */
const shownTags = sql<RecordTag[] | null>`(
  select json_agg(json_build_object('id', ${tags.id}, 'name', ${tags.name}) order by ${tags.key} collate "C")
  from ${recordTags} join ${tags} on ${tags.id} = ${recordTags.tagId}
  where ${recordTags.recordId} = ${records.id} and ${recordTags.isShown}
)`

/** Whether others than its creator may have found it. Not `exists`, for which PostgreSQL may read all finders. */
const hasMoreFinders = sql<boolean>`coalesce(
  (select true from ${finders} where ${finders.recordId} = ${records.id} limit 1),
  (select true from ${records} merged where merged.merged_into = ${records.id} limit 1),
  false
)`

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
export type ReadRow = Pick<typeof records.$inferSelect, keyof typeof ownColumns | 'creatorId'> &
  Pick<Ownership, 'isMember'> & {
    createdBy: string | null
    hasCreatorLeft: boolean
    isCreatorErased: boolean
    notesPreview: Note[] | null
    tags: RecordTag[] | null
    hasMoreFinders: boolean
  }

/** What a record shows of a finder. `accountId` is the owner's, as in `FinderRow`. */
export type KnownFinder = { accountId: string | null; name: string; foundAt: string }

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

/** Its own columns alone. */
export type OwnRow = Pick<ReadRow, keyof typeof ownColumns>
