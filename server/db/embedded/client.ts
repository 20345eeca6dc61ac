import { type Engine, startEngine } from './engine.ts'
import { DiskRefused, isClosed, isLost } from './errors.ts'
import { inspectFolder } from './folder.ts'
import { createListeners } from './listeners.ts'
import { lockFolder } from './lock.ts'
import type { ThreadStart, Work } from './messages.ts'
import { type Statements, statementsBy } from './statements.ts'
import { runTransaction, type Transaction } from './transaction.ts'
import { createTurns } from './turns.ts'
import { keepLogShort } from './write-ahead-log.ts'

/** What Drizzle's driver for PGlite uses of PGlite, and what the server and its tests need besides. */
export type EmbeddedClient = Statements & {
  transaction: <T>(callback: (tx: Transaction) => Promise<T>) => Promise<T>
  /** `channel` is the exact name. Returns the way to stop. What is sent while the database is reopened is missed. */
  listen: (channel: string, callback: (payload: string) => void) => Promise<() => Promise<void>>
  /** The whole data folder, for the `snapshot` of a later one. */
  dump: () => Promise<Blob>
  /** Waits for what is under way, and lets the folder go. Rejected when the disk fails while closing. */
  close: () => Promise<void>
}

export type EmbeddedOptions = {
  /** Undefined: in memory, where nothing survives the end of the thread. */
  folder: string | undefined
  statementTimeoutMs: number
  /** How long a transaction may keep everybody waiting without sending a statement. */
  idleTransactionMs?: number
  /** What an earlier `dump` gave, to start a database in memory from. */
  snapshot?: Blob
  /** The database is gone for good: log the reason and end the process at once, with exit code 1. */
  onLost: (reason: Error) => void
  log: Log
}

type Log = { info: (message: string) => void; warn: (message: string) => void; error: (message: string) => void }

const reopeningBoundMs = 60_000
const closingBoundMs = 30_000

/**
 * Opens PostgreSQL in a thread of this process, on a folder that only this process may use. An answer means that the
 * disk has it. A statement that runs too long ends the thread, and the database is opened again.
 *
 * Throws FolderInUse, DatabaseFolderUnreadable, FolderError or DiskRefused, each with a sentence for the log.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedClient> {
  const { folder, statementTimeoutMs, idleTransactionMs = 15_000, snapshot, onLost, log } = options
  const lock = folder === undefined ? undefined : lockFolder(folder)
  const turns = createTurns()
  const listeners = createListeners(log)

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
    const from: ThreadStart = {
      ...(folder !== undefined && { place: inspectFolder(folder) }),
      ...(snapshot && { snapshot }),
    }
    return startEngine({ start: from, statementTimeoutMs, onNotification: listeners.notify, onEnd: recover })
  }

  function recover(reason: Error, gone: Promise<unknown>) {
    turns.stop()
    if (reason instanceof DiskRefused || folder === undefined) return lose(reason)
    log.warn(`${reason.message} Opening the database again.`)
    const bound = setTimeout(() => lose(new Error('The database could not be opened again in time.')), reopeningBoundMs)
    reopen(gone)
      .catch(lose)
      .finally(() => clearTimeout(bound))
  }

  async function reopen(gone: Promise<unknown>) {
    await gone
    const next = await start()
    const { exec } = statementsBy(next.post, { alone: true })
    for (const sql of listeners.statements()) await exec(sql)
    if (lost) return
    engine = next
    log.info('The database is open again.')
    turns.goOn()
  }

  function lose(reason: Error) {
    if (lost) return
    lost = reason
    // Those who wait for their turn are to hear of it.
    turns.goOn()
    onLost(reason)
  }

  function post<T>(work: Work, how?: { timed: boolean }): Promise<T> {
    return new Promise((resolve, reject) => {
      if (closing) throw isClosed()
      turns.pass(() => {
        if (lost) reject(isLost(lost))
        else engine.post<T>(work, how).then(resolve, reject)
      })
    })
  }

  async function transaction<T>(callback: (tx: Transaction) => Promise<T>): Promise<T> {
    if (closing) throw isClosed()
    const turn = await turns.take()
    const leave = () => turns.leave(turn)
    if (!lost) return runTransaction({ engine, idleTransactionMs, leave, callback })
    leave()
    throw isLost(lost)
  }

  async function close() {
    stopKeepingLogShort()
    await turns.take()
    try {
      if (!lost) await engine.close(closingBoundMs)
    } finally {
      lock?.release()
    }
  }

  const statements = statementsBy(post, { alone: true })
  const stopKeepingLogShort = lock ? keepLogShort(post, log) : () => {}

  return {
    ...statements,
    transaction,
    listen: (channel, callback) => listeners.listen(statements, channel, callback),
    dump: async () => new Blob([await post<ArrayBuffer>({ kind: 'dump' }, { timed: false })]),
    close() {
      closing ??= close()
      return closing
    },
  }
}
