import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { forbidden } from '#server/http/errors.ts'

// Anyone signed in may give records a tag, a stage and a responsible fellow, so no record is refused by its right.

/** Undo: who did it, and managers. */
export const canUndoBulk = (caller: Account, { accountId }: { accountId: string }): boolean =>
  accountId === caller.id || isManager(caller)

export const NOT_YOURS_TO_UNDO = 'Only the fellow who changed these records and managers can undo this'

export function authorizeUndo(caller: Account, act: { accountId: string }): void {
  if (!canUndoBulk(caller, act)) throw forbidden(NOT_YOURS_TO_UNDO)
}
