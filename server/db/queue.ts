import { sql } from 'drizzle-orm'
import type { ConnectionOptions, PgBoss } from 'pg-boss'
import type { Log } from '#server/log.ts'
import { sqlState, UNIQUE_VIOLATION } from '#server/sql-state.ts'
import type { Database, OpenDatabase } from './database.ts'

/** A process without a heartbeat for this long is dead, and its jobs run again. The minimum of pg-boss. */
export const HEARTBEAT_SECONDS = 10
/** How often a running job reports that its process lives. */
export const HEARTBEAT_REFRESH_SECONDS = 3

/** An open queue. `within` makes a call of pg-boss part of a transaction. */
export type OpenQueue = { boss: PgBoss; within: (tx: Database) => { db: NonNullable<ConnectionOptions['db']> } }

export type Queue = ReturnType<typeof createQueue>

/** The queues of the product, on pg-boss: durable, and shared by all processes. Opens on first use. */
export function createQueue({
  database,
  log,
  isScheduled = false,
}: {
  database: OpenDatabase
  log: Log
  /** Whether jobs are scheduled by the clock. */
  isScheduled?: boolean
}) {
  let opening: Promise<OpenQueue> | undefined

  async function start(): Promise<OpenQueue> {
    const { fromDrizzle, PgBoss } = await import('pg-boss')
    const boss = new PgBoss({
      db: { executeSql: (text, values) => database.execute(text, values), listen: listenBy(database) },
      useListenNotify: true,
      schedule: isScheduled,
      superviseIntervalSeconds: HEARTBEAT_SECONDS,
      monitorIntervalSeconds: HEARTBEAT_SECONDS,
      monitorVacuum: false,
    })
    boss.on('error', (error) => log.warn({ err: asError(error) }, 'The queue of jobs reported an error'))
    // Of two processes that make the schema of pg-boss at the same time, one may fail, although it waits for the other.
    await boss.start().catch((error) => {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
      return boss.start()
    })
    return { boss, within: (tx) => ({ db: fromDrizzle(tx as never, sql) }) }
  }

  return {
    open(): Promise<OpenQueue> {
      opening ??= start().catch((error) => {
        opening = undefined
        throw error
      })
      return opening
    },

    /** Running jobs go back into the queue immediately, for the next process that starts. */
    async close(): Promise<void> {
      const open = await opening?.catch(() => undefined)
      await open?.boss.stop({ graceful: false })
      // A worker that is about to ask for jobs still does, and the database may be closed by then.
      open?.boss.removeAllListeners('error').on('error', () => {})
    },
  }
}

/** pg-boss reports the errors of its workers as plain objects. */
const asError = (error: Error): Error => (error instanceof Error ? error : Object.assign(new Error(), error))

const listenBy =
  ({ listen }: OpenDatabase) =>
  async (channel: string, onNotification: (payload: string) => void, onReconnect: () => void) => {
    const stop = await listen({ [channel]: onNotification }, onReconnect)
    return { close: stop }
  }
