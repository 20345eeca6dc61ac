import type { Actor } from '#server/audit-log/actor.ts'
import type { Database } from '#server/db/database.ts'
import { HEARTBEAT_REFRESH_SECONDS, HEARTBEAT_SECONDS, type Queue } from '#server/db/queue.ts'
import type { Log } from '#server/log.ts'

// The queues of enrichment: one job per record.

/** Runs at a time, across all processes. */
const RUNS_AT_A_TIME = 4
const RUN = 'enrich'
const LATER = 'enrich-later'
const UPKEEP = 'enrich-upkeep'

/** `only`: asks only these providers, for these fields, to retry what failed. */
export type Job = {
  kind: string
  id: string
  /** The account that asked; absent when the product refreshes by itself. */
  by?: Actor
  hints?: Record<string, string>
  /** Whether a person refreshed an existing record: then paid providers that answer are paused for it. */
  isRefresh?: boolean
  /** Whether it waits for the next day once the daily lookups of the account are used up. */
  canWait?: boolean
  only?: { providers: string[]; fields: string[] }
  /** The number of times this job has been postponed. */
  putOff?: number
}

/** The providers and fields to retry, and the delay in seconds. */
export type Retry = { job: Job; seconds: number }

/** Ends a job in the transaction of its findings, and postpones the rest. All of it commits together. */
export type EndJob = (tx: Database, later?: Retry) => Promise<void>

export type Jobs = {
  /** Queues a run now. A no-op when one for the record is already queued or running. */
  ask: (job: Job, options?: { priority: number }) => Promise<void>
  /** The same for many records, with lower priority than runs that people wait for. */
  enqueueMany: (jobs: Job[]) => Promise<void>
  /** Runs that wait or run. The figure may be some seconds old. */
  queued: () => Promise<{ waiting: number; running: number }>
}

export async function createJobs({
  queue,
  log,
  run,
  upkeep,
}: {
  queue: Queue
  log: Log
  /** One run. Once `end` has committed, it does not run again. */
  run: (job: Job, end: EndJob, signal: AbortSignal) => Promise<void>
  /** Called at the start and every hour when given, in one of all processes. */
  upkeep?: () => Promise<void>
}): Promise<Jobs> {
  const { boss, within } = await queue.open()
  await boss.createQueue(RUN, {
    policy: 'exclusive',
    notify: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: 120,
    retryLimit: 5,
    retryDelay: 1,
    deleteAfterSeconds: 3_600,
  })
  await boss.createQueue(LATER, { policy: 'short', retryLimit: 5, deleteAfterSeconds: 3_600 })

  const ask: Jobs['ask'] = async (job, { priority } = { priority: 0 }) => {
    await boss.send(RUN, job, { singletonKey: job.id, priority, group: { id: 'all' } })
  }
  const enqueueMany: Jobs['enqueueMany'] = async (jobs) => {
    const behind = { priority: -1, group: { id: 'all' } }
    await boss.insert(
      RUN,
      jobs.map((job) => ({ data: job, singletonKey: job.id, ...behind })),
    )
  }
  async function runOne(jobId: string, job: Job, signal: AbortSignal) {
    const end: EndJob = async (tx, later) => {
      const inside = within(tx)
      await boss.complete(RUN, jobId, null, inside)
      if (later === undefined) return
      await boss.send(LATER, later.job, { ...inside, singletonKey: later.job.id, startAfter: later.seconds })
    }
    try {
      await run(job, end, signal)
    } catch (error) {
      // A stop interrupts runs too, which needs no attention.
      log[signal.aborted ? 'info' : 'warn'](
        { err: error, record: job.id },
        'An enrichment run failed and will be retried',
      )
      throw error
    }
  }
  const options = {
    notifyPollingIntervalSeconds: 5,
    heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
    // Counting the runs of all processes makes every poll more expensive the longer the queue is.
    groupConcurrency: RUNS_AT_A_TIME,
  }
  const workers: string[] = []
  let busy = 0
  while (workers.length < RUNS_AT_A_TIME) {
    const worker = await boss.work<Job>(RUN, options, async (jobs) => {
      busy += 1
      for (const { id, data, signal } of jobs) await runOne(id, data, signal).finally(() => (busy -= 1))
      // There may be more jobs, so free workers poll immediately. A worker that polled while others were taking jobs
      // found none.
      for (const one of busy < RUNS_AT_A_TIME - 1 ? workers : [worker]) boss.notifyWorker(one)
    })
    workers.push(worker)
  }
  await boss.work<Job>(LATER, { pollingIntervalSeconds: 5 }, async (jobs) => {
    for (const { data } of jobs) await ask(data, { priority: -1 })
  })
  if (upkeep) {
    await boss.createQueue(UPKEEP, { policy: 'exclusive', retryLimit: 0, deleteAfterSeconds: 3_600 })
    await boss.schedule(UPKEEP, '0 * * * *')
    await boss.work(UPKEEP, { pollingIntervalSeconds: 5 }, upkeep)
    await boss.send(UPKEEP)
  }

  return {
    ask,
    enqueueMany,
    async queued() {
      const queue = await boss.getQueue(RUN)
      return { waiting: queue?.queuedCount ?? 0, running: queue?.activeCount ?? 0 }
    },
  }
}
