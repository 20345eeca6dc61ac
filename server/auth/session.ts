import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, inArray, not, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { accounts, sessions } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { notSignedIn } from '#server/errors.ts'
import { storedToken } from './hashed-tokens.ts'

/** Who is asking. Rights follow `id`. */
export type Account = { id: string; name: string; email: string; emailVerified: boolean }

export type Session = { id: string; token: string; expiresAt: Date; account: Account }

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined
  }
}

/** A session is renewed when this share of its idle time has passed, not on every request. */
const RENEW_AFTER = 1 / 24

/** The token in a signed session cookie, or undefined when the signature is not ours. */
export function tokenOf(cookie: string | undefined, secret: string): string | undefined {
  const dot = cookie?.lastIndexOf('.') ?? -1
  if (cookie === undefined || dot < 1) return undefined
  const token = cookie.slice(0, dot)
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(cookie.slice(dot + 1), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined
}

/** The live session of a token, in one query; nothing remembers it in between. `token` in the answer is the stored form. */
export async function findSession(db: Database, limits: Settings['session'], token: string) {
  const [row] = await db
    .select({
      id: sessions.id,
      token: sessions.token,
      expiresAt: sessions.expiresAt,
      account: {
        id: accounts.id,
        name: accounts.name,
        email: accounts.email,
        emailVerified: accounts.emailVerified,
      },
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.token, storedToken(token)), isLive(limits)))
  return row satisfies Session | undefined
}

/** Which of these sessions have not run out. */
export async function findLiveSessions(db: Database, limits: Settings['session'], ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inArray(sessions.id, ids), isLive(limits)))
  return new Set(rows.map(({ id }) => id))
}

const isLive = (limits: Settings['session']) =>
  and(
    gt(sessions.expiresAt, sql`now()`),
    gt(sessions.createdAt, sql`now() - make_interval(secs => ${limits.absoluteSeconds})`),
  )

/** Moves the idle limit of a session that is in use. True when it did: its cookie then has to be set anew. */
export async function renewSession(db: Database, limits: Settings['session'], session: Session): Promise<boolean> {
  const left = session.expiresAt.getTime() - Date.now()
  if (left > limits.idleSeconds * 1000 * (1 - RENEW_AFTER)) return false
  const end = sql`now() + make_interval(secs => ${limits.idleSeconds})`
  await db.update(sessions).set({ expiresAt: end, updatedAt: sql`now()` }).where(eq(sessions.id, session.id))
  return true
}

export async function endSession(db: Database, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id))
}

/** Deletes sessions that have run out. */
export async function forgetOldSessions(db: Database, limits: Settings['session']): Promise<void> {
  const live = isLive(limits)
  if (live) await db.delete(sessions).where(not(live))
}

/** The account that asks; throws the 401 when nobody is signed in. */
export function callerOf(request: FastifyRequest): Account {
  if (request.session === undefined) throw notSignedIn()
  return request.session.account
}
