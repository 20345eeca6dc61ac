import { hash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNull, ne, not, type Placeholder, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { type Actor, originOf } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, sessions } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { notSignedIn } from '#server/http/errors.ts'
import type { Device } from './device-cookie.ts'

/** Who is asking. Rights follow `id`. */
export type Account = { id: string; name: string; email: string; emailVerified: boolean; role: 'fellow' | 'manager' }

/** An account that acts, with where from and by which request, for history. */
export type Caller = Account & Actor

export type Session = { id: string; token: string; expiresAt: Date; account: Account }

/** Where a request comes from, as kept with its session; `device` is for counting wrong passwords only. */
export type ClientInfo = { ip: string; userAgent: string; device: Device | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
    device: Device | undefined
  }
}

const USER_AGENT_MAX = 500

/** More than one person has browsers; a further session ends the one that was used least recently. */
const SESSIONS_PER_ACCOUNT = 50

/** A session is renewed when this share of its idle time has passed, not on every request. */
const RENEW_AFTER = 1 / 24

/** A token as it is stored: who reads the database cannot sign in with what is there. */
export const storedToken = (token: string) => `sha256:${hash('sha256', token, 'base64url')}`

const liveSession = prepared((db) =>
  db
    .select({
      id: sessions.id,
      token: sessions.token,
      expiresAt: sessions.expiresAt,
      account: {
        id: accounts.id,
        name: accounts.name,
        email: accounts.email,
        emailVerified: accounts.emailVerified,
        role: accounts.role,
      },
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(
      and(
        eq(sessions.token, sql.placeholder('token')),
        isLive(sql.placeholder('absoluteSeconds')),
        // The sessions of a disabled account are deleted with it; one that opened at that very moment is not.
        isNull(accounts.disabledAt),
      ),
    )
    .prepare('live_session'),
)

/**
 * Opens a session and returns its token, which is stored nowhere. To be called in a transaction: what it ends beyond the limit,
 * it ends together with what opens it.
 */
export async function createSession(
  tx: Database,
  { idleSeconds }: Settings['session'],
  accountId: string,
  { ip, userAgent }: Omit<ClientInfo, 'device'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const id = uuidv7()
  // One at a time an account: two that open at once would not count each other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sessions of ${accountId}`}, 0))`)
  await tx.insert(sessions).values({
    id,
    accountId,
    token: storedToken(token),
    expiresAt: sql`now() + make_interval(secs => ${idleSeconds})`,
    ipAddress: ip,
    userAgent: userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_MAX),
  })
  await deleteLeastRecentlyUsed(tx, accountId, id)
  return token
}

/** Ends what an account has beyond its limit. Sessions that another transaction is ending are left to it. */
async function deleteLeastRecentlyUsed(tx: Database, accountId: string, opened: string): Promise<void> {
  const surplus = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), ne(sessions.id, opened)))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))
    .offset(SESSIONS_PER_ACCOUNT - 1)
    .for('update', { skipLocked: true })
  await tx.delete(sessions).where(inArray(sessions.id, surplus))
}

/** The live session of a stored token, in one query; nothing remembers it in between. */
export async function findSession(db: Database, { absoluteSeconds }: Settings['session'], token: string) {
  const [row] = await liveSession(db).execute({ token, absoluteSeconds })
  return row satisfies Session | undefined
}

/** Which of these sessions have not run out. */
export async function findLiveSessions(db: Database, limits: Settings['session'], ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(inArray(sessions.id, ids), isLive(limits.absoluteSeconds), isNull(accounts.disabledAt)))
  return new Set(rows.map(({ id }) => id))
}

const isLive = (absoluteSeconds: number | Placeholder) =>
  and(
    gt(sessions.expiresAt, sql`now()`),
    gt(sessions.createdAt, sql`now() - make_interval(secs => ${absoluteSeconds})`),
  )

export const isToBeRenewed = ({ idleSeconds }: Settings['session'], { expiresAt }: Session): boolean =>
  expiresAt.getTime() - Date.now() <= idleSeconds * 1000 * (1 - RENEW_AFTER)

/** Moves the idle limit of a session that is in use. Its cookie then has to be set anew. */
export async function renewSession(db: Database, limits: Settings['session'], session: Session): Promise<void> {
  const end = sql`now() + make_interval(secs => ${limits.idleSeconds})`
  await db.update(sessions).set({ expiresAt: end, updatedAt: sql`now()` }).where(eq(sessions.id, session.id))
}

export async function deleteSession(db: Database, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

/** Ends every session of an account, or all but one; a trigger ends their live streams, in every process. */
export async function deleteSessions(db: Database, accountId: string, except?: string): Promise<void> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), except === undefined ? undefined : ne(sessions.id, except)))
}

/** Ends one session of an account. False when it has none such. */
export async function deleteOwnSession(db: Database, accountId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/** The live sessions of an account, the one used last first. */
export const listSessions = (db: Database, { absoluteSeconds }: Settings['session'], accountId: string) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), isLive(absoluteSeconds)))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))

/** Deletes sessions that have run out. */
export async function deleteOldSessions(db: Database, limits: Settings['session']): Promise<void> {
  const live = isLive(limits.absoluteSeconds)
  if (live) await db.delete(sessions).where(not(live))
}

/** The session that asks; throws the 401 when nobody is signed in. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === undefined) throw notSignedIn()
  return request.session
}

/** The account that asks; throws the 401 when nobody is signed in. */
export function callerOf(request: FastifyRequest): Caller {
  return { ...sessionOf(request).account, ...originOf(request) }
}
