import { rm } from 'node:fs/promises'
import { createBaseBackup } from './base-backup.ts'
import { inspectFolder } from './data-folder.ts'
import { watchDiskSpace } from './disk-space.ts'
import { type Engine, startEngine } from './engine.ts'
import { DiskRefused, isClosed, isLost } from './errors.ts'
import { createListeners } from './listeners.ts'
import { lockFolder } from './lock.ts'
import type { Work, WorkerStart } from './messages.ts'
import { createMutex } from './mutex.ts'
import { type Statements, statementsBy } from './statements.ts'
import { keepStatistics } from './statistics.ts'
import { runTransaction, type Transaction } from './transaction.ts'
import { keepLogShort, newestCheckpoint } from './write-ahead-log.ts'

/** The part of PGlite that Drizzle's driver uses, and further functions for the server and its tests. */
export type EmbeddedClient = Statements & {
  transaction: <T>(callback: (tx: Transaction) => Promise<T>) => Promise<T>
  /**
   * `channel` is the exact name. Notifications sent during a breakdown are missed; `onGap` is called afterwards.
   * Returns a function that unsubscribes.
   */
  listen: (channel: string, callback: (payload: string) => void, onGap?: () => void) => Promise<() => Promise<void>>
  /** The whole data folder, for the `snapshot` of another database. */
  dump: () => Promise<Blob>
  /**
   * A separate database with everything committed so far, for slow readers. The copy is made on disk while this
   * database keeps working, and is deleted when it is closed. One at a time.
   */
  openCopy: () => Promise<EmbeddedClient>
  /** Lifts the deadline of statements until the work is done. */
  withoutTimeout: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits for running work, and unlocks the folder. Rejects when the disk fails while closing. */
  close: () => Promise<void>
}

export type EmbeddedOptions = {
  /** Undefined: in memory, where nothing survives the end of the worker. */
  folder: string | undefined
  statementTimeoutMs: number
  /** How long a transaction may block all others without sending a statement. */
  idleTransactionMs?: number
  /** The result of an earlier `dump`, to start an in-memory database from. */
  snapshot?: Blob
  /** The database is lost for good: log the reason and end the process immediately, with exit code 1. */
  onLost: (reason: Error) => void
  log: Log
}

type Log = { info: (message: string) => void; warn: (message: string) => void; error: (message: string) => void }

const reopeningBoundMs = 60_000
const closingBoundMs = 30_000
/** For reading a copy, which blocks no other caller. */
const COPY_TIMEOUT_MS = 24 * 3_600_000

/**
 * Opens PostgreSQL in a worker thread, on a folder that only this process may use. A result means that the disk has the
 * data. A statement that runs too long ends the worker, and the database is opened again.
 *
 * Throws FolderInUse, DatabaseFolderUnreadable, FolderError or DiskRefused, each with a sentence for the log.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedClient> {
  const { folder, statementTimeoutMs, idleTransactionMs = 15_000, snapshot, onLost, log } = options
  const lock = folder === undefined ? undefined : lockFolder(folder)
  const mutex = createMutex()
  const listeners = createListeners(log)

  const deadline = { isOff: false }

  let engine: Engine
  let lost: Error | undefined
  let closing: Promise<void> | undefined
  try {
    engine = await start()
  } catch (error) {
    lock?.release()
    throw error
  }

  function start(): Promise<Engine> {
    const from: WorkerStart = {
      ...(folder !== undefined && { dataFolder: inspectFolder(folder) }),
      ...(snapshot && { snapshot }),
    }
    return startEngine({ start: from, statementTimeoutMs, deadline, onNotification: listeners.notify, onEnd: recover })
  }

  function recover(reason: Error, terminated: Promise<unknown>) {
    mutex.pause()
    if (reason instanceof DiskRefused || folder === undefined) return fail(reason)
    log.warn(`${reason.message} Opening the database again.`)
    const bound = setTimeout(() => fail(new Error('The database could not be opened again in time.')), reopeningBoundMs)
    reopen(terminated)
      .catch(fail)
      .finally(() => clearTimeout(bound))
  }

  async function reopen(terminated: Promise<unknown>) {
    await terminated
    const next = await start()
    const { exec } = statementsBy(next.post, { alone: true })
    for (const sql of [...listeners.statements(), ...(diskSpace?.statements() ?? [])]) await exec(sql)
    if (lost) return
    engine = next
    log.info('The database is open again.')
    mutex.resume()
    listeners.notifyGap()
  }

  function fail(reason: Error) {
    if (lost) return
    lost = reason
    // Callers waiting in the queue get the error too.
    mutex.resume()
    onLost(reason)
  }

  function post<T>(work: Work, how?: { timed: boolean }): Promise<T> {
    return new Promise((resolve, reject) => {
      if (closing) throw isClosed()
      mutex.enqueue(() => {
        if (lost) reject(isLost(lost))
        else engine.post<T>(work, how).then(resolve, reject)
      })
    })
  }

  async function transaction<T>(callback: (tx: Transaction) => Promise<T>): Promise<T> {
    if (closing) throw isClosed()
    const ticket = await mutex.acquire()
    const release = () => mutex.release(ticket)
    if (!lost) return runTransaction({ engine, idleTransactionMs, release, callback })
    release()
    throw isLost(lost)
  }

  async function dump() {
    return new Blob([await post<ArrayBuffer>({ kind: 'dump' }, { timed: false })])
  }

  async function openCopy(): Promise<EmbeddedClient> {
    const timeout = { statementTimeoutMs: COPY_TIMEOUT_MS, idleTransactionMs: COPY_TIMEOUT_MS }
    const lost = (reason: Error) => log.warn(`The copy of the database was lost: ${reason.message}`)
    if (folder === undefined) {
      return openEmbedded({ ...timeout, folder, snapshot: await dump(), onLost: lost, log })
    }
    // Its checkpoints would break the copy. Without them the log grows while the copy is made.
    stopKeepingLogShort()
    const copy = await createBaseBackup({
      folder,
      checkpoint: async () => {
        const { exec } = statementsBy((work) => post(work, { timed: false }), { alone: true })
        await exec('CHECKPOINT')
      },
      newestCheckpoint: () => newestCheckpoint(statements),
    }).finally(() => {
      stopKeepingLogShort()
      if (!closing) stopKeepingLogShort = keepLogShort(post, log)
    })
    const remove = () => rm(copy, { recursive: true, force: true })
    try {
      const client = await openEmbedded({ ...timeout, folder: copy, onLost: lost, log })
      return { ...client, close: () => client.close().finally(remove) }
    } catch (error) {
      await remove()
      throw error
    }
  }

  async function withoutTimeout<T>(work: () => Promise<T>): Promise<T> {
    deadline.isOff = true
    try {
      return await work()
    } finally {
      deadline.isOff = false
    }
  }

  async function close() {
    stopKeepingLogShort()
    stopKeepingStatistics()
    diskSpace?.stop()
    await mutex.acquire()
    try {
      if (!lost) await engine.close(closingBoundMs)
    } finally {
      lock?.release()
    }
  }

  const statements = statementsBy(post, { alone: true })
  const diskSpace = folder === undefined ? undefined : watchDiskSpace(folder, { post, log })
  let stopKeepingLogShort = lock ? keepLogShort(post, log) : () => {}
  const stopKeepingStatistics = lock ? keepStatistics(post, log) : () => {}

  return {
    ...statements,
    transaction,
    listen: (channel, callback, onGap) => listeners.listen(statements, channel, { callback, onGap }),
    dump,
    openCopy,
    withoutTimeout,
    close() {
      closing ??= close()
      return closing
    },
  }
}
