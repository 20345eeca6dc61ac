import { and, eq, sql } from 'drizzle-orm'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { duplicateChecks, type Facts, records } from '#server/db/schema.ts'
import type { Log } from '#server/log.ts'
import { infoOf } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { savePairs } from './pairs.ts'
import { findSimilar } from './similar.ts'

// A change of a name or an address queues its record in `duplicate_checks`. Each process compares queued records with all
// others, a few at a time, so that the review screen reads pairs that were found before.

const EVERY_MS = 2_000
/** Between two batches while records are waiting. */
const PAUSE_MS = 50
/** The embedded database answers nothing else during a statement. */
const BATCH = { shared: 100, embedded: 20 }
/** Pairs of one record. */
const PAIRS_MAX = 10

type Queued = Facts & { id: string; kind: string; changeId: string }

/** Compares the next queued records with all others. Returns how many there were. */
export async function checkNext(db: Database, kinds: readonly RecordKind[], batch: number): Promise<number> {
  const queued = await rowsOf<Queued>(
    db,
    sql`select id, kind, change_id as "changeId", name, linked_in as "linkedIn", website, additional_info as info
      from (select * from ${duplicateChecks} limit ${batch}) queued join ${records} on id = record_id`,
  )
  // A merged record has pairs again when its merge is undone, which queues it.
  const merged = queued.filter((row) => !kinds.some(({ name }) => name === row.kind))
  for (const row of merged) await endCheck(db, row)
  for (const kind of kinds) {
    const rows = queued.filter((row) => row.kind === kind.name)
    if (rows.length === 0) continue
    const wanted = rows.map(({ info, ...row }) => kind.matching.wanted({ ...infoOf(info), ...row } as Facts))
    // The record itself is among the records like it.
    const similar = await findSimilar(db, kind, wanted, PAIRS_MAX + 1)
    for (const [index, row] of rows.entries()) {
      const others = (similar[index] ?? []).filter(({ id }) => id !== row.id)
      await db.transaction(async (tx) => {
        await savePairs(tx, kind, row.id, others)
        await endCheck(tx, row)
      })
    }
  }
  return queued.length
}

/** A record that was queued again since stays queued. */
const endCheck = (db: Database, { id, changeId }: Queued) =>
  db.delete(duplicateChecks).where(and(eq(duplicateChecks.recordId, id), eq(duplicateChecks.changeId, changeId)))

/** Checks what is queued, from its start until it is stopped. A failed batch stays queued. */
export function createDuplicateChecks(database: OpenDatabase, kinds: readonly RecordKind[], log: Log) {
  const batch = database.isShared ? BATCH.shared : BATCH.embedded
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  const next = (ms: number) => {
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
    }, ms).unref()
  }
  const run = async () => {
    try {
      next((await checkNext(database.db, kinds, batch)) === batch ? PAUSE_MS : EVERY_MS)
    } catch (error) {
      log.warn({ err: error }, 'Records could not be compared; the next run tries again')
      next(EVERY_MS)
    }
  }
  return {
    start: () => next(EVERY_MS),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
