import type { JobWithMetadata } from 'pg-boss'
import type { Actor } from '#server/audit-log/actor.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { getAccount } from '#server/auth/store.ts'
import type { Database, OpenDatabase } from '#server/db/database.ts'
import type { OpenQueue, Queue } from '#server/db/queue.ts'
import type { Enrichment } from '#server/enrichment/enrichment.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { isPassing } from '#server/http/errors.ts'
import { UnreadableFile } from '#server/import/read/files/unreadable-file.ts'
import { createFairQueue } from '#server/import/read/process/fair-queue.ts'
import type { FileReader } from '#server/import/read/process/file-reader.ts'
import { ReaderClosed, ReaderKilled } from '#server/import/read/process/reader-process.ts'
import { findImport, type ImportRecord, TakenOver } from '#server/import/store/store.ts'
import { createTargets } from '#server/import/targets/targets.ts'
import type { Log } from '#server/log.ts'
import { rights } from '#server/rights.ts'
import { beginStep, countAttempt, failStep, uncountAttempt } from './attempts.ts'
import { queueRuns } from './look-ups.ts'
import { type Act, createImportQueue, queueOf, queuesOf, WORKERS, workOptions } from './queues.ts'
import { readFile } from './read-step.ts'
import { revertImport } from './revert-step.ts'
import { runImport } from './run-step.ts'
import { PACE, type Pace, type Step } from './step.ts'
import { deleteRest } from './stop.ts'
import type { TemporaryFiles } from './temporary-files.ts'

/** After this time, an import lets the next waiting one run. */
const TURN_MS = 10_000
/** The number of attempts after an internal error, which may be temporary. */
const TRIES = 5

const STEPS = { reading: readFile, running: runImport, reverting: revertImport } as const
type State = keyof typeof STEPS

/** `step` is that of the import when the job was queued. Jobs of other acts have none. */
type Job = { import: string; by: Actor; step?: number }

export type ImportJobs = ReturnType<typeof createImportJobs>

