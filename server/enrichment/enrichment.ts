import { type Actor, onlyActor } from '#server/audit-log/actor.ts'
import type { OpenDatabase } from '#server/db/database.ts'
import type { EnrichmentState } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { createGuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import { createLimiter } from '#server/http/limiter.ts'
import type { Hub } from '#server/live/hub.ts'
import type { Log } from '#server/log.ts'
import type { RecordRow } from '#server/records/row.ts'
import { createdWith, type RunAnswer } from './answers.ts'
import { createJobs, type EndJob, type Job, type Jobs } from './jobs.ts'
import type { EnrichedKind } from './kind.ts'
import { NO_SOURCE_FOR_IT, NOTHING_CONFIGURED, NOTHING_FOUND } from './notice.ts'
import { createProviders } from './providers/list.ts'
import { askable, type Budget, runJob } from './run.ts'
import { isPaused } from './state.ts'
import { getFindings, getKnown, getState, knownOf, listEnrichedBefore, markEnriched, markRunning } from './store.ts'

/** How long a request waits for its run; then it answers, and the run goes on. */
const WAIT_MS = 2_500
const DAY_MS = 86_400_000
/** Many refreshes at once are put into the queue a few at a time, so that other requests get in between. */
const ASKING_AT_ONCE = 4
/** Records that one round of upkeep asks for, per kind; the next round, an hour later, goes on. */
const UPKEEP_MAX = 500

export type Enrichment = ReturnType<typeof createEnrichment>

/** Enrichment of records of all kinds. The queue opens with the first need of it, or by `warmUp`. */
export function createEnrichment(options: {
  database: OpenDatabase
  settings: Settings
  log: Log
  hub: Hub
  kinds: EnrichedKind[]
}) {
  const { database, settings, log, hub, kinds } = options
  const { db } = database
  const guardedClient = createGuardedClient({ allowHosts: settings.fetchAllowHosts })
  const providers = createProviders(settings.enrichment, { guardedClient, contact: settings.publicUrl })
  const { refreshDays } = settings.enrichment
  const budget: Budget = settings.enrichment
  const limit = createLimiter({ atOnce: ASKING_AT_ONCE })
  let opening: Promise<Jobs> | undefined

  const jobs = (): Promise<Jobs> => {
    opening ??= createJobs({
      database,
      log,
      run,
      ...(refreshDays !== undefined && { upkeep: () => askForOldOnes(refreshDays) }),
    }).catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function run(job: Job, end: EndJob, signal: AbortSignal) {
    await runJob({ db, log, guardedClient, providers, budget }, kindNamed(job.kind), job, { end, signal })
  }

  function kindNamed(name: string): EnrichedKind {
    const kind = kinds.find((one) => one.name === name)
    if (kind === undefined) throw new Error(`There is no kind of record called ${name}`)
    return kind
  }

  async function askForOldOnes(days: number) {
    const { ask } = await jobs()
    const before = new Date(Date.now() - days * DAY_MS)
    for (const kind of kinds) {
      const ids = await listEnrichedBefore(db, kind, { before, limit: UPKEEP_MAX })
      for (const id of ids) {
        const known = await getKnown(db, kind, id)
        if (known === undefined) continue
        // A record that no provider can be asked about has had its turn without a job.
        if (askable(kind, providers, known).length === 0) await markEnriched(db, kind, id)
        else await ask({ kind: kind.name, id }, { priority: -2 })
      }
    }
  }

  /**
   * Asks for a run of a record, joins the one under way, and waits for its end, though not for long. Without a job where no
   * provider can answer, or none that has not just done so.
   */
  async function enrich(
    kindName: string,
    record: RecordRow,
    by: Actor,
    { hints = {}, isRefresh = false }: { hints?: object; isRefresh?: boolean } = {},
  ): Promise<RunAnswer> {
    if (providers.length === 0) return { success: false, error: NOTHING_CONFIGURED }
    const { id } = record
    const kind = kindNamed(kindName)
    const known = knownOf(record)
    const able = askable(kind, providers, known, hints)
    if (able.length === 0) return { success: false, error: NO_SOURCE_FOR_IT }
    if (able.every((provider) => isPaused(known.state, provider.id, budget.pauseSeconds))) {
      return answerOfKept(kind, id, known.state)
    }

    const patience = AbortSignal.timeout(WAIT_MS)
    const { ask } = await jobs()
    await limit(async () => {
      await markRunning(db, kind, id)
      await ask({ kind: kind.name, id, by: onlyActor(by), ...(isRefresh && { isRefresh }), ...given(hints) })
    })
    const changes = hub.watch(id)
    try {
      for (;;) {
        const state = await getState(db, kind, id)
        if (state === undefined || state.runningSince === undefined) return await answerOf(kind, id, state)
        if (patience.aborted) return { success: true, pending: true }
        await changes.next(patience)
      }
    } finally {
      changes.stop()
    }
  }

  async function answerOf(kind: EnrichedKind, id: string, state: EnrichmentState | undefined): Promise<RunAnswer> {
    if (state === undefined) return { success: false, error: 'This record has been deleted' }
    const { found = [], notice, warning } = state.last ?? {}
    if (found.length === 0) {
      return { success: false, error: notice ?? NOTHING_FOUND, ...(warning !== undefined && { notice: warning }) }
    }
    const enrichedData = await getFindings(db, kind, id, found)
    return { success: true, enrichedData, ...(notice !== undefined && { notice }) }
  }

  async function answerOfKept(
    kind: EnrichedKind,
    id: string,
    { sources = {}, last }: EnrichmentState,
  ): Promise<RunAnswer> {
    const kept = Object.keys(sources)
    if (kept.length === 0) return { success: false, error: last?.notice ?? NOTHING_FOUND }
    return { success: true, enrichedData: await getFindings(db, kind, id, kept) }
  }

  return {
    enrich,

    /**
     * What the answer to `create` says of the run of its record: whatever becomes of that, the record is saved. Nothing of
     * a record that an earlier request with the same key created and that was looked up since.
     */
    async lookUpNew(kind: string, record: RecordRow, by: Actor): Promise<{ enrichedData?: object; notice?: string }> {
      if (record.enrichment.last) return {}
      try {
        return createdWith(await enrich(kind, record, by))
      } catch (error) {
        log.error({ err: error, requestId: by.requestId }, 'A new record could not be enriched')
        return {}
      }
    },

    /** Opens the queue ahead of need, so that runs that a crash or a stop interrupted go on. */
    async warmUp(): Promise<void> {
      if (providers.length > 0) await jobs()
    },

    /** Runs that wait or run, across all processes. */
    async queued(): Promise<{ waiting: number; running: number }> {
      const open = await opening?.catch(() => undefined)
      return (await open?.queued()) ?? { waiting: 0, running: 0 }
    },

    async close(): Promise<void> {
      const open = await opening?.catch(() => undefined)
      await open?.close()
    },
  }
}

/** The hints that say something. */
function given(hints: object): { hints?: Record<string, string> } {
  const said = Object.entries(hints).filter(([, value]) => value)
  return said.length === 0 ? {} : { hints: Object.fromEntries(said) }
}
