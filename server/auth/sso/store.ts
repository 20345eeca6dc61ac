import { and, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '#server/db/database.ts'
import { credentials } from '#server/db/schema.ts'
import type { From } from '#server/history/acting.ts'
import { forgetTokens } from '../one-time-tokens.ts'
import { endSessions } from '../session.ts'
import {
  createAccount,
  dropPassword,
  findAccount,
  getAccount,
  holdAccount,
  type KnownAccount,
  markVerified,
} from '../store.ts'
import { dropTwoFactor } from '../two-factor/store.ts'
import type { SsoIssuer } from './settings.ts'

/** Somebody as an issuer vouches for them: the subject is theirs for ever, the address is proven. */
export type Identity = { id: SsoIssuer['id']; issuer: string; subject: string; email: string; name: string }

/** The account of an identity: the one that it came by before, else the one with its address, else a new one. */
export function accountOf(db: Database, teamDomain: string, identity: Identity, from: From): Promise<KnownAccount> {
  // With the issuer, since another one that is set up in its place may use the same subjects.
  const way = { provider: identity.id, providerAccount: `${identity.issuer} ${identity.subject}` }
  return db.transaction(async (tx) => {
    const [known] = await tx
      .select({ accountId: credentials.accountId })
      .from(credentials)
      .where(and(eq(credentials.provider, way.provider), eq(credentials.providerAccount, way.providerAccount)))
    const before = known && (await getAccount(tx, known.accountId))
    if (before !== undefined) return before

    const { email, name } = identity
    const account =
      (await findAccount(tx, email)) ??
      (await createAccount(tx, teamDomain, { email, name, emailVerified: true }, from))
    if (account.disabledAt !== null) return account
    await tx.insert(credentials).values({ id: uuidv7(), accountId: account.id, ...way })
    return account.emailVerified ? account : takeFromStranger(tx, account)
  })
}

/**
 * Whoever made this account never proved its address, and its owner now has. What the other may have left behind to come
 * back by goes: password, second factor, links and sessions.
 */
async function takeFromStranger(tx: Database, account: KnownAccount): Promise<KnownAccount> {
  await holdAccount(tx, account.id, 'change')
  await dropPassword(tx, account.id)
  await dropTwoFactor(tx, account.id)
  await forgetTokens(tx, account.id)
  await endSessions(tx, account.id)
  await markVerified(tx, account.id)
  return { ...account, emailVerified: true, passwordHash: null, hasTwoFactor: false }
}