/** The jobs of imports. The queue opens on first use, or by `warmUp`. */
export function createImportJobs({
  database,
  queue,
  log,
  kinds,
  enrichment,
  reader,
  temporary,
  pace = PACE,
  turnMs = TURN_MS,
}: {
  database: OpenDatabase
  queue: Queue
  log: Log
  kinds: EnrichedKind[]
  enrichment: Enrichment
  reader: FileReader
  temporary: TemporaryFiles
  pace?: Pace
  turnMs?: number
}) {
  const { db } = database
  const targets = createTargets(kinds)
  let opening: Promise<OpenQueue> | undefined
  const workers = new Map<string, string[]>()
  const fairQueue = createFairQueue()
  const stopping = new AbortController()
  const working = new Set<Promise<void>>()

  async function start(): Promise<OpenQueue> {
    const open = await queue.open()
    for (const them of WORKERS) {
      const { queue: name, count } = them
      await createImportQueue(open, name)
      const ids: string[] = []
      workers.set(name, ids)
      for (let made = 0; made < count; made += 1) {
        const doJobs = async (jobs: JobWithMetadata<Job>[]) => {
          for (const job of jobs) await tracked(doJob(open, name, job))
          // This job may have queued the next one.
          wakeAll(open, name)
        }
        ids.push(await open.boss.work<Job, void, { includeMetadata: true }>(name, workOptions(them), doJobs))
      }
    }
    return open
  }

  const wakeAll = ({ boss }: OpenQueue, name: string) => workers.get(name)?.forEach((id) => void boss.notifyWorker(id))

  async function tracked(work: Promise<void>): Promise<void> {
    working.add(work)
    await work.finally(() => working.delete(work))
  }

  function doJob(open: OpenQueue, name: string, job: JobWithMetadata<Job>): Promise<void> {
    if (name === queueOf('looking-up', 0)) return lookUp(open, name, job)
    if (name === queueOf('deleting', 0))
      return deleteRest(db, job.data.import, AbortSignal.any([job.signal, stopping.signal]))
    return work(open, name, job)
  }

  const jobs = (): Promise<OpenQueue> => {
    opening ??= start().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const send = ({ boss, within }: OpenQueue, tx: Database, name: string, act: Act, job: Job) =>
    boss.send(name, job, {
      ...within(tx),
      singletonKey: job.step === undefined ? job.import : `${job.import}-${job.step}`,
      group: { id: act === 'reading' ? job.by.id : 'all' },
    })

  async function work(open: OpenQueue, name: string, { id: jobId, data, signal, retryCount }: JobWithMetadata<Job>) {
    const record = await findImport(db, data.import)
    const end = async (tx: Database) => void (await open.boss.complete(name, jobId, null, open.within(tx)))
    const state = record?.state as State
    const target = targets.find(({ name }) => name === record?.kind)
    const isPast = data.step !== undefined && data.step !== record?.step
    if (record === undefined || target === undefined || isPast || !(state in STEPS)) return end(db)
    const giveWayAt = performance.now() + turnMs
    try {
      await countAttempt(db, record)
      const account = await getAccount(db, data.by.id)
      if (account === undefined || account.disabledAt !== null) throw new Refused('The account has been disabled')
      const { token } = data.by
      // What a token does has the rights of a token, also with a file that its owner has uploaded.
      const as = (role: Account['role']) => ({ role: token === undefined ? role : ('token' as const) })
      const by = { ...account, ...data.by, ...as(account.role), token: token && { ...token, name: '', scopes: [] } }
      const uploader = { ...((await getAccount(db, record.accountId)) ?? account), ...as(record.uploader.role) }
      const right = target.right && rights[target.right]
      if (right && ![uploader, by].some(right.allows)) throw new Refused(right.why)
      const step: Step = {
        ...{ db, import: record, target, pace, end, reader, temporary },
        signal: AbortSignal.any([signal, stopping.signal]),
        actor: by,
        uploader,
        runFairly: (batch) => fairQueue(account.id, batch),
        yieldToOthers: async (tx) => {
          if (performance.now() < giveWayAt) return false
          await end(tx)
          await send(open, tx, name, state, data)
          return true
        },
      }
      await STEPS[state](step)
    } catch (error) {
      const isStopped = signal.aborted || stopping.signal.aborted || error instanceof ReaderClosed
      await endAttempt(record, error, { isStopped, retryCount, end })
    }
  }

  /** Fails the step if trying again would not help. Otherwise throws the error, so that the job runs again. */
  async function endAttempt(
    record: ImportRecord,
    error: unknown,
    { isStopped, retryCount, end }: { isStopped: boolean; retryCount: number; end: (tx: Database) => Promise<void> },
  ): Promise<void> {
    const isKilled = error instanceof ReaderKilled && !isStopped
    // Only attempts that ended a process count. The job does not run again before.
    if (!isKilled) await uncountAttempt(db, record, stopping.signal)
    if (error instanceof TakenOver) return
    const sentence = error instanceof UnreadableFile || error instanceof Refused ? error.message : undefined
    // A stop interrupts imports too, and the database may be unavailable for a while.
    const isOver = sentence !== undefined || (!isStopped && !isKilled && !isPassing(error) && retryCount >= TRIES)
    const about = { err: error, import: record.id }
    if (!isOver) {
      log[isStopped ? 'info' : 'warn'](about, 'An import was interrupted')
      throw error
    }
    if (sentence === undefined) log.error(about, 'An import failed')
    await db.transaction(async (tx) => {
      await failStep(tx, record, sentence ?? FAULT)
      await end(tx)
    })
  }

  async function lookUp(open: OpenQueue, name: string, { id: jobId, data, signal: ofJob }: JobWithMetadata<Job>) {
    const signal = AbortSignal.any([ofJob, stopping.signal])
    const end = async (tx: Database) => void (await open.boss.complete(name, jobId, null, open.within(tx)))
    try {
      await queueRuns({ db, enrichment, pace, signal, end }, data.import, data.by)
    } catch (error) {
      log[signal.aborted ? 'info' : 'warn']({ err: error, import: data.import }, 'Queueing lookups was interrupted')
      throw error
    }
  }

  return {
    /** Queues the step of an import within the transaction that begins it. Call `open` before the transaction. */
    async queue(tx: Database, act: Act, { import: id, by }: Job): Promise<void> {
      const open = await jobs()
      if (!(act in STEPS)) return void (await send(open, tx, queueOf(act, 0), act, { import: id, by }))
      const { step, rows } = await beginStep(tx, id)
      await send(open, tx, queueOf(act, rows), act, { import: id, by, step })
    },

    /** Starts a step immediately. Call it after the transaction that has queued the step. */
    async wake(act: Act): Promise<void> {
      const open = await jobs()
      for (const name of queuesOf(act)) wakeAll(open, name)
    },

    async open(): Promise<void> {
      await jobs()
    },

    /** Opens the queue, for jobs that other processes queue, and that a crash or a stop interrupted. */
    async warmUp(): Promise<void> {
      await jobs()
    },

    /** Interrupts running jobs, and waits until they have ended. Their steps continue after the next start. */
    async close(): Promise<void> {
      stopping.abort()
      await opening?.catch(() => undefined)
      await Promise.allSettled(working)
    },
  }
}

class Refused extends Error {}

const FAULT = 'Something went wrong on our side. What was imported before can be reverted.'
