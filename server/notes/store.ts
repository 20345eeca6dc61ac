import { and, desc, eq, sql } from 'drizzle-orm'
import type { KindName } from '#contract/kinds.ts'
import { MY_NOTES_MAX } from '#contract/limits.ts'
import type { Mention, NoteInput } from '#contract/note.ts'
import { type Actor, changeAs, withActor } from '#server/audit-log/actor.ts'
import type { Account, Caller } from '#server/auth/sessions/session.ts'
import { type Database, FOREIGN_KEY_VIOLATION } from '#server/db/database.ts'
import { givenIds, isAmong, prepared } from '#server/db/prepared.ts'
import { accounts, notes } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { type IdempotencyKey, newId } from '#server/http/idempotency.ts'
import { newest } from '#server/records/cursor.ts'
import { isOfKind, preparedOfKind, type RecordKind } from '#server/records/kind.ts'
import { isAfterPlaceholder, orderOf, type PageRequest, positionValues } from '#server/records/paging.ts'
import { searchable } from '#server/records/write/search-text.ts'
import { sqlState } from '#server/sql-state.ts'
import { createWithMentions, mentionsOf } from './mentions.ts'

/** The record that notes belong to. */
type Parent = { kind: { name: KindName }; id: string }

const own = {
  id: notes.id,
  content: notes.content,
  kind: notes.kind,
  recordId: notes.recordId,
  createdAt: notes.createdAt,
  mentions: sql<Mention[] | null>`case when ${notes.hasMentions} then ${mentionsOf(sql`${notes.id}`)} end`,
}

const columns = {
  ...own,
  author: shownName(accounts, notes.authorText),
  authorEmail: sql<string>`coalesce(${accounts.email}, '')`,
  authorId: notes.authorId,
}

export type NoteRow = {
  id: string
  content: string
  mentions?: Mention[] | null
  author: string
  authorEmail: string
  /** Null for an imported note, which has only the author's name. */
  authorId: string | null
  kind: KindName
  recordId: string
  createdAt: Date
}

const pageOfRecord = preparedOfKind((db, kind) =>
  db
    .select(columns)
    .from(notes)
    .leftJoin(accounts, eq(accounts.id, notes.authorId))
    .where(and(eq(notes.recordId, sql.placeholder('id')), isOfKind(notes.kind, kind), isAfterPlaceholder(notes)))
    .orderBy(...orderOf(newest, notes))
    .limit(sql.placeholder('rows'))
    .prepare(`notes_of_${kind.name}`),
)

/** A page of a record's notes, newest first, with one extra row when there is a next page. */
export const listNotes = (db: Database, { kind, id }: Parent, { limit, after }: PageRequest): Promise<NoteRow[]> =>
  pageOfRecord(db, kind).execute({ id, rows: limit + 1, ...positionValues(after) })

/** A note of a record of this kind, which a merge may have moved to another record. */
export async function getNote(db: Database, kind: Parent['kind'], id: string): Promise<NoteRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(notes)
    .leftJoin(accounts, eq(accounts.id, notes.authorId))
    .where(and(eq(notes.id, id), isOfKind(notes.kind, kind)))
  return row
}

/** Undefined when the record does not exist. */
export async function createNote(
  db: Database,
  { kind, id }: Parent,
  author: Caller,
  { content, mentions = [] }: NoteInput,
  key?: IdempotencyKey,
): Promise<NoteRow | undefined> {
  const note = {
    id: newId(key),
    recordId: id,
    kind: kind.name,
    authorId: author.id,
    content,
    searchText: searchable(content),
    hasMentions: mentions.length > 0,
  }
  const added =
    mentions.length === 0
      ? changeAs(db, author, (tx) => tx.insert(notes).values(note).returning())
      : withActor(db, author, (tx) => createWithMentions(tx, author, note, mentions))
  const [row] = await added.catch((error) => {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) return []
    throw error
  })
  if (row === undefined) return undefined
  return mentions.length > 0
    ? getNote(db, kind, row.id)
    : { ...row, author: author.name || author.email, authorEmail: author.email }
}

export async function deleteNote(db: Database, actor: Actor, { id, kind }: NoteRow): Promise<void> {
  await changeAs(db, actor, (tx) => tx.delete(notes).where(and(eq(notes.id, id), isOfKind(notes.kind, { name: kind }))))
}

const newestOfAuthor = prepared((db) =>
  db
    .select(own)
    .from(notes)
    // Notes of deleted records have another kind.
    .where(and(eq(notes.authorId, sql.placeholder('authorId')), sql`${notes.kind} not like 'deleted-%'`))
    .orderBy(...orderOf(newest, notes))
    .limit(MY_NOTES_MAX)
    .prepare('notes_of_author'),
)

/** The newest notes that an account wrote, on any records. */
export async function listNotesBy(db: Database, { id: authorId, name, email }: Account): Promise<NoteRow[]> {
  const rows = await newestOfAuthor(db).execute({ authorId })
  return rows.map((row) => ({ ...row, authorId, author: name || email, authorEmail: email }))
}

type ThreadNote = { author: string; content: string; createdAt: string }

const notesOfRecords = preparedOfKind((db, { name }) =>
  db
    .select({
      recordId: notes.recordId,
      content: notes.content,
      createdAt: notes.createdAt,
      author: shownName(accounts, notes.authorText),
    })
    .from(notes)
    .leftJoin(accounts, eq(accounts.id, notes.authorId))
    .where(isAmong(notes.recordId, givenIds('ids')))
    .orderBy(desc(notes.createdAt), desc(notes.id))
    .prepare(`notes_of_many_${name}`),
)

/** The notes of each of these records, newest first. */
export async function listThreads(db: Database, kind: RecordKind, ids: string[]): Promise<Map<string, ThreadNote[]>> {
  const threads = new Map<string, ThreadNote[]>(ids.map((id) => [id, []]))
  for (const { recordId, createdAt, ...note } of await notesOfRecords(db, kind).execute({ ids })) {
    threads.get(recordId)?.push({ ...note, createdAt: createdAt.toISOString() })
  }
  return threads
}
