import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { mayNot } from '#server/http/errors.ts'
import { type Ownership, rightsOf } from '#server/records/policy.ts'

/** Merge: fellows who may edit both records, and managers. */
export function authorizeMerge(caller: Account, ...both: Ownership[]): void {
  if (!both.every((record) => rightsOf(caller, record).edit)) {
    throw mayNot('Only fellows who may edit both records can merge them')
  }
}

/** Undo: the fellow who merged, the first finder of either record, and managers. */
export function authorizeUndo(caller: Account, merge: { accountId: string }, firstFinders: (string | null)[]): void {
  if (merge.accountId !== caller.id && !firstFinders.includes(caller.id) && !isManager(caller)) {
    throw mayNot('Only the fellow who merged these records and their first finders can undo this')
  }
}
