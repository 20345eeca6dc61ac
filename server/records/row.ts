import { getTableColumns, type Placeholder, sql } from 'drizzle-orm'
import { NOTES_PREVIEWED } from '#contract/limits.ts'
import type { Note } from '#contract/note.ts'
import type { RecordTag } from '#contract/tags.ts'
import { accounts, type counters, finders, notes, recordMembers, records, recordTags, tags } from '#server/db/schema.ts'
import { type PipelineNames, pipelineNames } from './pipeline.ts'
import type { Ownership } from './policy.ts'
import { ratingOrder, stageOrder } from './sorts.ts'

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
  informedAt,
  informedBy,
  firstRating,
  ...own
} = getTableColumns(records)

/** A record's own columns, without those that only queries and policies read. */
export const ownColumns = { ...own, ratingOrder, stageOrder }

/** The name to show for the creator: name, else email, else the imported text, else null. Needs `accounts` joined. */
export const creatorLabel = (table: typeof records | typeof counters) =>
  sql<string | null>`coalesce(nullif(${accounts.name}, ''), ${accounts.email}, ${table.creatorText})`

/** The members of a record in the enclosing query: its owner, its other finders, and the authors of its notes. */
const itsMembers = sql`${recordMembers} where ${recordMembers.recordId} = ${records.id}`

/** The newest notes of a record in the enclosing query, as on the wire, limited to those that a card shows. */
const notesPreview = sql<Note[]>`coalesce((
  select json_agg(json_build_object(
    'id', newest.id,
    'content', newest.content,
    'author', coalesce(nullif(author.name, ''), author.email, newest.author_text),
    'authorEmail', coalesce(author.email, ''),
    'createdAt', to_char(newest.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) order by newest.created_at desc, newest.id desc)
  from (
    select id, content, author_id, author_text, created_at from ${notes} where ${notes.recordId} = ${records.id}
    order by created_at desc, id desc limit ${sql.raw(String(NOTES_PREVIEWED))}
  ) newest left join ${accounts} author on author.id = newest.author_id
), '[]'::json)`

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

/** Needs `accounts` joined as the creator. */
export const columnsFor = (callerId: string | Placeholder) => ({
  ...ownColumns,
  createdBy: creatorLabel(records),
  notesPreview,
  tags: shownTags,
  notesEditor: sql<string | null>`(
    select coalesce(nullif(editor.name, ''), editor.email) from ${accounts} editor where editor.id = ${records.notesEditedBy}
  )`,
  hasMoreFinders,
  ...pipelineNames,
  // An erased creator owns nothing.
  ownerId: sql<string | null>`case when ${accounts.formerNumber} is null then coalesce(${records.creatorId}, (
    select ${recordMembers.accountId} from ${itsMembers} and ${recordMembers.isOwner}
  )) end`,
  // The creator is joined. An imported record may have another owner.
  hasOwnerLeft: sql<boolean>`case when ${records.creatorId} is null then coalesce((
    select owner.left_at is not null from ${accounts} owner where owner.id = (
      select ${recordMembers.accountId} from ${itsMembers} and ${recordMembers.isOwner}
    )
  ), false) else ${accounts.leftAt} is not null or ${accounts.formerNumber} is not null end`,
  // Read once per statement, and only for a record whose creator has left, is erased or unknown.
  hasManager: sql<boolean>`case when ${records.creatorId} is null or ${accounts.leftAt} is not null
    or ${accounts.formerNumber} is not null then (
    select exists (select from ${accounts} manager where manager.role = 'manager' and manager.disabled_at is null)
  ) else false end`,
  // Not `exists`, for which PostgreSQL may read all records of which the caller is a member.
  isMember: sql<boolean>`coalesce((select true from ${itsMembers} and ${recordMembers.accountId} = ${callerId}), false)`,
})

/** A record as stored, for one caller: with its creator, its newest notes, and the facts that rights depend on. */
export type StoredRow = Pick<typeof records.$inferSelect, keyof typeof own> &
  Ownership &
  PipelineNames & {
    createdBy: string | null
    notesEditor: string | null
    notesPreview: Note[]
    tags: RecordTag[] | null
    ratingOrder: number
    stageOrder: Date
    hasMoreFinders: boolean
  }

/** What a record shows of a finder. `accountId` is the owner's, as in `FinderRow`. */
export type KnownFinder = { accountId: string | null; name: string; foundAt: string }

/** The same with its finders, first finder first. */
export type RecordRow = StoredRow & { finders: KnownFinder[] }

/** Its own columns alone. */
export type OwnRow = Pick<StoredRow, keyof typeof ownColumns>
