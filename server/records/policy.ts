import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { mayNot } from '#server/http/errors.ts'

// Who may do what with a record, of whichever kind. The page is told by `can`, and mirrors it only.

/** What decides about rights. Both follow accounts, never names: who takes another's name gains nothing. */
export type Ownership = {
  /** The account that the record belongs to, or null when nobody is known. */
  ownerId: string | null
  /** Whether the caller has written a note on it. */
  isNoted: boolean
}

const isOwner = (caller: Account, record: Ownership) => record.ownerId === caller.id

/** What My Records shows: created by me, or noted by me. */
const isMine = (caller: Account, record: Ownership) => isOwner(caller, record) || record.isNoted

/** Edit: fellows whose My Records shows it, and managers. */
const canEdit = (caller: Account, record: Ownership) => isMine(caller, record) || isManager(caller)

/** Delete: its creator and managers; a record without a known creator, fellows whose My Records shows it. */
const canDelete = (caller: Account, record: Ownership) =>
  isManager(caller) || (record.ownerId === null ? isMine(caller, record) : isOwner(caller, record))

export const rightsOf = (caller: Account, record: Ownership) => ({
  edit: canEdit(caller, record),
  delete: canDelete(caller, record),
})

export function authorizeEdit(caller: Account, record: Ownership): void {
  if (!canEdit(caller, record)) throw mayNot('Only its creator and fellows with a note on this record can edit it')
}

export function authorizeDelete(caller: Account, record: Ownership): void {
  if (!canDelete(caller, record)) throw mayNot('Only the fellow who added this record can delete it')
}
