import { createHash } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { callerOf } from '#server/auth/session.ts'
import { type Database, sqlState } from '#server/db/database.ts'
import { madeOnce } from '#server/db/schema.ts'
import { keyUsedOtherwise } from '#server/errors.ts'

// Making something once, however often it is asked for: the key of a request is kept by the very statement that makes
// what was asked for, so that neither is ever there without the other, and a request with a key costs no further one.

/** What `claim_once` in the migrations throws. */
const KEY_IS_TAKEN = 'PS001'

/** The key of a request, whose it is, and what was asked for by it; undefined for a request without one. */
export type Once = { accountId: string; key: string; fingerprint: string } | undefined

export function onceOf(request: FastifyRequest): Once {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  const asked = JSON.stringify([request.routeOptions.url, request.params, request.body])
  return { accountId: callerOf(request).id, key, fingerprint: createHash('sha256').update(asked).digest('hex') }
}

/** The id of a new row, which with a key also claims that key. */
export function newId(once: Once): string | SQL<string> {
  const id = uuidv7()
  if (once === undefined) return id
  return sql<string>`claim_once(${once.accountId}, ${once.key}, ${once.fingerprint}, ${id})`
}

/** What `make` makes with `newId(once)`; when that was made before, what `get` finds of it. Throws the 422 of a key used otherwise. */
export async function orMadeBefore<Made, Found>(
  db: Database,
  once: Once,
  make: () => Promise<Made>,
  get: (id: string) => Promise<Found>,
): Promise<Made | Found> {
  try {
    return await make()
  } catch (error) {
    if (once === undefined || sqlState(error) !== KEY_IS_TAKEN) throw error
    const [before] = await db
      .select({ id: madeOnce.madeId, fingerprint: madeOnce.fingerprint })
      .from(madeOnce)
      .where(and(eq(madeOnce.accountId, once.accountId), eq(madeOnce.key, once.key)))
    if (before === undefined) throw error
    if (before.fingerprint !== once.fingerprint) throw keyUsedOtherwise()
    return get(before.id)
  }
}

/** Forgets keys after a day. */
export async function forgetOldKeys(db: Database): Promise<void> {
  await db.delete(madeOnce).where(sql`${madeOnce.madeAt} < now() - interval '24 hours'`)
}
