import type { OpenQueue } from '#server/db/queue.ts'
import { HEARTBEAT_REFRESH_SECONDS, HEARTBEAT_SECONDS } from '#server/db/queue.ts'

// The queues of imports.

/**
 * Files are read in parallel with running imports, several at a time, one of each account. Small ones have workers of
 * their own, so that none waits for a large one.
 */
const READ_SMALL = 'import-read-small'
const READ_LARGE = 'import-read'
/** Runs and reverts: one at a time across all processes, so that no import misses records of another one. */
const RUN = 'import-run'
/** In parallel with both, because they only queue jobs, and delete what no one sees. */
const LOOK_UP = 'import-look-up'
const DELETE = 'import-delete'

/** Reading this many rows takes a few seconds. */
const SMALL_ROWS = 2_000

export type Act = 'reading' | 'running' | 'reverting' | 'looking-up' | 'deleting'

export const queueOf = (act: Act, rows: number): string => {
  if (act === 'reading') return rows <= SMALL_ROWS ? READ_SMALL : READ_LARGE
  return act === 'looking-up' ? LOOK_UP : act === 'deleting' ? DELETE : RUN
}

export const queuesOf = (act: Act): string[] => (act === 'reading' ? [READ_SMALL, READ_LARGE] : [queueOf(act, 0)])

type Workers = {
  queue: string
  /** How many jobs a process works on at the same time. */
  count: number
  /** Only one job of a group at a time, over all processes. */
  isByGroup: boolean
}

export const WORKERS: Workers[] = [
  { queue: READ_SMALL, count: 4, isByGroup: true },
  { queue: READ_LARGE, count: 2, isByGroup: true },
  { queue: RUN, count: 1, isByGroup: true },
  { queue: LOOK_UP, count: 1, isByGroup: false },
  { queue: DELETE, count: 1, isByGroup: false },
]

export const createImportQueue = ({ boss }: OpenQueue, queue: string) =>
  boss.createQueue(queue, {
    policy: 'exclusive',
    notify: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: 6 * 3_600,
    retryLimit: 1_000,
    retryDelay: 1,
    deleteAfterSeconds: 3_600,
  })

export const workOptions = ({ isByGroup }: Workers) => ({
  notifyPollingIntervalSeconds: 5,
  heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
  includeMetadata: true as const,
  ...(isByGroup && { groupConcurrency: 1 }),
})
