import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { hashOf } from '#server/auth/links/one-time-tokens.ts'
import type { Database } from '#server/db/database.ts'
import { invitations } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'

// A link that lets one account be created. Only its hash is stored.

const INVITATION_SECONDS = 14 * 86_400

export type Invitation = { id: string }

/** With its token, which is stored nowhere. */
export type NewInvitation = Invitation & { token: string; expiresAt: Date }

/** The page takes the token from behind `#`, which browsers never send to a server. */
export const invitationLink = ({ address }: Settings, token: string): string => `${address}/auth#invitation=${token}`

/** Without an address it is valid for any address that may join. */
export async function createInvitation(db: Database, by: string | undefined, email?: string): Promise<NewInvitation> {
  const id = uuidv7()
  const token = randomBytes(32).toString('base64url')
  const expiresAt = sql`now() + make_interval(secs => ${INVITATION_SECONDS})`
  const [row] = await db
    .insert(invitations)
    .values({ id, hash: hashOf(token), email: email?.toLowerCase(), expiresAt, createdBy: by })
    .returning({ expiresAt: invitations.expiresAt })
  if (row === undefined) throw new Error('An insert returned no row')
  return { id, token, ...row }
}

/** True while an invitation is valid. */
export const holds = gt(invitations.expiresAt, sql`now()`)

/** The invitation of a token, if it is valid for this address. */
export async function findInvitation(
  db: Database,
  email: string,
  token: string | undefined,
): Promise<Invitation | undefined> {
  if (token === undefined) return undefined
  const isForAddress = or(isNull(invitations.email), eq(invitations.email, email.toLowerCase()))
  const [row] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.hash, hashOf(token)), isForAddress, holds))
  return row
}

/** False when it was used or has expired in the meantime: of many sign-ups at the same time, one succeeds. */
export async function spendInvitation(tx: Database, { id }: Invitation): Promise<boolean> {
  const spent = await tx
    .delete(invitations)
    .where(and(eq(invitations.id, id), holds))
    .returning({ id: invitations.id })
  return spent.length > 0
}

/** False when there is none, or it was used. */
export async function deleteInvitation(tx: Database, id: string): Promise<boolean> {
  const deleted = await tx.delete(invitations).where(eq(invitations.id, id)).returning({ id: invitations.id })
  return deleted.length > 0
}

/** The ids of those to an address, in any case, which end. Until the transaction ends, no other one invites it. */
export async function replaceInvitations(tx: Database, email: string): Promise<string[]> {
  const to = email.toLowerCase()
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invitation to ${to}`}, 0))`)
  const deleted = await tx.delete(invitations).where(eq(invitations.email, to)).returning({ id: invitations.id })
  return deleted.map(({ id }) => id)
}

/** Those of a manager end with the right to make them. */
export const deleteInvitationsOf = async (tx: Database, accountId: string): Promise<void> =>
  void (await tx.delete(invitations).where(eq(invitations.createdBy, accountId)))

export async function deleteOldInvitations(db: Database): Promise<void> {
  await db.delete(invitations).where(lte(invitations.expiresAt, sql`now()`))
}
