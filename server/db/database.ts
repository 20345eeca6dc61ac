import type { SQL } from 'drizzle-orm'
import { type PgDatabase, PgDialect, type PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema.ts'

/** The database, or a transaction on it. Every store takes it as its first argument. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema> & {
  /** Runs a short transaction in one round trip, so PostgreSQL holds no lock while it waits for us. Not nested. */
  atOnce?: AtOnce
}

/** Statements that do not depend on each other's results. Resolves with the result of the last one. */
export type AtOnce = <Result>(before: SQL, last: (db: Database) => Statement<Result>) => Promise<Result>
export type Statement<Result> = { execute: () => Promise<Result> }

/** Subscribes to a channel of the database. Receives what any process on it sends, once committed. */
export type Listen = (
  channels: Record<string, (payload: string) => void>,
  /** Called after the connection was lost and restored: everything sent in between was missed. */
  onGap: () => void,
) => Promise<StopListening>
type StopListening = () => Promise<void>

/** Sends SQL as written. Without values it may be several statements, whose rows come back as one list. */
type Execute = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/** Reads from one snapshot for as long as needed, while others keep working. The database it passes on is read-only. */
type Snapshot = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>

/** An open database. `close` waits for running work. */
export type OpenDatabase = {
  db: Database
  execute: Execute
  listen: Listen
  snapshot: Snapshot
  /** The pool: open and idle connections, and callers waiting for one. */
  connections: () => { open: number; idle: number; waiting: number }
  close: () => Promise<void>
}

const dialect = new PgDialect()

/**
 * The rows of a statement written as SQL. Cast integers to `int` or `float8` in the SQL. With a name, each connection prepares it once:
 * for one that is planned for longer than it runs. Its text has to be the same each time.
 */
export async function rowsOf<Row>(db: Database, statement: SQL, name?: string): Promise<Row[]> {
  const asked =
    name === undefined
      ? db.execute(statement)
      : db._.session.prepareQuery(dialect.sqlToQuery(statement), undefined, name, false).execute()
  return ((await asked) as unknown as { rows: Row[] }).rows
}

/** The underlying error, without the failed statement and its thousands of values. */
export const firstCause = (error: unknown): Error =>
  error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : (error as Error)

export const FOREIGN_KEY_VIOLATION = '23503'

const unreachable =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN/
/** Errors that `pg` reports in words only. */
const saidByDriver =
  /timeout exceeded when trying to connect|Connection terminated|timeout expired|Query read timeout|not queryable|after calling end on the pool/
/** Why a connection is closed before its first use: a switch that turns too early leads to a server that only reads. */
export const IS_STANDBY = 'The database is a standby, which only reads'

/** Whether the connection to the database is broken or could not be made. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  (unreachable.test((error as { code?: string }).code ?? '') ||
    saidByDriver.test(error.message) ||
    error.message === IS_STANDBY ||
    isConnectionError(error.cause))
