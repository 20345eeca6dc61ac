import type { Account } from '#server/auth/session.ts'
import { mayNot } from '#server/errors.ts'

// Who may do what with a record, of whichever kind. The page is told by `can`, and mirrors it only.

/** What decides about a right: the account that made the record, or the text an import left in its place. */
export type Ownership = { creatorId: string | null; creatorText: string | null }

/**
 * The creator is an account, never a name: who takes another's name gains nothing. A record with a creator in text
 * only belongs to the account with that e-mail once it is verified.
 */
export const isCreator = (caller: Account, record: Ownership): boolean =>
  record.creatorId === null
    ? caller.emailVerified && record.creatorText?.toLowerCase() === caller.email
    : record.creatorId === caller.id

/** Edit: whoever's My Records shows it. */
export const canEdit = isCreator

/** Delete: its creator. */
export const canDelete = isCreator

export const rightsOf = (caller: Account, record: Ownership) => ({
  edit: canEdit(caller, record),
  delete: canDelete(caller, record),
})

export function authorizeEdit(caller: Account, record: Ownership): void {
  if (!canEdit(caller, record)) throw mayNot('Only the fellow who added this record can edit it')
}

export function authorizeDelete(caller: Account, record: Ownership): void {
  if (!canDelete(caller, record)) throw mayNot('Only the fellow who added this record can delete it')
}
