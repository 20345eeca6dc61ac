import type { OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import { type Actor, onlyActor } from '#server/history/acting.ts'
import type { Hub } from '#server/live/hub.ts'
import type { Log } from '#server/log.ts'
import { openGuardedClient } from '#server/outside/guarded-client.ts'
import { openTurns } from '#server/turns.ts'
import { type EndJob, type Job, type Jobs, openJobs } from './jobs.ts'
import type { EnrichedKind } from './kind.ts'
import { NO_SOURCE_FOR_IT, NOTHING_CONFIGURED, NOTHING_FOUND } from './notice.ts'
import { openProviders } from './providers/list.ts'
import { askable, type Budget, runJob } from './run.ts'
import { getState, isPaused, keepLookedUp, listLookedUpBefore, markRunning } from './state.ts'

/** How long a request waits for its run; then it answers, and the run goes on. */
const WAIT_MS = 2_500
const DAY_MS = 86_400_000
/** Many refreshes at once are put into the queue a few at a time, so that other requests get in between. */
const ASKING_AT_ONCE = 4
/** Records that one round of upkeep asks for, per kind; the next round, an hour later, goes on. */
const UPKEEP_MAX = 500

/**
 * How a run that was asked for stands: over, with what it found, or under way without the caller. A `notice` beside an
 * `error` is the part of it that matters to who only added the record.
 */
export type RunAnswer<Findings> =
  | { success: true; enrichedData: Findings; notice?: string }
  | { success: true; pending: true }
  | { success: false; error: string; notice?: string }

// biome-ignore lint/suspicious/noExplicitAny: a list of kinds that differ in all four
type AnyKind = EnrichedKind<any, any, any, any>

export type Enrichment = ReturnType<typeof openEnrichment>

/** Enrichment of records of all kinds. The queue opens with the first need of it, or by `warmUp`. */
export function openEnrichment(options: {
  database: OpenDatabase
  settings: Settings
  log: Log
  hub: Hub
  kinds: AnyKind[]
}) {
  const { database, settings, log, hub, kinds } = options
  const { db } = database
  const outside = openGuardedClient({ allowHosts: settings.fetchAllowHosts })
  const providers = openProviders(settings.enrichment, { outside, contact: settings.publicUrl })
  const { refreshDays } = settings.enrichment
  const budget: Budget = settings.enrichment
  const turn = openTurns({ atOnce: ASKING_AT_ONCE })
  let opening: Promise<Jobs> | undefined

  const jobs = (): Promise<Jobs> => {
    opening ??= openJobs({
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
    const kind = kinds.find(({ name }) => name === job.kind)
    if (kind === undefined) throw new Error(`There is no kind of record called ${job.kind}`)
    await runJob({ db, log, outside, providers, budget }, kind, job, { end, signal })
  }

  async function askForOldOnes(days: number) {
    const { ask } = await jobs()
    const before = new Date(Date.now() - days * DAY_MS)
    for (const kind of kinds) {
      const ids = await listLookedUpBefore(db, kind.table, { before, limit: UPKEEP_MAX })
      for (const id of ids) {
        const row = await kind.load(db, id)
        if (row === undefined) continue
        // One that nobody can be asked about has had its turn without a job.
        if (askable(kind, providers, kind.toEnrich(row, {}).subject).length === 0)
          await keepLookedUp(db, kind.table, id)
        else await ask({ kind: kind.name, id }, { priority: -2 })
      }
    }
  }

  return {
    /**
     * Asks for a run of a record, joins the one under way, and waits for its end, though not for long. Without a job where
     * no provider can answer, or none that has not just done so.
     */
    async enrich<Row extends { id: string }, Subject, Findings extends object, Hints extends object>(
      kind: EnrichedKind<Row, Subject, Findings, Hints>,
      row: Row,
      by: Actor,
      { hints, isRefresh = false }: { hints?: Hints; isRefresh?: boolean } = {},
    ): Promise<RunAnswer<Findings>> {
      if (providers.length === 0) return { success: false, error: NOTHING_CONFIGURED }
      const { id } = row
      const { subject, state: known } = kind.toEnrich(row, hints ?? ({} as Hints))
      const able = askable(kind, providers, subject)
      if (able.length === 0) return { success: false, error: NO_SOURCE_FOR_IT }
      if (able.every((provider) => isPaused(known, provider.id, budget.pauseSeconds))) return answerOfKept()

      const patience = AbortSignal.timeout(WAIT_MS)
      const { ask } = await jobs()
      await turn(async () => {
        await markRunning(db, kind.table, id)
        await ask({
          kind: kind.name,
          id,
          by: onlyActor(by),
          ...(isRefresh && { isRefresh }),
          ...given(hints),
        })
      })
      const changes = hub.watch(id)
      try {
        for (;;) {
          const state = await getState(db, kind.table, id)
          if (state === undefined || state.runningSince === undefined) return await answerOf(state)
          if (patience.aborted) return { success: true, pending: true }
          await changes.next(patience)
        }
      } finally {
        changes.stop()
      }

      async function answerOf(state: Awaited<ReturnType<typeof getState>>): Promise<RunAnswer<Findings>> {
        if (state === undefined) return { success: false, error: 'This record has been deleted' }
        const { found = [], notice, warning } = state.last ?? {}
        if (found.length === 0) {
          return { success: false, error: notice ?? NOTHING_FOUND, ...(warning !== undefined && { notice: warning }) }
        }
        return { success: true, enrichedData: await kind.read(db, id, found), ...(notice !== undefined && { notice }) }
      }

      async function answerOfKept(): Promise<RunAnswer<Findings>> {
        const kept = Object.keys(known.sources ?? {})
        if (kept.length === 0) return { success: false, error: known.last?.notice ?? NOTHING_FOUND }
        return { success: true, enrichedData: await kind.read(db, id, kept) }
      }
    },

    /** Opens the queue ahead of need, so that runs that a crash or a stop interrupted go on. */
    async warmUp(): Promise<void> {
      if (providers.length > 0) await jobs()
    },

    /** Runs that wait and that are under way, over all processes. */
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
function given(hints: object = {}): { hints?: Record<string, string> } {
  const said = Object.entries(hints).filter(([, value]) => value)
  return said.length === 0 ? {} : { hints: Object.fromEntries(said) }
}
