import { isAdvance, type Status } from '#contract/status.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { refusal, rights } from '#server/rights.ts'

// Anyone signed in may change the pipeline of any record, with the version that they saw.

/** Whether an account may set the status advanced, and take it back. */
export const mayAdvance = async (db: Database, account: Account): Promise<boolean> =>
  rights.advance.allows(account, await hasManager(db))

export async function authorizeStatus(db: Database, caller: Account, from: Status, to: Status): Promise<void> {
  if (isAdvance(from, to) && !(await mayAdvance(db, caller))) throw refusal(rights.advance)
}
