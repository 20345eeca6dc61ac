import { hash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNull, ne, not, type Placeholder, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Role } from '#contract/auth.ts'
import type { TokenScope } from '#contract/token-scopes.ts'
import { type Actor, originOf } from '#server/audit-log/actor.ts'
import type { Device } from '#server/auth/sign-in/device-cookie.ts'
import type { Database } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accounts, sessions } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { notSignedIn } from '#server/http/errors.ts'

/** The access token of a caller. It acts with the rights of a fellow, as far as its scopes go. */
export type CallerToken = { id: string; name: string; scopes: readonly TokenScope[] }

/**
 * The caller. Rights follow `id`. The role `token` is that of an access token: a fellow, also while its owner is a manager or the
 * programme has none.
 */
export type Account = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  role: Role | 'token'
  token?: CallerToken | undefined
}

/** The caller as an actor of the audit log, with network address and request. */
export type Caller = Account & Actor

export type Session = {
  id: string
  token: string
  /** What pages know of it: the sign-in, and the account. */
  signIn: string
  publicId: string
  expiresAt: Date
  confirmedAt: Date | null
  account: Account
}

/** The origin of a request, as stored with its session. `device` is used only for counting wrong passwords. */
export type ClientInfo = { ip: string; userAgent: string; device: Device | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
    device: Device | undefined
  }
}

const USER_AGENT_MAX = 500

/** Enough for one person's browsers. Opening one more ends the least recently used session. */
const SESSIONS_PER_ACCOUNT = 50

/** A session is renewed once this share of its idle time has passed, not on every request. */
const RENEW_AFTER = 1 / 24

/** Stored as SHA-256, so a database leak exposes no usable session token. */
export const storedToken = (token: string) => `sha256:${hash('sha256', token, 'base64url')}`

const liveSession = prepared((db) =>
  db
    .select({
      id: sessions.id,
      token: sessions.token,
      signIn: sessions.signIn,
      publicId: accounts.publicId,
      expiresAt: sessions.expiresAt,
      confirmedAt: sessions.confirmedAt,
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
        // Disabling an account deletes its sessions. This check covers a session that opens at that very moment.
        isNull(accounts.disabledAt),
      ),
    )
    .prepare('live_session'),
)

/**
 * Opens a session and returns its token, which is stored nowhere. `signIn` is that of the session which it replaces. Call
 * it in a transaction, so that ending sessions above the limit and opening the new one commit together.
 */
export async function createSession(
  tx: Database,
  { idleSeconds }: Settings['session'],
  accountId: string,
  { ip, userAgent }: Omit<ClientInfo, 'device'>,
  signIn?: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const id = uuidv7()
  // One at a time per account: two that open at the same time would not count each other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sessions of ${accountId}`}, 0))`)
  await tx.insert(sessions).values({
    id,
    accountId,
    token: storedToken(token),
    ...(signIn !== undefined && { signIn }),
    expiresAt: sql`now() + make_interval(secs => ${idleSeconds})`,
    ipAddress: ip,
    confirmedAt: sql`now()`,
    userAgent: userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_MAX),
  })
  await deleteLeastRecentlyUsed(tx, accountId, id)
  return token
}

/** Deletes the account's sessions above the limit. Skips sessions that another transaction is deleting. */
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

/** The live session of a stored token, in one query without a cache. */
export async function findSession(db: Database, { absoluteSeconds }: Settings['session'], token: string) {
  const [row] = await liveSession(db).execute({ token, absoluteSeconds })
  return row satisfies Session | undefined
}

/** The sessions among these that have not expired. */
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

/** Moves the idle limit of an active session. The caller then has to send its cookie again. */
export async function renewSession(db: Database, limits: Settings['session'], session: Session): Promise<void> {
  const end = sql`now() + make_interval(secs => ${limits.idleSeconds})`
  await db.update(sessions).set({ expiresAt: end, updatedAt: sql`now()` }).where(eq(sessions.id, session.id))
}

/** The person has just proven again who they are. */
export async function confirmSession(db: Database, id: string): Promise<void> {
  await db.update(sessions).set({ confirmedAt: sql`now()` }).where(eq(sessions.id, id))
}

export async function deleteSession(db: Database, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

/** Deletes every session of an account, or all but one. A trigger ends their live streams in every process. */
export async function deleteSessions(db: Database, accountId: string, except?: string): Promise<void> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), except === undefined ? undefined : ne(sessions.id, except)))
}

/** Deletes one session of an account. False when the account has no such session. */
export async function deleteOwnSession(db: Database, accountId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

/** The live sessions of an account, most recently used first. */
export const listSessions = (db: Database, { absoluteSeconds }: Settings['session'], accountId: string) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), isLive(absoluteSeconds)))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))

/** Deletes expired sessions. */
export async function deleteOldSessions(db: Database, limits: Settings['session']): Promise<void> {
  const live = isLive(limits.absoluteSeconds)
  if (live) await db.delete(sessions).where(not(live))
}

/** The session of the caller. Throws the 401 without one. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === undefined) throw notSignedIn()
  return request.session
}

/** The account of the caller. Throws the 401 without one. */
export function callerOf(request: FastifyRequest): Caller {
  return { ...sessionOf(request).account, ...originOf(request) }
}
