import { sql } from 'drizzle-orm'
import type { RecordEnrichment } from '#contract/enrichment.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import type { EnrichmentState } from '#server/db/schema.ts'
import { actingAs } from '#server/history/acting.ts'
import type { Found } from './ask-all.ts'
import type { EnrichedTable, RunEnd } from './kind.ts'
import { nameOfProvider } from './providers/list.ts'

/** A run that was asked for longer ago than this has been lost, whatever became of it. */
const RUN_MAX_MS = 10 * 60_000

export const isRunning = ({ runningSince }: EnrichmentState): boolean =>
  runningSince !== undefined && Date.now() - Date.parse(runningSince) < RUN_MAX_MS

export const presentEnrichment = (state: EnrichmentState): RecordEnrichment => ({
  isRunning: isRunning(state),
  sources: Object.fromEntries(
    Object.entries(state.sources ?? {}).map(([field, { provider, at }]) => [
      field,
      { provider: nameOfProvider(provider), at },
    ]),
  ),
  lastRun: state.last ? { at: state.last.at, notice: state.last.notice ?? null } : null,
})

/** What a run leaves behind. `paid` is which paid providers answered it as a refresh; `held` is what still stands. */
export type RunResult = {
  found: Found
  held: string[]
  paid: string[]
  notice: string | undefined
  warning: string | undefined
  hints: Record<string, string> | undefined
  isMakeUp: boolean
}

/**
 * The state after a run: fresh sources in place of older ones, and no run under way. A run that only made up for an
 * earlier one says nothing when it found nothing.
 */
export const stateAfter = (
  { sources, last, paid: paidBefore }: EnrichmentState,
  { found, held, paid, notice, warning, hints, isMakeUp }: RunResult,
): EnrichmentState => {
  const at = new Date().toISOString()
  const fresh = Object.entries(found).map(([field, { provider }]) => [field, { provider, at }])
  const isPaid = paid.length > 0 || paidBefore !== undefined
  const stamps = isPaid && { paid: { ...paidBefore, ...Object.fromEntries(paid.map((id) => [id, at])) } }
  if (isMakeUp && fresh.length === 0) return { ...(sources && { sources }), ...(last && { last }), ...stamps }
  return {
    sources: { ...sources, ...Object.fromEntries(fresh) },
    last: {
      at,
      found: [...Object.keys(found), ...held],
      ...(notice !== undefined && { notice }),
      ...(warning !== undefined && { warning }),
      ...(hints && { hints }),
    },
    ...stamps,
  }
}

/** Whether a paid provider answered a refresh of the record so lately that it is not asked again. */
export const isPaused = ({ paid }: EnrichmentState, provider: string, pauseSeconds: number): boolean => {
  const at = paid?.[provider]
  return at !== undefined && Date.now() - Date.parse(at) < pauseSeconds * 1000
}

/** The fields that a provider gave last. */
export const fieldsFrom = ({ sources = {} }: EnrichmentState, provider: string): string[] =>
  Object.keys(sources).filter((field) => sources[field]?.provider === provider)

/** Undefined when the record is gone. */
export async function getState(db: Database, table: EnrichedTable, id: string): Promise<EnrichmentState | undefined> {
  const [row] = await rowsOf<{ state: EnrichmentState }>(
    db,
    sql`select ${table.enrichment} as state from ${table} where ${table.id} = ${id}`,
  )
  return row?.state
}

/** As `getState`, and keeps others from changing the record until the transaction ends. */
export async function lockState(tx: Database, table: EnrichedTable, id: string): Promise<EnrichmentState | undefined> {
  const [row] = await rowsOf<{ state: EnrichmentState }>(
    tx,
    sql`select ${table.enrichment} as state from ${table} where ${table.id} = ${id} for update`,
  )
  return row?.state
}

/** What the end of a run sets, beside what was found. */
export const ended = ({ state }: RunEnd) => ({ enrichment: state, lookedUpAt: sql`now()` })

/** The end of a run that found nothing. */
export async function keepState(tx: Database, table: EnrichedTable, id: string, { state, by }: RunEnd): Promise<void> {
  await tx.execute(sql`
    update ${table} set enrichment = ${JSON.stringify(state)}::jsonb, looked_up_at = now()
    where ${table.id} = ${id} and ${actingAs(by)}
  `)
}

/** Puts the record's next turn of the upkeep off, as a run does. */
export async function keepLookedUp(db: Database, table: EnrichedTable, id: string): Promise<void> {
  await db.execute(sql`update ${table} set looked_up_at = now() where ${table.id} = ${id}`)
}

/** Says that a run is asked for or under way. */
export async function markRunning(db: Database, table: EnrichedTable, id: string): Promise<void> {
  const running = JSON.stringify({ runningSince: new Date().toISOString() })
  await db.execute(sql`
    update ${table} set enrichment = ${table.enrichment} || ${running}::jsonb where ${table.id} = ${id}
  `)
}

/** The records that were looked up longest ago, of those looked up before a time. */
export async function listLookedUpBefore(
  db: Database,
  table: EnrichedTable,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select ${table.id} as id from ${table} where ${table.lookedUpAt} < ${before.toISOString()}::timestamptz
      order by ${table.lookedUpAt} limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
