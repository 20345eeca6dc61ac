import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { mayNot } from '#server/http/errors.ts'

// Who may do what with a record of any kind. The page only mirrors the result in `can`.

/** What rights depend on. Both follow accounts, never names, so taking another person's name grants nothing. */
export type Ownership = {
  /** The account that the record belongs to, or null when it is unknown. */
  ownerId: string | null
  /** Whether the caller has written a note on it. */
  isNoted: boolean
}

const isOwner = (caller: Account, record: Ownership) => record.ownerId === caller.id

/** My Records: created by me, or noted by me. */
const isMine = (caller: Account, record: Ownership) => isOwner(caller, record) || record.isNoted

/** Edit: fellows who have it in My Records, and managers. */
const canEdit = (caller: Account, record: Ownership) => isMine(caller, record) || isManager(caller)

/** Delete: its creator and managers; for a record without a known creator, fellows who have it in My Records. */
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
