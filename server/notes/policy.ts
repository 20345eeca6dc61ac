import type { Account } from '#server/auth/session.ts'
import { mayNot } from '#server/errors.ts'

/** Delete: its author, and nobody else. */
export function authorizeNoteDelete(caller: Account, note: { authorId: string }): void {
  if (note.authorId !== caller.id) throw mayNot('Only the fellow who wrote this note can delete it')
}
