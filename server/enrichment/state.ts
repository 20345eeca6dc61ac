import type { RecordEnrichment } from '#contract/enrichment.ts'
import type { EnrichmentState } from '#server/db/schema.ts'
import type { Found } from './ask-all.ts'
import { nameOfProvider } from './providers/list.ts'

/** A run that was queued longer ago than this is lost, for whatever reason. */
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

/** `paid` lists the paid providers that answered the run as a refresh; `skippedFields` the fields that stay. */
type RunResult = {
  found: Found
  skippedFields: string[]
  paid: string[]
  notice: string | undefined
  warning: string | undefined
  hints: Record<string, string> | undefined
  isRetryOfMissing: boolean
}

/**
 * The state after a run: new sources replace older ones, and no run is in progress. A retry of an earlier run that
 * found nothing leaves its notice unchanged.
 */
export const stateAfter = (
  { sources, last, paid: paidBefore }: EnrichmentState,
  { found, skippedFields, paid, notice, warning, hints, isRetryOfMissing }: RunResult,
): EnrichmentState => {
  const at = new Date().toISOString()
  const fresh = Object.entries(found).map(([field, { provider }]) => [field, { provider, at }])
  const isPaid = paid.length > 0 || paidBefore !== undefined
  const stamps = isPaid && { paid: { ...paidBefore, ...Object.fromEntries(paid.map((id) => [id, at])) } }
  if (isRetryOfMissing && fresh.length === 0) return { ...(sources && { sources }), ...(last && { last }), ...stamps }
  return {
    sources: { ...sources, ...Object.fromEntries(fresh) },
    last: {
      at,
      found: [...Object.keys(found), ...skippedFields],
      ...(notice !== undefined && { notice }),
      ...(warning !== undefined && { warning }),
      ...(hints && { hints }),
    },
    ...stamps,
  }
}

/** Whether a paid provider answered a refresh of the record so recently that it is skipped. */
export const isPaused = ({ paid }: EnrichmentState, provider: string, pauseSeconds: number): boolean => {
  const at = paid?.[provider]
  return at !== undefined && Date.now() - Date.parse(at) < pauseSeconds * 1000
}

/** The fields whose last value came from a provider. */
export const fieldsFrom = ({ sources = {} }: EnrichmentState, provider: string): string[] =>
  Object.keys(sources).filter((field) => sources[field]?.provider === provider)
