import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { oneTimeTokens } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'

// Tokens that work once. Stored as SHA-256, so a database leak exposes no usable token.

/**
 * `verify` and `reset` are sent by mail, `operator_reset` is printed by the operator, `two_factor` is half a sign-in,
 * `sign_up` is a cookie of the browser that created the account, `address` gives an account another address.
 */
export type Purpose = 'verify' | 'reset' | 'operator_reset' | 'two_factor' | 'sign_up' | 'address'

export const VERIFY_SECONDS = 86_400
export const SIGN_UP_SECONDS = 86_400
export const RESET_SECONDS = 3600
export const ADDRESS_SECONDS = 86_400
/** The link is passed on by hand. */
export const OPERATOR_RESET_SECONDS = 86_400
export const TWO_FACTOR_SECONDS = 300

export const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

const isGood = (purposes: Purpose[], token: string) =>
  and(
    eq(oneTimeTokens.hash, hashOf(token)),
    inArray(oneTimeTokens.purpose, purposes),
    gt(oneTimeTokens.expiresAt, sql`now()`),
  )

const found = { accountId: oneTimeTokens.accountId, purpose: oneTimeTokens.purpose, email: oneTimeTokens.email }

/** `email` is the new address of an `address` token. */
export async function createToken(
  db: Database,
  purpose: Purpose,
  accountId: string,
  seconds: number,
  email?: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = sql`now() + make_interval(secs => ${seconds})`
  await db.insert(oneTimeTokens).values({ hash: hashOf(token), purpose, accountId, expiresAt, email })
  return token
}

type LinkPage = '/auth/verify' | '/auth/reset' | '/auth/address'

/** A link with a token. The token is in the fragment, which browsers do not send, so no server log contains it. */
export const linkTo = ({ address }: Settings, page: LinkPage, token: string): string =>
  `${address}${page}#token=${token}`

/** Finds the account of a token without using the token up. */
export async function findToken(db: Database, purposes: Purpose[], token: string) {
  const [row] = await db.select(found).from(oneTimeTokens).where(isGood(purposes, token))
  return row
}

/** Uses a token up. Of many attempts at the same time, one succeeds. */
export async function takeToken(db: Database, purposes: Purpose[], token: string) {
  const [row] = await db.delete(oneTimeTokens).where(isGood(purposes, token)).returning(found)
  return row
}

/** Deletes the tokens of an account: all of them, or those for the given purposes. */
export async function deleteTokens(db: Database, accountId: string, purposes?: Purpose[]): Promise<void> {
  const isMeant = purposes && inArray(oneTimeTokens.purpose, purposes)
  await db.delete(oneTimeTokens).where(and(eq(oneTimeTokens.accountId, accountId), isMeant))
}

export async function deleteOldTokens(db: Database): Promise<void> {
  await db.delete(oneTimeTokens).where(lte(oneTimeTokens.expiresAt, sql`now()`))
}
