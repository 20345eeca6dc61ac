import type { ErrorFields } from './errors.ts'

export type RowMode = 'array' | 'object'

/**
 * What one statement asks. `alone`: it belongs to no transaction, and must not leave one open behind it. `isPrepared`: it comes
 * again and again, and its plan is kept.
 */
export type Work =
  | { kind: 'query'; sql: string; params: unknown[]; rowMode: RowMode; isPrepared: boolean; alone: boolean }
  | { kind: 'exec'; sql: string; rowMode: RowMode; alone: boolean }
  | { kind: 'dump' }
  | { kind: 'close' }

/** To the thread. Requests are carried out one after the other, in the order they were posted. */
export type Request = { id: number; work: Work }

/** From the thread. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: ErrorFields }
  | { kind: 'notification'; channel: string; payload: string }
  /** The last word of a thread that could not open the database. */
  | { kind: 'unreadable'; message: string }
  /** The last word of a thread whose disk failed: nothing more may be acknowledged, by any thread. */
  | { kind: 'disk-refused'; code: string }
  /** The last word of a thread whose PostgreSQL broke down. Opening it again recovers. */
  | { kind: 'broken'; message: string }

/** What a thread is started with. Without a data folder the database is in memory. */
export type WorkerStart = { dataFolder?: DataFolder; snapshot?: Blob }

/** Where the database lives, and where it is made when it is not there yet. */
export type DataFolder = { database: string; unfinished: string }
