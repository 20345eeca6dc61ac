import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { DuplicateReason } from '#contract/duplicates.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { duplicatePairs, records } from '#server/db/schema.ts'
import { inBatches } from '#server/http/batches.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { getRecords } from '#server/lists/store.ts'
import type { Sort } from '#server/records/cursor.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { isAfter, lastBeforeNext, orderOf, type PageRequest } from '#server/records/paging.ts'
import type { SimilarRow } from './similar.ts'

type Pair = { a: string; b: string; score: number; reasons: DuplicateReason[] }

/** The order of `duplicate_pairs_best`. */
export const bestFirst = {
  name: 'best',
  direction: 'desc',
  columns: { score: 'number', a: 'id', b: 'id' },
} as const satisfies Sort

/** A page of the open pairs of a kind, best first, and the last one that was found for it when there is a next page. */
export async function listPairs(
  db: Database,
  kind: RecordKind,
  caller: Account,
  { limit, after }: PageRequest<typeof bestFirst>,
): Promise<{ rows: (Pair & { rows: [RecordRow, RecordRow] })[]; next: Pair | undefined }> {
  const found = await rowsOf<Pair>(
    db,
    sql`select a, b, score, reasons from ${duplicatePairs}
      join ${records} one on one.id = a and one.merged_into is null and one.deleted_at is null
      join ${records} other on other.id = b and other.merged_into is null and other.deleted_at is null
      where ${and(isOfKind(duplicatePairs.kind, kind), isNull(duplicatePairs.dismissed), isAfter(bestFirst, duplicatePairs, after))}
      order by ${sql.join(orderOf(bestFirst, duplicatePairs), sql`, `)} limit ${limit + 1}`,
  )
  const pairs = found.slice(0, limit)
  const rows = await inBatches([...new Set(pairs.flatMap(({ a, b }) => [a, b]))], (ids) =>
    getRecords(db, kind, caller, ids),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  // A record that is deleted between the two statements also loses its pairs.
  const shown = pairs.flatMap((pair): (Pair & { rows: [RecordRow, RecordRow] })[] => {
    const [one, other] = [byId.get(pair.a), byId.get(pair.b)]
    return one && other ? [{ ...pair, rows: [one, other] }] : []
  })
  return { rows: shown, next: lastBeforeNext(found, limit) }
}

/** The number of open pairs of a kind, at most `most`. In the order of the index, so that no more than those are read. */
export async function countPairs(db: Database, kind: RecordKind, most: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from (
      select from ${duplicatePairs}
      join ${records} one on one.id = a and one.merged_into is null and one.deleted_at is null
      join ${records} other on other.id = b and other.merged_into is null and other.deleted_at is null
      where ${and(isOfKind(duplicatePairs.kind, kind), isNull(duplicatePairs.dismissed))}
      order by ${sql.join(orderOf(bestFirst, duplicatePairs), sql`, `)} limit ${most}
    ) open`,
  )
  return row?.count ?? 0
}

/** Reasons that open a dismissed pair again, when they were not known before. */
const SURE: DuplicateReason[] = ['linkedin', 'email', 'domain']

/** A record, and those that look the same. */
export type Found = { id: string; others: SimilarRow[] }

/** Replaces the open pairs of records by those found now. Locks records in the order of their ids, as a merge does. */
export async function savePairs(tx: Database, kind: RecordKind, found: Found[]): Promise<void> {
  const ids = found.map(({ id }) => id)
  const involved = [...new Set([...ids, ...found.flatMap(({ others }) => others.map((other) => other.id))])]
  const locked = await tx
    .select({ id: records.id })
    .from(records)
    .where(and(inArray(records.id, involved), isOfKind(records.kind, kind)))
    .orderBy(records.id)
    .for('key share')
  const live = new Set(locked.map(({ id }) => id))
  // Two conditions, because an `or` over both columns reads no index.
  const areTheirs = sql`(a, b) in (
      select a, b from duplicate_pairs where ${inArray(duplicatePairs.a, ids)}
      union select a, b from duplicate_pairs where ${inArray(duplicatePairs.b, ids)}
    )`
  await tx.delete(duplicatePairs).where(sql`${areTheirs} and dismissed is null`)
  // An address that differs by now may become equal again.
  await tx.execute(
    sql`update ${duplicatePairs} set dismissed = array(select unnest(dismissed) intersect select unnest(equal_addresses(a, b)))
      where ${areTheirs} and dismissed <> '{}'`,
  )
  // Each of two records may find the other one.
  const pairs = new Map<string, typeof duplicatePairs.$inferInsert>()
  for (const { id, others } of found) {
    for (const { id: other, reasons, score } of others) {
      const [a, b] = [id, other].sort() as [string, string]
      if (live.has(a) && live.has(b)) pairs.set(`${a} ${b}`, { a, b, kind: kind.name, reasons, score })
    }
  }
  if (pairs.size === 0) return
  const sure = sql.join(
    SURE.map((reason) => sql`${reason}`),
    sql`, `,
  )
  await tx
    .insert(duplicatePairs)
    .values([...pairs.values()].sort((one, other) => (one.a + one.b < other.a + other.b ? -1 : 1)))
    .onConflictDoUpdate({
      target: [duplicatePairs.a, duplicatePairs.b],
      set: { reasons: sql`excluded.reasons`, score: sql`excluded.score`, dismissed: null },
      setWhere: sql`exists (
        select from unnest(excluded.reasons) reason where reason in (${sure}) and reason <> all (${duplicatePairs.dismissed})
      )`,
    })
}
