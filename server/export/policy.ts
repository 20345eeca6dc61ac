import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { mayNot } from '#server/http/errors.ts'

/** Everyone may export My Records. Managers may export all records; so may everyone while there is no manager. */
export async function authorizeExport(db: Database, caller: Account, { isMine }: { isMine: boolean }): Promise<void> {
  if (isMine || isManager(caller) || !(await hasManager(db))) return
  throw mayNot('Only a manager can export the records of others. You can export My Records.')
}
