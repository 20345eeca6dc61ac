import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { mayNot } from '#server/http/errors.ts'

// The rights on a record of any kind. The page only mirrors the result in `can`.

/** What rights depend on. Both follow accounts, never names, so taking another person's name grants nothing. */
export type Ownership = {
  /** The account that the record belongs to, or null when it is unknown. */
  ownerId: string | null
  /** Whether it is in the caller's My Records: created, also found, or noted by the caller. */
  isMember: boolean
}

const isOwner = (caller: Account, record: Ownership) => record.ownerId === caller.id

/** Edit: fellows who have it in My Records, and managers. */
const canEdit = (caller: Account, record: Ownership) => record.isMember || isManager(caller)

/** Delete: its creator and managers; for a record without a known creator, fellows who have it in My Records. */
const canDelete = (caller: Account, record: Ownership) =>
  isManager(caller) || (record.ownerId === null ? record.isMember : isOwner(caller, record))

export const rightsOf = (caller: Account, record: Ownership) => ({
  edit: canEdit(caller, record),
  delete: canDelete(caller, record),
})

export function authorizeEdit(caller: Account, record: Ownership): void {
  if (!canEdit(caller, record)) throw mayNot('Only fellows who have found this record or have a note on it can edit it')
}

export function authorizeDelete(caller: Account, record: Ownership): void {
  if (!canDelete(caller, record)) throw mayNot('Only the fellow who added this record can delete it')
}
