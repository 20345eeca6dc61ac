import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { NetworkOrigin } from '#server/audit-log/actor.ts'
import { countOrRefuse, signUpsFrom } from '#server/auth/sign-in/throttle.ts'
import { reclaimUnverifiedAccount } from '#server/auth/sign-up/reclaim.ts'
import type { Database } from '#server/db/database.ts'
import { credentials } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import type { SsoIssuer } from '#server/env-sso.ts'
import { createAccount, findAccount, getAccount, type KnownAccount, lockAccount } from '../store.ts'

/** A person as an issuer identifies them: the subject never changes, and the address is verified. */
type Identity = { id: SsoIssuer['id']; issuer: string; subject: string; email: string; name: string }

const wayOf = ({ id, issuer, subject }: Pick<Identity, 'id' | 'issuer' | 'subject'>) => {
  // Includes the issuer: a different issuer configured later may use the same subjects.
  const ofIssuer = `${issuer} `
  return { ofIssuer, way: { provider: id, providerAccount: ofIssuer + subject } }
}

/** Whether an identity is linked to this account. */
export async function isLinkedTo(
  db: Database,
  accountId: string,
  identity: Pick<Identity, 'id' | 'issuer' | 'subject'>,
): Promise<boolean> {
  const { provider, providerAccount } = wayOf(identity).way
  const isWay = and(eq(credentials.provider, provider), eq(credentials.providerAccount, providerAccount))
  return (await db.$count(credentials, and(eq(credentials.accountId, accountId), isWay))) > 0
}

/**
 * The account of an identity: the one it signed in to before, else the one with its address, else a new one. Undefined
 * when another identity of the same issuer is linked to that account, because an address can pass to another person.
 */
export function accountOf(
  db: Database,
  settings: Settings,
  identity: Identity,
  from: NetworkOrigin,
): Promise<KnownAccount | undefined> {
  const { ofIssuer, way } = wayOf(identity)
  return db.transaction(async (tx) => {
    const [known] = await tx
      .select({ accountId: credentials.accountId })
      .from(credentials)
      .where(and(eq(credentials.provider, way.provider), eq(credentials.providerAccount, way.providerAccount)))
    const before = known && (await getAccount(tx, known.accountId))
    if (before !== undefined) return before

    const { email, name } = identity
    const signUp = async () => {
      await countOrRefuse(tx, signUpsFrom(settings.throttle, from.ip))
      return createAccount(tx, settings, { email, name, emailVerified: true }, from)
    }
    const found = await findAccount(tx, email)
    // Locked, so that of two identities at the same time the second sees the first one's link.
    const account = (found && (await lockAccount(tx, found.id, 'change'))) ?? (await signUp())
    if (account.disabledAt !== null) return account
    const ofAccount = and(eq(credentials.accountId, account.id), eq(credentials.provider, way.provider))
    const isLinked = await tx.$count(
      credentials,
      and(ofAccount, sql`starts_with(${credentials.providerAccount}, ${ofIssuer})`),
    )
    if (isLinked > 0) return undefined
    const entered = account.emailVerified ? account : await reclaimUnverifiedAccount(tx, account, from)
    await tx.insert(credentials).values({ id: uuidv7(), accountId: account.id, ...way })
    return entered
  })
}
