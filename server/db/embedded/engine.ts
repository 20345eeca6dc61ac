import { Worker } from 'node:worker_threads'
import { programOf } from '#server/files.ts'
import { publish } from '#server/telemetry.ts'
import { DatabaseFolderUnreadable, DiskRefused, EmbeddedError, tookTooLong, wentAway } from './errors.ts'
import type { Report, Work, WorkerStart } from './messages.ts'

/** One worker thread with the database open in it, from its start to its end. */
export type Engine = {
  /** Runs in the order of posting. Work that is not `timed` has no deadline. */
  post: <T>(work: Work, options?: { timed: boolean }) => Promise<T>
  /** Closes the database and ends the worker, by force after `boundMs`. */
  close: (boundMs: number) => Promise<void>
}

type EngineOptions = {
  start: WorkerStart
  statementTimeoutMs: number
  /** Whether the deadline is lifted for now. */
  deadline?: { isOff: boolean }
  onNotification: (channel: string, payload: string) => void
  /** Called when an open engine ended unexpectedly. Once `terminated` settles, its worker no longer touches the folder. */
  onEnd: (reason: Error, terminated: Promise<unknown>) => void
}

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void; timed: boolean; postedAt: number }

/** Opens the database in a worker thread. */
export function startEngine({
  start,
  statementTimeoutMs,
  deadline,
  onNotification,
  onEnd,
}: EngineOptions): Promise<Engine> {
  const worker = new Worker(programOf('db/embedded/worker'), { workerData: start, name: 'database' })
  const opened = Promise.withResolvers<Engine>()
  let state: 'opening' | 'open' | 'closing' | 'ended' = 'opening'

  /** In the order of posting, which is the order of execution: the first one is running. */
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let clock: NodeJS.Timeout | undefined

  function post<T>(work: Work, { timed } = { timed: true }): Promise<T> {
    return new Promise((resolve, reject) => {
      if (state === 'ended') throw wentAway()
      const id = ++lastId
      worker.postMessage({ id, work })
      waiting.set(id, { resolve, reject, timed, postedAt: performance.now() })
      if (waiting.size === 1) watchFirst()
    })
  }

  function take(id: number): Waiting | undefined {
    const taken = waiting.get(id)
    waiting.delete(id)
    watchFirst()
    if (taken?.timed) publish('statement', { seconds: (performance.now() - taken.postedAt) / 1000 })
    return taken
  }

  function watchFirst() {
    clearTimeout(clock)
    const [first] = waiting
    if (!first?.[1].timed || deadline?.isOff) return
    const stopIfUnderWay = () => {
      if (waiting.has(first[0])) end(new Overdue(statementTimeoutMs))
    }
    // If this thread was busy, the result may have arrived unread. setImmediate runs after pending messages.
    clock = setTimeout(() => setImmediate(stopIfUnderWay), statementTimeoutMs)
  }

  function end(reason: Error) {
    if (state === 'ended') return
    const before = state
    state = 'ended'
    clearTimeout(clock)
    const terminated = worker.terminate()
    for (const [index, { reject }] of [...waiting.values()].entries()) {
      if (before === 'closing') reject(reason)
      else reject(index === 0 && reason instanceof Overdue ? tookTooLong(statementTimeoutMs) : wentAway())
    }
    waiting.clear()
    if (before === 'open') onEnd(reason, terminated)
    if (before === 'opening') terminated.finally(() => opened.reject(reason))
  }

  async function close(boundMs: number): Promise<void> {
    if (state === 'open') state = 'closing'
    const bound = setTimeout(() => end(new Error(`Closing the database took more than ${boundMs} ms.`)), boundMs)
    try {
      await post({ kind: 'close' }, { timed: false })
    } finally {
      clearTimeout(bound)
      await worker.terminate()
    }
  }

  worker.on('message', (report: Report) => {
    if (state === 'ended') return
    switch (report.kind) {
      case 'answer':
        return take(report.id)?.resolve(report.value as never)
      case 'failure':
        return take(report.id)?.reject(new EmbeddedError(report.error))
      case 'notification':
        return onNotification(report.channel, report.payload)
      case 'ready':
        state = 'open'
        return opened.resolve({ post, close })
      case 'disk-refused':
        return end(new DiskRefused(report.code))
      case 'unreadable':
        return end(new DatabaseFolderUnreadable(`The database cannot be opened: ${report.message}`))
      case 'broken':
        return end(new Error(`The database broke down: ${report.message}`))
    }
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('The thread of the database ended.')))
  return opened.promise
}

/** A statement exceeded its time limit. Only ending the worker stops it. */
class Overdue extends Error {
  constructor(limitMs: number) {
    super(`A statement ran for more than ${limitMs} ms.`)
  }
}
