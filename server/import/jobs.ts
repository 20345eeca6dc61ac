import type { JobWithMetadata } from 'pg-boss'
import type { Actor } from '#server/audit-log/actor.ts'
import { getAccount } from '#server/auth/store.ts'
import type { Database, OpenDatabase } from '#server/db/database.ts'
import { HEARTBEAT_REFRESH_SECONDS, HEARTBEAT_SECONDS, type OpenQueue, type Queue } from '#server/db/queue.ts'
import type { Enrichment } from '#server/enrichment/enrichment.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { isPassing } from '#server/http/errors.ts'
import type { Log } from '#server/log.ts'
import { UnreadableFile } from './files/unreadable-file.ts'
import { hasUnfinishedLookUps, queueRuns } from './look-ups.ts'
import { readFile } from './read-step.ts'
import { revertImport } from './revert-step.ts'
import { runImport } from './run-step.ts'
import { type Pace, paceOf, type Step } from './step.ts'
import { findImport, hasUnfinished, TakenOver, updateImport } from './store.ts'

/** Files are read in parallel with running imports, so that a small one can be prepared while a large one runs. */
const READ = 'import-read'
/** Runs and reverts: one at a time across all processes, so that no import misses records of another one. */
const RUN = 'import-run'
/** In parallel with both, because it only queues jobs. */
const LOOK_UP = 'import-look-up'
/** After this time, an import lets the next waiting one run. */
const TURN_MS = 10_000
/** The number of attempts after an internal error, which may be temporary. */
const TRIES = 5

const STEPS = { reading: readFile, running: runImport, reverting: revertImport } as const
type State = keyof typeof STEPS
const queues = { reading: READ, running: RUN, reverting: RUN, 'looking-up': LOOK_UP } as const
type Act = keyof typeof queues

type Job = { import: string; by: Actor }

export type ImportJobs = ReturnType<typeof createImportJobs>

/** The jobs of imports. The queue opens on first use, or by `warmUp`. */
export function createImportJobs({
  database,
  queue,
  log,
  kinds,
  enrichment,
  pace = paceOf(database),
  turnMs = TURN_MS,
}: {
  database: OpenDatabase
  queue: Queue
  log: Log
  kinds: EnrichedKind[]
  enrichment: Enrichment
  pace?: Pace
  turnMs?: number
}) {
  const { db } = database
  let opening: Promise<OpenQueue> | undefined
  const workers = new Map<string, string>()

  async function start(): Promise<OpenQueue> {
    const open = await queue.open()
    for (const name of [READ, RUN, LOOK_UP]) {
      await open.boss.createQueue(name, {
        policy: 'exclusive',
        notify: true,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: 6 * 3_600,
        retryLimit: 1_000,
        retryDelay: 1,
        deleteAfterSeconds: 3_600,
      })
      const options = {
        notifyPollingIntervalSeconds: 5,
        heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
        includeMetadata: true as const,
        ...(database.isShared && name === RUN && { groupConcurrency: 1 }),
      }
      const worker = await open.boss.work<Job, void, { includeMetadata: true }>(name, options, async (jobs) => {
        for (const job of jobs) await (name === LOOK_UP ? lookUp(open, job) : work(open, name, job))
        // This job may have queued the next one.
        open.boss.notifyWorker(workers.get(name) ?? '')
      })
      workers.set(name, worker)
    }
    return open
  }

  const jobs = (): Promise<OpenQueue> => {
    opening ??= start().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const send = ({ boss, within }: OpenQueue, tx: Database, act: Act, job: Job) =>
    boss.send(queues[act], job, { ...within(tx), singletonKey: job.import, group: { id: 'all' } })

  async function work(open: OpenQueue, name: string, { id: jobId, data, signal, retryCount }: JobWithMetadata<Job>) {
    const record = await findImport(db, data.import)
    const end = async (tx: Database) => void (await open.boss.complete(name, jobId, null, open.within(tx)))
    const state = record?.state as State
    const kind = kinds.find(({ name }) => name === record?.kind)
    if (record === undefined || kind === undefined || !(state in STEPS)) return end(db)
    const giveWayAt = performance.now() + turnMs
    try {
      const account = await getAccount(db, data.by.id)
      if (account === undefined || account.disabledAt !== null) throw new Refused('The account has been disabled')
      const uploader = (await getAccount(db, record.accountId)) ?? account
      const step: Step = {
        ...{ db, import: record, kind, pace, signal, end },
        actor: { ...account, ...data.by },
        uploader,
        yieldTurn: async (tx) => {
          if (performance.now() < giveWayAt) return false
          await end(tx)
          await send(open, tx, state, data)
          return true
        },
      }
      await STEPS[state](step)
    } catch (error) {
      if (error instanceof TakenOver) return
      const sentence = error instanceof UnreadableFile || error instanceof Refused ? error.message : undefined
      // A stop interrupts imports too, and the database may be unavailable for a while.
      const isOver = sentence !== undefined || (!signal.aborted && !isPassing(error) && retryCount >= TRIES)
      if (!isOver) {
        log[signal.aborted ? 'info' : 'warn']({ err: error, import: data.import }, 'An import was interrupted')
        throw error
      }
      if (sentence === undefined) log.error({ err: error, import: data.import }, 'An import failed')
      await db.transaction(async (tx) => {
        await updateImport(tx, data.import, { state: 'failed', error: sentence ?? FAULT })
        await end(tx)
      })
    }
  }

  async function lookUp(open: OpenQueue, { id: jobId, data, signal }: JobWithMetadata<Job>) {
    const end = async (tx: Database) => void (await open.boss.complete(LOOK_UP, jobId, null, open.within(tx)))
    try {
      await queueRuns({ db, enrichment, pace, signal, end }, data.import, data.by)
    } catch (error) {
      log[signal.aborted ? 'info' : 'warn']({ err: error, import: data.import }, 'Queueing lookups was interrupted')
      throw error
    }
  }

  return {
    /** Queues the step of an import within the transaction that begins it. Call `open` before the transaction. */
    async queue(tx: Database, act: Act, job: Job): Promise<void> {
      await send(await jobs(), tx, act, job)
    },

    /** Starts a step immediately. Call it after the transaction that has queued the step. */
    async wake(act: Act): Promise<void> {
      const { boss } = await jobs()
      boss.notifyWorker(workers.get(queues[act]) ?? '')
    },

    async open(): Promise<void> {
      await jobs()
    },

    /**
     * Opens the queue early if there may be unfinished jobs, so that imports interrupted by a crash or a stop continue.
     */
    async warmUp(): Promise<void> {
      const isNeeded = database.isShared || (await hasUnfinished(db)) || (await hasUnfinishedLookUps(db))
      if (isNeeded) await jobs()
    },

    /** Waits for a queue that is being opened, so that it can be closed. */
    async close(): Promise<void> {
      await opening?.catch(() => undefined)
    },
  }
}

class Refused extends Error {}

const FAULT = 'Something went wrong on our side. What was imported before can be reverted.'
