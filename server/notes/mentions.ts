import { eq, type SQL, sql } from 'drizzle-orm'
import { NOTE_MAX } from '#contract/limits.ts'
import type { Mention, MentionInput } from '#contract/note.ts'
import { nameFellows } from '#server/account/named-fellows.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, mentions, notes } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { searchable } from '#server/records/write/search-text.ts'

/** The fellows whom a note of the enclosing query names, as on the wire; null for none. */
export const mentionsOf = (noteId: SQL) => sql<Mention[] | null>`(
  select json_agg(json_build_object(
    'id', ${accounts.publicId}, 'name', ${shownName()}, 'at', ${mentions.start}, 'length', ${mentions.length}
  ) order by ${mentions.start})
  from ${mentions} join ${accounts} on ${accounts.id} = ${mentions.accountId} where ${mentions.noteId} = ${noteId}
)`

type NewNote = Omit<typeof notes.$inferInsert, 'id'> & { id: string | SQL<string> }

/** Part of a transaction. Throws the refusal for fellows who cannot be named. */
export async function createWithMentions(tx: Database, author: Caller, note: NewNote, named: MentionInput[]) {
  const fellows = await nameFellows(
    tx,
    author,
    named.map(({ id }) => id),
    'mentions',
  )
  const rows = await tx
    .insert(notes)
    .values(note as typeof notes.$inferInsert)
    .returning()
  await tx.insert(mentions).values(
    rows.flatMap(({ id: noteId, recordId, createdAt }) =>
      named.map(({ id, at: start, length }) => ({
        ...{ noteId, recordId, createdAt, start, length },
        accountId: fellows.get(id.toLowerCase()) as string,
      })),
    ),
  )
  return rows
}

type Range = Pick<typeof mentions.$inferSelect, 'start' | 'length' | 'accountId'>

/** A content with the alias of a fellow in place of each mention of them, cut where it would be too long, and the other mentions. */
export function withAlias(content: string, ranges: Range[], { id, alias }: { id: string; alias: string }) {
  const letters = [...content]
  const written: string[] = []
  const kept: Range[] = []
  let copied = 0
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const end = range.start + range.length
    written.push(...letters.slice(copied, range.start))
    if (range.accountId !== id) kept.push({ ...range, start: written.length })
    written.push(...(range.accountId === id ? `@${alias}` : letters.slice(range.start, end)))
    copied = end
  }
  written.push(...letters.slice(copied))
  return {
    content: written.slice(0, NOTE_MAX).join(''),
    kept: kept.filter(({ start, length }) => start + length <= NOTE_MAX),
  }
}

/** Writes the alias of an erased fellow into the notes that name them. Returns the ids of these notes. */
export async function writeAlias(tx: Database, fellow: { id: string; alias: string }): Promise<string[]> {
  const named = await tx
    .selectDistinct({ id: mentions.noteId })
    .from(mentions)
    .where(eq(mentions.accountId, fellow.id))
    .orderBy(mentions.noteId)
  for (const { id } of named) {
    const [note] = await tx.select({ content: notes.content }).from(notes).where(eq(notes.id, id)).for('no key update')
    if (note === undefined) continue
    const rows = await tx.delete(mentions).where(eq(mentions.noteId, id)).returning()
    const { content, kept } = withAlias(note.content, rows, fellow)
    if (kept.length > 0) {
      const [first] = rows
      await tx.insert(mentions).values(kept.map((range) => ({ ...(first as (typeof rows)[number]), ...range })))
    }
    await tx
      .update(notes)
      .set({ content, searchText: searchable(content), hasMentions: kept.length > 0 })
      .where(eq(notes.id, id))
  }
  return named.map(({ id }) => id)
}
