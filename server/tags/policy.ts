import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { forbidden } from '#server/http/errors.ts'

// Anyone signed in may add tags, and give them to records or take them away.

/** What the right to rename and delete a tag depends on. */
type TagOwnership = { createdBy: string | null; isOnRecordsOfOthers: boolean }

/** Rename and delete: its creator while only their own records have it, and managers. */
export const canEditTag = (caller: Account, tag: TagOwnership): boolean =>
  isManager(caller) || (tag.createdBy === caller.id && !tag.isOnRecordsOfOthers)

export const NOT_YOURS_TO_CHANGE =
  'Only a manager can change a tag that others have created, or that records of others have'

export function authorizeEditTag(caller: Account, tag: TagOwnership): void {
  if (!canEditTag(caller, tag)) throw forbidden(NOT_YOURS_TO_CHANGE)
}
