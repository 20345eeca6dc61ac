import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from '#server/db/database.ts'
import { pageRanges } from '#server/db/page-ranges.ts'
import { notes, records, tags } from '#server/db/schema.ts'
import type { Log } from '#server/log.ts'

// While processes are restarted one after the other, those of the version before write texts that are folded as before, after
// the migration has folded what was there.

/** The migration that folds what is stored. A change of the fold needs another one. */
const MIGRATION = 51
const EVERY_MS = 600_000
const PAGES_AT_ONCE = 2_000

const TEXTS = [
  { table: records, column: records.searchText },
  { table: records, column: records.secondaryText },
  { table: notes, column: notes.searchText },
]

/** Folds what a process of the version before has written. Returns false when none can run any more. */
export async function foldMeanwhile(db: Database): Promise<boolean> {
  const [migration] = await rowsOf<{ isRecent: boolean }>(
    db,
    sql`select applied_at > now() - interval '1 day' as "isRecent" from schema_migrations where number = ${MIGRATION}`,
  )
  if (!migration?.isRecent) return false
  for (const { table, column } of TEXTS) {
    for (const range of await pageRanges(db, table, PAGES_AT_ONCE)) {
      await db.execute(sql`
        update ${table} set ${nameOf(column)} = fold_again(${nameOf(column)})
        where ${range} and fold_again(${nameOf(column)}) <> ${nameOf(column)}`)
    }
  }
  await db.execute(sql`
    update ${tags} set key = fold_again(key)
    where fold_again(key) <> key and not exists (select from ${tags} other where other.key = fold_again(${tags.key}))
      and id in (select min(id::text)::uuid from ${tags} group by fold_again(key))`)
  return true
}

const nameOf = ({ name }: AnyPgColumn) => sql.identifier(name)

/** Does so from now on, for a day after the migration. */
export function createFoldMeanwhile(db: Database, log: Log) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  const start = () => {
    running = foldMeanwhile(db)
      .catch((error) => {
        log.warn({ err: error }, 'Texts could not be folded; the next run tries again')
        return true
      })
      .then((mayBeMore) => {
        if (mayBeMore && !isStopped) timer = setTimeout(start, EVERY_MS).unref()
      })
  }
  return {
    start,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
