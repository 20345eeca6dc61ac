import { and, between, eq, sql } from 'drizzle-orm'
import type { ImportLookUps } from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import type { KindName } from '#contract/kinds.ts'
import type { Actor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { importLookUps, importRows } from '#server/db/schema.ts'
import type { Enrichment } from '#server/enrichment/enrichment.ts'
import { findImport, type ImportRecord } from '#server/import/store/store.ts'
import { rest, type Step } from './step.ts'

// An import looks nothing up. A person may request it afterwards, once: a job then queues a run for each record.

const ROWS_AT_ONCE = 200

/** The records that an import has created and that can be looked up, in batches. */
async function* eachToLookUp(
  db: Database,
  enrichment: Enrichment,
  kind: KindName,
  { id, lastRow }: ImportRecord,
): AsyncGenerator<string[]> {
  for (let from = 0; from <= lastRow; from += ROWS_AT_ONCE) {
    const some = between(importRows.row, from, from + ROWS_AT_ONCE - 1)
    const rows = await db
      .select({ outcome: importRows.outcome, recordId: importRows.recordId })
      .from(importRows)
      .where(and(eq(importRows.importId, id), some))
    yield await enrichment.listNotLookedUp(
      kind,
      rows.flatMap(({ outcome, recordId }) => (outcome === 'created' && recordId !== null ? [recordId] : [])),
    )
  }
}

export async function getLookUps(db: Database, enrichment: Enrichment, record: ImportRecord): Promise<ImportLookUps> {
  const [asked] = await db.select().from(importLookUps).where(eq(importLookUps.importId, record.id))
  const hasRecords = recordKindOf(record) !== undefined && isOver(record)
  const count = enrichment.hasProviders && hasRecords ? (record.counts.created ?? 0) : 0
  return { count, askedAt: asked?.askedAt.toISOString() ?? null }
}

/** The kind of the records that it creates, if any. */
export const recordKindOf = ({ kind }: Pick<ImportRecord, 'kind'>): KindName | undefined =>
  importKindNamed(kind).recordKind

/** Whether it has created its records. An import that failed has created some. */
export const isOver = ({ state, startedAt }: ImportRecord) =>
  state === 'done' || state === 'cancelled' || (state === 'failed' && startedAt !== null)

type Queueing = Pick<Step, 'db' | 'pace' | 'signal' | 'end'> & { enrichment: Enrichment }

/**
 * Queues the runs. Starts with the first record each time: skips records that have been looked up since, and does not
 * queue a record twice.
 */
export async function queueRuns(
  { db, enrichment, pace, signal, end }: Queueing,
  importId: string,
  by: Actor,
): Promise<void> {
  const record = await findImport(db, importId)
  const kind = record && recordKindOf(record)
  if (record !== undefined && kind !== undefined && isOver(record)) {
    let began = performance.now()
    for await (const ids of eachToLookUp(db, enrichment, kind, record)) {
      signal.throwIfAborted()
      await enrichment.queueLookUps(kind, ids, by)
      await rest(pace, performance.now() - began)
      began = performance.now()
    }
  }
  await db.transaction(async (tx) => {
    await tx.update(importLookUps).set({ queuedAt: sql`now()` }).where(eq(importLookUps.importId, importId))
    await end(tx)
  })
}
