import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema.ts'

/** Either database, or a transaction on it: what every store takes as its first argument. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema> & {
  /** A short transaction in one round trip: PostgreSQL holds its locks for no answer of ours. Not within another one. */
  atOnce?: AtOnce
}

/** Statements none of which needs an answer of those before it; resolves with that of the last. */
export type AtOnce = <Result>(before: SQL, last: (db: Database) => Statement<Result>) => Promise<Result>
export type Statement<Result> = { execute: () => Promise<Result> }

/** Hears what is sent on a channel of the database, by any process on it, once it is committed. */
export type Listen = (
  channels: Record<string, (payload: string) => void>,
  /** Called when the way to the database was lost and is there again: whatever was sent meanwhile was missed. */
  onGap: () => void,
) => Promise<StopListening>
type StopListening = () => Promise<void>

/** Sends SQL as it is written; without values it may be several statements, whose rows come back as one list. */
type Execute = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/** Reads as of one moment, for as long as it takes, while everybody else goes on. What it is given is read-only. */
type Snapshot = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>

/** A database that is open. `close` waits for what is under way; `isShared` when other processes may be on it. */
export type OpenDatabase = {
  db: Database
  isShared: boolean
  execute: Execute
  listen: Listen
  snapshot: Snapshot
  /** Lets every statement take as long as it needs until the work is done; nobody is answered meanwhile. */
  withoutTimeout: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Where there is a pool of them: how many connections are open and idle, and who waits for one. */
  connections?: () => { open: number; idle: number; waiting: number }
  close: () => Promise<void>
}

/** Rows of a statement written as SQL, the same from either driver. Integers: cast to `int` or `float8` in the SQL. */
export async function rowsOf<Row>(db: Database, statement: SQL): Promise<Row[]> {
  const result = (await db.execute(statement)) as unknown as { rows: Row[] }
  return result.rows
}

/** What went wrong, without the statement that failed, and its thousands of values. */
export const firstCause = (error: unknown): Error =>
  error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : (error as Error)

export const FOREIGN_KEY_VIOLATION = '23503'

/**
 * The SQLSTATE of a failed statement, whichever driver and wrapper it comes from; undefined for other errors, also for
 * those of the system whose codes are as long, such as EPIPE.
 */
export function sqlState(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9FHPX][0-9A-Z]{4}$/.test(at.code)) return at.code
  }
  return undefined
}

const unreachable =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/
/** What `pg` says in words only. */
const saidByDriver =
  /timeout exceeded when trying to connect|Connection terminated|timeout expired|Query read timeout|not queryable|after calling end on the pool/

/** The way to the database is broken, or nobody is at its end. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  (unreachable.test((error as { code?: string }).code ?? '') ||
    saidByDriver.test(error.message) ||
    isConnectionError(error.cause))
