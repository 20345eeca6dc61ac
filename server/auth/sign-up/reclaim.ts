import { eq } from 'drizzle-orm'
import type { Origin } from '#server/audit-log/actor.ts'
import { deleteTokens } from '#server/auth/links/one-time-tokens.ts'
import { deleteSessions } from '#server/auth/sessions/session.ts'
import { type KnownAccount, markVerified, setName } from '#server/auth/store.ts'
import { deleteTwoFactor } from '#server/auth/two-factor/store.ts'
import type { Database } from '#server/db/database.ts'
import { credentials } from '#server/db/schema.ts'

/**
 * The owner of the address takes over an account that a stranger may have created. Deletes everything by which the
 * stranger could still sign in: password, linked single sign-on, second factor with its recovery codes, links and
 * sessions. The stranger's name goes too. The caller has locked the account, and sets the owner's credential in the same
 * transaction.
 */
export async function reclaimUnverifiedAccount(
  tx: Database,
  account: KnownAccount,
  from: Origin,
): Promise<KnownAccount> {
  await tx.delete(credentials).where(eq(credentials.accountId, account.id))
  await deleteTwoFactor(tx, account.id)
  await deleteTokens(tx, account.id)
  await deleteSessions(tx, account.id)
  await markVerified(tx, account.id)
  const name = account.email.slice(0, account.email.indexOf('@'))
  await setName(tx, account, name, { id: account.id, email: account.email, ...from })
  return { ...account, name, emailVerified: true, passwordHash: null, hasTwoFactor: false }
}
