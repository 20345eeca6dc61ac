import { editableFields, type Field } from '#contract/fields.ts'
import { UNITED } from '#contract/united.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { forbidden } from '#server/http/errors.ts'
import { actsAsManager, isManager, rights } from '#server/rights.ts'

// The rights on a record of any kind. The page only mirrors the result in `can`.

/** What rights depend on. They follow accounts, never names, so taking another person's name grants nothing. */
export type Ownership = {
  /** The account that the record belongs to, or null when it is unknown. */
  ownerId: string | null
  /** The owner has left the programme. A disabled one has not. */
  hasOwnerLeft: boolean
  /** Whether it is in the caller's My Records: created, also found, or noted by the caller. */
  isMember: boolean
  /** The account of the fellow who is responsible for it. */
  responsibleId: string | null
  /** Whether it unites records of several first finders, by merges. */
  isUnited: boolean
  /** Whether the programme has a manager, who then deletes records whose creator has left or is unknown. */
  hasManager: boolean
}

const isOwner = (caller: Account, record: Ownership) => record.ownerId === caller.id

/** Edit: fellows who have it in My Records, the responsible fellow, and managers. */
const canEdit = (caller: Account, record: Ownership) =>
  rights.change.allows(caller) && (record.isMember || record.responsibleId === caller.id || isManager(caller))

export const NOT_YOURS_TO_DELETE = 'Only the fellow who added this record can delete it'

/**
 * Delete: its creator and managers. A record whose creator has left or is unknown: managers, and while there is none,
 * fellows who have it in My Records. A record that unites records of several first finders: managers only.
 */
function whyNotDelete(caller: Account, record: Ownership): string | undefined {
  if (!rights.change.allows(caller)) return rights.change.why
  if (isManager(caller)) return undefined
  if (record.isUnited) return UNITED
  if (record.ownerId !== null && !record.hasOwnerLeft) {
    return isOwner(caller, record) ? undefined : NOT_YOURS_TO_DELETE
  }
  if (!actsAsManager(caller, record.hasManager))
    return record.hasOwnerLeft ? MANAGERS_AFTER_LEAVING : MANAGERS_OF_UNKNOWN
  return record.isMember ? undefined : 'Only fellows who have found this record or have a note on it can delete it'
}

const MANAGERS_AFTER_LEAVING = 'Only a manager can delete this record, because the fellow who added it has left'
const MANAGERS_OF_UNKNOWN = 'Only a manager can delete this record, because it is not known who added it'

export function rightsOf(caller: Account, record: Ownership) {
  const why = whyNotDelete(caller, record)
  return { edit: canEdit(caller, record), delete: why === undefined, ...(why !== undefined && { whyNotDelete: why }) }
}

export const NOT_YOURS_TO_EDIT =
  'Only fellows who have found this record, have a note on it or are responsible for it can edit it'

export function authorizeEdit(caller: Account, record: Ownership): void {
  if (!canEdit(caller, record)) throw forbidden(NOT_YOURS_TO_EDIT)
}

/** The fields that the caller may change on a record, by `PUT`, by `PATCH` or by an import. */
export const changeableFields = <One extends Field>(
  caller: Account,
  { fields }: { fields: readonly One[] },
  record: Ownership,
): One[] => (canEdit(caller, record) ? editableFields(fields, 'put', 'patch') : [])

export function authorizeDelete(caller: Account, record: Ownership): void {
  const why = whyNotDelete(caller, record)
  if (why !== undefined) throw forbidden(why)
}

/** Whether the caller could delete the record if its merges were undone. */
export const hasToUndoFirst = (caller: Account, record: Ownership): boolean =>
  record.isUnited && isOwner(caller, record) && !isManager(caller)
