import { and, eq, type SQL, sql } from 'drizzle-orm'
import { MY_NOTES_MAX, NOTES_PREVIEWED } from '#contract/limits.ts'
import type { Note } from '#contract/note.ts'
import type { Account, Caller } from '#server/auth/session.ts'
import { type Database, FOREIGN_KEY_VIOLATION, sqlState } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, notes } from '#server/db/schema.ts'
import { type Actor, actingAs, idOfActing } from '#server/history/acting.ts'
import { newId, type Once } from '#server/records/once.ts'
import { behindPlaceholder, newestFirst, type PageRequest, placeValues } from '#server/records/paging.ts'

/** The record that notes belong to, named by its column. */
export type Parent = { column: typeof notes.founderId | typeof notes.companyId; id: string }

const own = {
  id: notes.id,
  content: notes.content,
  founderId: notes.founderId,
  companyId: notes.companyId,
  createdAt: notes.createdAt,
}

const columns = {
  ...own,
  author: sql<string>`coalesce(nullif(${accounts.name}, ''), ${accounts.email})`,
  authorEmail: accounts.email,
  authorId: notes.authorId,
}

export type NoteRow = {
  id: string
  content: string
  author: string
  authorEmail: string
  authorId: string
  founderId: string | null
  companyId: string | null
  createdAt: Date
}

const of = ({ column, id }: Parent) => eq(column, id)

const pageOf = (column: Parent['column'], name: string) =>
  prepared((db) =>
    db
      .select(columns)
      .from(notes)
      .innerJoin(accounts, eq(accounts.id, notes.authorId))
      .where(and(eq(column, sql.placeholder('id')), behindPlaceholder(notes)))
      .orderBy(...newestFirst(notes))
      .limit(sql.placeholder('rows'))
      .prepare(name),
  )
const pageOfFounder = pageOf(notes.founderId, 'notes_of_founder')
const pageOfCompany = pageOf(notes.companyId, 'notes_of_company')

/** A page of a record's notes, newest first, with one more than asked for when there is a next page. */
export function listNotes(db: Database, { column, id }: Parent, { limit, after }: PageRequest): Promise<NoteRow[]> {
  const page = column === notes.founderId ? pageOfFounder : pageOfCompany
  return page(db).execute({ id, rows: limit + 1, ...placeValues(after) })
}

export async function getNote(db: Database, parent: Parent, id: string): Promise<NoteRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(notes)
    .innerJoin(accounts, eq(accounts.id, notes.authorId))
    .where(and(eq(notes.id, id), of(parent)))
  return row
}

/** Undefined when there is no such record, or none any more. */
export async function createNote(
  db: Database,
  parent: Parent,
  author: Caller,
  content: string,
  once?: Once,
): Promise<NoteRow | undefined> {
  const key = parent.column === notes.founderId ? { founderId: parent.id } : { companyId: parent.id }
  const [row] = await db
    .insert(notes)
    .values({ id: newId(once), authorId: idOfActing(author), content, ...key })
    .returning()
    .catch((error) => {
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) return []
      throw error
    })
  return row && { ...row, author: author.name || author.email, authorEmail: author.email }
}

export async function deleteNote(db: Database, actor: Actor, id: string): Promise<void> {
  await db.delete(notes).where(and(eq(notes.id, id), actingAs(actor)))
}

const newestOfAuthor = prepared((db) =>
  db
    .select(own)
    .from(notes)
    .where(eq(notes.authorId, sql.placeholder('authorId')))
    .orderBy(...newestFirst(notes))
    .limit(MY_NOTES_MAX)
    .prepare('notes_of_author'),
)

/** The newest notes that an account wrote, on whichever records. */
export async function listNotesBy(db: Database, { id: authorId, name, email }: Account): Promise<NoteRow[]> {
  const rows = await newestOfAuthor(db).execute({ authorId })
  return rows.map((row) => ({ ...row, authorId, author: name || email, authorEmail: email }))
}

/** The newest notes of a record of the enclosing query, as the wire has them; newest first, as few as a card shows. */
export const notesPreview = (parent: SQL) => sql<Note[]>`coalesce((
  select json_agg(json_build_object(
    'id', newest.id,
    'content', newest.content,
    'author', coalesce(nullif(author.name, ''), author.email),
    'authorEmail', author.email,
    'createdAt', to_char(newest.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) order by newest.created_at desc, newest.id desc)
  from (
    select id, content, author_id, created_at from ${notes} where ${parent}
    order by created_at desc, id desc limit ${sql.raw(String(NOTES_PREVIEWED))}
  ) newest join ${accounts} author on author.id = newest.author_id
), '[]'::json)`
