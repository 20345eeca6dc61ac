import { authSecret } from '#server/auth/sessions/secret.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { type CohortKind, cohortValue } from '#server/lists/cohorts/cohort.ts'

/** The value of a cohort that an account would get with a number, also one that no call gives. */
export const signCohort = async (
  db: Database,
  caller: Pick<Account, 'id'>,
  kind: Pick<CohortKind<never>, 'name' | 'isShared'>,
  ...params: unknown[]
): Promise<string> =>
  cohortValue({ secret: await authSecret(db, undefined), caller }, kind as CohortKind<unknown[]>, ...params)
