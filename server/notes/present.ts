import type { Note } from '#contract/note.ts'
import type { NoteRow } from './store.ts'

/** A note on the wire, field by field. */
export const presentNote = (row: NoteRow): Note => ({
  id: row.id,
  content: row.content,
  author: row.author,
  authorEmail: row.authorEmail,
  createdAt: row.createdAt.toISOString(),
})
