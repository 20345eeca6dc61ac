import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { forbidden } from '#server/http/errors.ts'

export const NOT_YOURS_TO_DELETE = 'Only the fellow who wrote this note can delete it'

/** Delete: its author and managers. An imported note has no author account. */
export function authorizeNoteDelete(caller: Account, note: { authorId: string | null }): void {
  if (note.authorId !== caller.id && !isManager(caller)) throw forbidden(NOT_YOURS_TO_DELETE)
}
