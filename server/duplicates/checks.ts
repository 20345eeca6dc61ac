import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { duplicateChecks, type Facts, records } from '#server/db/schema.ts'
import type { Log } from '#server/log.ts'
import { infoOf } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { wantedOf } from './identity.ts'
import { savePairs } from './pairs.ts'
import { findSimilar } from './similar.ts'

// A change of a name or an address queues its record in `duplicate_checks`. Each process compares queued records with
// all others, a few at a time, so that the review screen reads pairs that were found before. The changes of fellows come
// before those of imports.

const EVERY_MS = 2_000
/** A batch blocks other work of this process and of the database, so it is small. */
const BATCH = 10
/** The pause between batches, as a multiple of the duration of a batch. Gives an import priority. */
const PAUSE = 4
/** On a busy machine too, a fellow's own change does not wait longer. */
const PAUSE_MAX_MS = 2_000
/** The maximum number of pairs of one record. */
const PAIRS_MAX = 10

type Queued = Facts & { id: string; kind: string; changeId: string }

/** Compares the next queued records with all others. Returns the number of records compared. */
export async function checkNext(db: Database, kinds: readonly RecordKind[], batch = BATCH): Promise<number> {
  const queued = await rowsOf<Queued>(
    db,
    sql`select id, kind, change_id as "changeId", name, linked_in as "linkedIn", website, additional_info as info
      from (select * from ${duplicateChecks} order by priority desc, record_id limit ${batch}) queued join ${records} on id = record_id`,
  )
  for (const kind of kinds) {
    const rows = queued.filter((row) => row.kind === kind.name)
    if (rows.length === 0) continue
    const wanted = rows.map(({ info, ...row }) => wantedOf({ ...infoOf(info), ...row }))
    // The record also matches itself.
    const similar = await findSimilar(db, kind, wanted, { max: PAIRS_MAX + 1 })
    const found = rows.map(({ id }, index) => ({
      id,
      others: (similar[index] ?? []).filter((other) => other.id !== id),
    }))
    await db.transaction(async (tx) => {
      await savePairs(tx, kind, found)
      await endChecks(tx, rows)
    })
  }
  // A merged or deleted record has pairs again when it comes back, which queues it.
  await endChecks(
    db,
    queued.filter((row) => !kinds.some(({ name }) => name === row.kind)),
  )
  return queued.length
}

/** A record that was queued again in the meantime stays queued. */
async function endChecks(db: Database, queued: Queued[]): Promise<void> {
  if (queued.length === 0) return
  const checks = queued.map(({ id, changeId }) => sql`(${id}::uuid, ${changeId}::uuid)`)
  await db.execute(sql`delete from ${duplicateChecks} where (record_id, change_id) in (${sql.join(checks, sql`, `)})`)
}

/** Checks queued records until it is stopped. A failed batch stays queued. */
export function createDuplicateChecks(db: Database, kinds: readonly RecordKind[], log: Log) {
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
      const began = performance.now()
      const isLast = (await checkNext(db, kinds)) < BATCH
      next(isLast ? EVERY_MS : Math.min((performance.now() - began) * PAUSE, PAUSE_MAX_MS))
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
