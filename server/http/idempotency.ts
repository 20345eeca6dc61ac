import { createHash } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { type Database, rowsOf } from '#server/db/database.ts'
import { idempotencyKeys } from '#server/db/schema.ts'
import { sqlState } from '#server/sql-state.ts'
import { AppError, keyUsedOtherwise } from './errors.ts'

// The statement that inserts a new row also stores the key of the request, so that both commit together.

/** The error code of `claim_idempotency_key` in the migrations. */
const KEY_IS_TAKEN = 'PS001'

/** The key of a request, its account, and a fingerprint of the request; undefined for a request without a key. */
export type IdempotencyKey = { accountId: string; key: string; fingerprint: string } | undefined

/** `content` is what identifies the request besides its address. */
export function idempotencyKeyOf(
  request: FastifyRequest,
  accountId: string,
  content: unknown = request.body,
): IdempotencyKey {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  const asked = JSON.stringify([request.routeOptions.url, request.params, content])
  return { accountId, key, fingerprint: createHash('sha256').update(asked).digest('hex') }
}

/** The id of a new row. With a key, the expression also claims that key. */
export function newId(key: IdempotencyKey, id = uuidv7()): string | SQL<string> {
  if (key === undefined) return id
  return sql<string>`claim_idempotency_key(${key.accountId}, ${key.key}, ${key.fingerprint}, ${id})`
}

/**
 * The same id for a transaction that inserts more than one row. Claims the key, until the transaction ends otherwise.
 */
export async function claimId(tx: Database, key: IdempotencyKey, given = uuidv7()): Promise<string> {
  const id = newId(key, given)
  if (typeof id === 'string') return id
  const [row] = await rowsOf<{ id: string }>(tx, sql`select ${id} as id`)
  return (row as { id: string }).id
}

/**
 * Returns what `make` inserts with `newId(key)`. When an earlier request with this key inserted it, returns what `get`
 * finds, also where `make` is refused because of that. Throws the 422 for a key that was used with different content.
 */
export async function withIdempotency<Made, Found>(
  db: Database,
  key: IdempotencyKey,
  make: () => Promise<Made>,
  get: (id: string) => Promise<Found>,
): Promise<Made | Found> {
  try {
    return await make()
  } catch (error) {
    if (key === undefined || !(error instanceof AppError || sqlState(error) === KEY_IS_TAKEN)) throw error
    const [before] = await db
      .select({ id: idempotencyKeys.madeId, fingerprint: idempotencyKeys.fingerprint })
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.accountId, key.accountId),
          eq(idempotencyKeys.key, key.key),
          sql`${idempotencyKeys.madeAt} >= now() - interval '24 hours'`,
        ),
      )
    if (before === undefined) throw error
    if (before.fingerprint !== key.fingerprint) throw keyUsedOtherwise()
    return get(before.id)
  }
}

/** Deletes keys after a day. */
export async function deleteOldKeys(db: Database): Promise<void> {
  await db.delete(idempotencyKeys).where(sql`${idempotencyKeys.madeAt} < now() - interval '24 hours'`)
}
