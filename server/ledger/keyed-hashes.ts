import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { doNotKeep } from '#server/db/schema.ts'
import type { KeyedHashes } from './lines.ts'
import { insertLines, listKeys } from './store.ts'

// Hashes of addresses that must not come back, under a key that is made once and kept with them.

const KEY_BYTES = 32

/** Hashes texts under the oldest key, which the first call makes. Part of a transaction. */
export async function hashUnderKey(tx: Database, texts: string[]): Promise<KeyedHashes> {
  const key = await keyOf(tx)
  const rows = await rowsOf<{ hash: string }>(
    tx,
    sql`select hash from keyed_hashes(${sql.param(texts)}::text[]) where key_id = ${key} order by hash`,
  )
  return { key, hashes: rows.map(({ hash }) => hash) }
}

/** Of two that make the first key at the same time, one waits for the other. */
async function keyOf(tx: Database): Promise<string> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('key of the ledger', 0))`)
  const [known] = await listKeys(tx)
  if (known !== undefined) return known.id
  const id = randomUUID()
  const key = randomBytes(KEY_BYTES).toString('hex')
  await insertLines(tx, [{ id, at: new Date().toISOString(), kind: 'key', key }])
  return id
}

/** Adds the addresses of an erasure to those that are not kept. */
export async function insertHashes(tx: Database, erasureId: string, { hashes }: KeyedHashes): Promise<void> {
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => ({ hash, erasureId }))
  await tx.insert(doNotKeep).values(rows).onConflictDoNothing()
}
