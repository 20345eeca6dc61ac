import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, onlyActor } from '#server/audit-log/actor.ts'
import type { OpenDatabase } from '#server/db/database.ts'
import type { Queue } from '#server/db/queue.ts'
import type { EnrichmentState } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { createGuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import { isPassing } from '#server/http/errors.ts'
import { createLimiter } from '#server/http/limiter.ts'
import type { Log } from '#server/log.ts'
import type { OwnRow } from '#server/records/write/own-columns.ts'
import { createdWith, type RunAnswer } from './answers.ts'
import { createJobs, type EndJob, type Job, type Jobs } from './jobs.ts'
import type { EnrichedKind } from './kind.ts'
import { NOTHING_CONFIGURED, NOTHING_FOUND, noSourceFor } from './notice.ts'
import { createProviders } from './providers/list.ts'
import { type Budget, eligibleProviders, runJob } from './run.ts'
import { isPaused } from './state.ts'
import {
  getFindings,
  getKnown,
  getState,
  knownOf,
  listEnrichedBefore,
  listNeverEnriched,
  markEnriched,
  markRunning,
} from './store.ts'

/** How long a request waits for its run. Then it responds, and the run continues. */
const WAIT_MS = 2_500
const DAY_MS = 86_400_000
/** The pauses between the tries to queue a run of a saved record: longer than a fail-over takes. */
const LATER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000]
/** Batch size for queueing many refreshes, so that other requests get in between. */
const ASKING_AT_ONCE = 4
/** Records per kind in one round of upkeep. The next round, an hour later, continues. */
const UPKEEP_MAX = 500

/** Waits for changes of one record. A change between two waits is not lost. */
type WatchRecord = (id: string) => { next: (timeout: AbortSignal) => Promise<void>; stop: () => void }

/** Runs the wait for the end of a run. */
type Waiting = <Result>(wait: () => Promise<Result>) => Promise<Result>

export type Enrichment = ReturnType<typeof createEnrichment>

