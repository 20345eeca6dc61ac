import { StartupError } from '#server/startup-error.ts'

/** The fields of a PostgreSQL error, under the names that `pg` uses. */
export type ErrorFields = {
  message: string
  code?: string
  severity?: string
  detail?: string
  hint?: string
  position?: string
  where?: string
  schema?: string
  table?: string
  column?: string
  dataType?: string
  constraint?: string
}

/** A failed statement. `code` is the SQLSTATE; an error without one did not come from PostgreSQL. */
export class EmbeddedError extends Error {
  declare readonly code?: string
  declare readonly severity?: string
  declare readonly detail?: string
  declare readonly hint?: string
  declare readonly position?: string
  declare readonly where?: string
  declare readonly schema?: string
  declare readonly table?: string
  declare readonly column?: string
  declare readonly dataType?: string
  declare readonly constraint?: string

  constructor(fields: ErrorFields) {
    super(fields.message)
    this.name = 'EmbeddedError'
    Object.assign(this, fields)
  }
}

/** The folder is unusable: in use, not writable, or written by another version. The message is for a person. */
export class FolderError extends StartupError {
  override name = 'FolderError'
}

/** Another process, or this one, has the folder open. */
export class FolderInUse extends FolderError {
  override name = 'FolderInUse'
}

/** The folder holds something that this version cannot read. Nothing in it was changed. */
export class DatabaseFolderUnreadable extends FolderError {
  override name = 'DatabaseFolderUnreadable'
}

/** The disk failed to store what was written. The process must end, because the state on disk is no longer known. */
export class DiskRefused extends Error {
  override name = 'DiskRefused'

  constructor(code: string) {
    super(
      `The disk failed to store what was written (${code}). Stopping, so that no write is confirmed that could be lost.`,
    )
  }
}

export const tookTooLong = (limitMs: number) =>
  new EmbeddedError({ code: '57014', message: `The statement was stopped after running for ${limitMs} ms.` })

/** The outcome of the statement is unknown: it may or may not have run. */
export const wentAway = () =>
  new EmbeddedError({ code: '57P01', message: 'The database was restarted before it answered.' })

export const isLost = (reason: Error) =>
  new EmbeddedError({ code: '57P01', message: `The database is no longer available: ${reason.message}` })

export const isClosed = () => new EmbeddedError({ code: '57P01', message: 'The database is closed.' })

export const idledTooLong = (limitMs: number) =>
  new EmbeddedError({
    code: '25P03',
    message: `The transaction was rolled back after ${limitMs} ms without a statement.`,
  })

export const transactionIsOver = () => new EmbeddedError({ code: '25P01', message: 'The transaction is over.' })

/** COMMIT returns ROLLBACK, without an error, when a statement of the transaction had failed. */
export const wasRolledBack = () =>
  new EmbeddedError({ code: '25P02', message: 'The transaction was rolled back instead of committed.' })

export const leftTransactionOpen = () =>
  new EmbeddedError({ code: '25001', message: 'A single statement left a transaction open. It was rolled back.' })
