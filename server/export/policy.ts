import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { forbidden } from '#server/http/errors.ts'

/** Managers may export all records; so may everyone while there is no manager. */
export const canExportAll = async (db: Database, caller: Account): Promise<boolean> =>
  isManager(caller) || !(await hasManager(db))

export const ONLY_YOUR_OWN = 'Only a manager can export the records of others. You can export My Records.'

/** Everyone may export My Records. */
export async function authorizeExport(db: Database, caller: Account, { isMine }: { isMine: boolean }): Promise<void> {
  if (isMine || (await canExportAll(db, caller))) return
  throw forbidden(ONLY_YOUR_OWN)
}
