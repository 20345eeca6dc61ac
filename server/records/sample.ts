import { type SQLWrapper, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from '#server/db/database.ts'
import { epochMs, inOrder, type Placed } from './paging.ts'
import { runsOf } from './search-text.ts'

// What the newest texts of a table tell of all of them: about how common a term is, and which of its runs are rare. It
// chooses how a search goes and never what it finds, so it may be a minute old.

/** A table of records: founders or companies. */
export type SearchedTable = SQLWrapper & Placed & { searchText: AnyPgColumn; searchGrams: AnyPgColumn }

/** So many rows, of which each as much as this, so that long texts do not make looking through them dear. */
const ROWS = 500
const CHARACTERS = 500
const KEPT_MS = 60_000

const samples = new WeakMap<Database, Map<SearchedTable, { takenAt: number; sample: Promise<Sample> }>>()

/** The sample of a table, which each process takes for itself. */
export function sampleOf(db: Database, table: SearchedTable): Promise<Sample> {
  const ofTables = samples.get(db) ?? new Map()
  samples.set(db, ofTables)
  const kept = ofTables.get(table)
  const now = performance.now()
  if (kept && now - kept.takenAt < KEPT_MS) return kept.sample
  const sample = takeSample(db, table)
  ofTables.set(table, { takenAt: now, sample })
  sample.catch(() => ofTables.delete(table))
  return sample
}

export type Sample = Awaited<ReturnType<typeof takeSample>>

async function takeSample(db: Database, table: SearchedTable) {
  const rows = await rowsOf<{ text: string; at: number; now: number }>(
    db,
    sql`select left(${table.searchText}, ${CHARACTERS}) as text, ${epochMs(table.createdAt)} as at, ${epochMs(sql`now()`)} as now
      from ${table} order by ${inOrder(table)} limit ${ROWS}`,
  )
  const times = rows.map(({ at }) => at)
  const newest = Math.max(...times)
  let runs: Map<string, number> | undefined
  return {
    /** Whether there are more rows than these. */
    isPart: rows.length === ROWS,
    /** How many rows contain a folded term. */
    seen: (term: string) => rows.filter(({ text }) => text.includes(term)).length,
    /** How often a run occurs. */
    timesOf: (run: string) => {
      runs ??= countRuns(rows.map(({ text }) => text))
      return runs.get(run) ?? 0
    },
    rows: rows.length,
    rowsPerMs: rows.length / (newest - Math.min(...times) + 1),
    /** No row was newer than this, by the database's clock. */
    until: Math.max(newest, ...rows.map(({ now }) => now)),
  }
}

function countRuns(texts: string[]) {
  const times = new Map<string, number>()
  for (const text of texts) for (const run of runsOf(text)) times.set(run, (times.get(run) ?? 0) + 1)
  return times
}
