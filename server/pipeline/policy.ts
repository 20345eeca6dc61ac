import { isAdvance, type Status } from '#contract/status.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { forbidden } from '#server/http/errors.ts'

// Anyone signed in may change the pipeline of any record, with the version that they saw.

export const MANAGERS_ADVANCE = 'Only a manager can set the status advanced, or take it back'

/** Whether an account may set the status advanced, and take it back: managers. While there is none, anyone. */
export const mayAdvance = async (db: Database, account: Account): Promise<boolean> =>
  isManager(account) || !(await hasManager(db))

export async function authorizeStatus(db: Database, caller: Account, from: Status, to: Status): Promise<void> {
  if (isAdvance(from, to) && !(await mayAdvance(db, caller))) throw forbidden(MANAGERS_ADVANCE)
}

export const MANAGERS_SET_UP = 'Only a manager can change the stages and the reasons for passing'

/** Stages and reasons: managers. While there is none, the operator, by the command line. */
export function authorizeSetUp(caller: Account): void {
  if (!isManager(caller)) throw forbidden(MANAGERS_SET_UP)
}
