import type { Account } from '#server/auth/sessions/session.ts'
import { AppError } from '#server/http/errors.ts'
import { type Ownership, rightsOf } from '#server/records/policy.ts'
import { mayChange, refusal, rights } from '#server/rights.ts'

// Anyone signed in may merge, because a merge takes nothing away.

/** Choosing values: fellows who may edit both records. The rule of merges chooses for all others. */
export const canChoose = (caller: Account, ...both: Ownership[]): boolean =>
  both.every((record) => rightsOf(caller, record).edit)

export const NOT_YOURS_TO_CHOOSE = 'Only a fellow who may edit both records can choose their values'

/** Throws the 403 for fields with another choice than that of the rule. */
export function refuseChoices(fields: string[]): void {
  if (fields.length === 0) return
  const why = 'Only a fellow who may edit both records can choose this'
  throw new AppError(403, NOT_YOURS_TO_CHOOSE, {
    fields: Object.fromEntries(fields.map((field) => [field, why])),
  })
}

/** Why a merge cannot be undone, for any caller. */
export const RECORD_DELETED = 'The record was deleted, so this merge cannot be undone'
export const VALUES_ERASED = 'Values of these records were erased, so this merge cannot be undone'
export const UNDO_NEWER_FIRST = 'Undo the newer merge of this record first'

/** Undo: the fellow who merged, the first finders of either record and of those merged into it, and managers. */
export const canUndo = (caller: Account, merge: { accountId: string; firstFinders: (string | null)[] }): boolean =>
  [merge.accountId, ...merge.firstFinders].some((owner) => mayChange(caller, rights.undoMerges, owner))

export function authorizeUndo(caller: Account, merge: Parameters<typeof canUndo>[1]): void {
  if (!canUndo(caller, merge)) throw refusal(rights.undoMerges)
}
