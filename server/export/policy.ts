import { EXPORTED_MAX } from '#contract/export.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Account } from '#server/auth/session.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { forbidden } from '#server/http/errors.ts'
import { isUnfiltered, type RecordQuery } from '#server/records/query.ts'

/** Managers may export any records; so may everyone while there is no manager. */
export const canExportAll = async (db: Database, caller: Account): Promise<boolean> =>
  isManager(caller) || !(await hasManager(db))

/** The number of records that an account may still export, of those beyond My Records. */
export const remainingAfter = (exported: number): number => Math.max(0, EXPORTED_MAX - exported)

export const ONLY_YOUR_OWN = `Only a manager can export all records. You can export My Records, and up to ${EXPORTED_MAX} records in 24 hours that a filter or a search shows.`

/** What a fellow may export while there is a manager: My Records, and some of what a filter shows. */
export function authorizeFiltered(query: RecordQuery): void {
  if (isUnfiltered(query)) throw forbidden(ONLY_YOUR_OWN)
}

/** An export of more records than remain. */
export function refuseMore(count: number, exported: number): void {
  const remaining = remainingAfter(exported)
  if (count <= remaining) return
  const shown = count > EXPORTED_MAX ? `more than ${EXPORTED_MAX}` : count
  throw forbidden(
    `You can export up to ${EXPORTED_MAX} records of others in 24 hours, and have exported ${exported}. This filter shows ${shown}.`,
  )
}
