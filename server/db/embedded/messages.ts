import type { ErrorFields } from './errors.ts'

export type RowMode = 'array' | 'object'

/**
 * One statement. `alone`: it belongs to no transaction and must not leave one open. `isPrepared`: it runs often, so its
 * plan is kept.
 */
export type Work =
  | { kind: 'query'; sql: string; params: unknown[]; rowMode: RowMode; isPrepared: boolean; alone: boolean }
  | { kind: 'exec'; sql: string; rowMode: RowMode; alone: boolean }
  | { kind: 'dump' }
  | { kind: 'close' }

/** To the worker. Requests run one after the other, in the order they were posted. */
export type Request = { id: number; work: Work }

/** From the worker. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: ErrorFields }
  | { kind: 'notification'; channel: string; payload: string }
  /** Sent last by a worker that could not open the database. */
  | { kind: 'unreadable'; message: string }
  /** Sent last by a worker whose disk failed: no worker may confirm anything after it. */
  | { kind: 'disk-refused'; code: string }
  /** Sent last by a worker whose PostgreSQL broke down. Opening the database again recovers. */
  | { kind: 'broken'; message: string }

/** The start data of a worker. Without a data folder the database is in memory. */
export type WorkerStart = { dataFolder?: DataFolder; snapshot?: Blob }

/** The folder of the database, and the folder in which a new one is created. */
export type DataFolder = { database: string; unfinished: string }