/** Enrichment of records of all kinds. The queue opens on first use, or by `warmUp`. */
export function createEnrichment(options: {
  database: OpenDatabase
  queue: Queue
  settings: Settings
  log: Log
  watch: WatchRecord
  kinds: EnrichedKind[]
}) {
  const { database, queue, settings, log, watch, kinds } = options
  const { db } = database
  const guardedClient = createGuardedClient({ allowHosts: settings.fetchAllowHosts })
  const providers = createProviders(settings.enrichment, { guardedClient, contact: settings.publicUrl })
  const { refreshDays } = settings.enrichment
  const budget: Budget = settings.enrichment
  const limit = createLimiter({ atOnce: ASKING_AT_ONCE })
  const closing = new AbortController()
  let opening: Promise<Jobs> | undefined

  const jobs = (): Promise<Jobs> => {
    opening ??= createJobs({
      queue,
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
        // No provider can look this record up, so it needs no job.
        if (eligibleProviders(kind, providers, known).length === 0) await markEnriched(db, kind, id)
        else await ask({ kind: kind.name, id }, { priority: -2 })
      }
    }
  }

  /** Queues a run of a record, or joins the one in progress. */
  async function start(kind: EnrichedKind, id: string, job: Omit<Job, 'kind' | 'id'>): Promise<void> {
    const { ask } = await jobs()
    await limit(async () => {
      await markRunning(db, kind, id)
      await ask({ kind: kind.name, id, ...job })
    })
  }

  /**
   * The same for a record that was saved. A database that is lost for a moment costs it no run: it is queued again later, although the
   * caller gets the error now.
   */
  async function startOrLater(...of: Parameters<typeof start>): Promise<void> {
    try {
      await start(...of)
    } catch (error) {
      if (isPassing(error)) void later(of)
      throw error
    }
  }

  async function later(of: Parameters<typeof start>): Promise<void> {
    for (const wait of LATER_MS) {
      const isOver = await pause(wait, false, { ref: false, signal: closing.signal }).catch(() => true)
      if (isOver) return
      const isStarted = await start(...of).then(
        () => true,
        (error) => !isPassing(error),
      )
      if (isStarted) return
    }
    log.warn({ id: of[1] }, 'A saved record could not be queued for enrichment')
  }

  /**
   * Starts a run of a record, and waits a limited time for its end. Creates no job when no provider can answer, or when
   * all of them have just answered.
   */
  async function enrich(
    kindName: string,
    record: OwnRow,
    by: Actor,
    { hints = {}, isRefresh = false, waiting }: { hints?: object; isRefresh?: boolean; waiting: Waiting },
  ): Promise<RunAnswer> {
    if (providers.length === 0) return { success: false, error: NOTHING_CONFIGURED }
    const { id } = record
    const kind = kindNamed(kindName)
    const known = knownOf(record)
    const able = eligibleProviders(kind, providers, known, hints)
    if (able.length === 0) return { success: false, error: noSourceFor(kindName) }
    if (able.every((provider) => isPaused(known.state, provider.id, budget.pauseSeconds))) {
      return answerOfKept(kind, id, known.state)
    }

    const timeout = AbortSignal.timeout(WAIT_MS)
    const begin = isRefresh ? start : startOrLater
    await begin(kind, id, { by: onlyActor(by), ...(isRefresh && { isRefresh }), ...given(hints) })
    const changes = watch(id)
    try {
      for (;;) {
        const state = await getState(db, kind, id)
        if (state === undefined || state.runningSince === undefined) return await answerOf(kind, id, state)
        if (timeout.aborted) return { success: true, pending: true }
        await waiting(() => changes.next(timeout))
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
     * The part of the response to `create` about the run of its record. Whatever happens to the run, the record is
     * saved. Empty for a record that an earlier request with the same key created and that has been enriched since.
     */
    async lookUpNew(
      kind: string,
      record: OwnRow,
      by: Actor,
      waiting: Waiting,
    ): Promise<{ enrichedData?: object; notice?: string }> {
      if (record.enrichment.last) return {}
      try {
        return createdWith(await enrich(kind, record, by, { waiting }))
      } catch (error) {
        log[isPassing(error) ? 'warn' : 'error'](
          { err: error, requestId: by.requestId },
          'A new record could not be enriched',
        )
        return {}
      }
    },

    /** Starts a run of a record with a corrected address, if a provider can answer. The correction is saved anyway. */
    async startLookUp(kindName: string, record: OwnRow, by: Actor): Promise<void> {
      const kind = kindNamed(kindName)
      if (eligibleProviders(kind, providers, knownOf(record)).length === 0) return
      try {
        await startOrLater(kind, record.id, { by: onlyActor(by) })
      } catch (error) {
        log[isPassing(error) ? 'warn' : 'error'](
          { err: error, requestId: by.requestId },
          'A corrected record could not be enriched',
        )
      }
    },

    hasProviders: providers.length > 0,

    /** The records among these that no run has looked up yet and that a provider can look up. */
    async listNotLookedUp(kindName: string, ids: string[]): Promise<string[]> {
      if (providers.length === 0 || ids.length === 0) return []
      const kind = kindNamed(kindName)
      const known = await listNeverEnriched(db, kind, ids)
      return known.filter((record) => eligibleProviders(kind, providers, record).length > 0).map(({ id }) => id)
    },

    /** Queues a run of each of these records, within the daily lookups of the account. */
    async queueLookUps(kind: string, ids: string[], by: Actor): Promise<void> {
      const { enqueueMany } = await jobs()
      await enqueueMany(ids.map((id) => ({ kind, id, by: onlyActor(by), canWait: true })))
    },

    /** Opens the queue early, so that runs interrupted by a crash or a stop continue. */
    async warmUp(): Promise<void> {
      if (providers.length > 0) await jobs()
    },

    /** Runs that wait or run, across all processes. */
    async queued(): Promise<{ waiting: number; running: number }> {
      const open = await opening?.catch(() => undefined)
      return (await open?.queued()) ?? { waiting: 0, running: 0 }
    },

    /** Waits for a queue that is being opened, so that it can be closed. */
    async close(): Promise<void> {
      closing.abort()
      await opening?.catch(() => undefined)
    },
  }
}

/** The hints that are not empty. */
function given(hints: object): { hints?: Record<string, string> } {
  const said = Object.entries(hints).filter(([, value]) => value)
  return said.length === 0 ? {} : { hints: Object.fromEntries(said) }
}
