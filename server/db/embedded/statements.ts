import type { Results } from '@electric-sql/pglite'
import type { RowMode, Work } from './messages.ts'

/** The calls of the database, and of a transaction on it. Dates and times come as PostgreSQL writes them. */
export type Statements = {
  query: <T>(sql: string, params?: unknown[], options?: StatementOptions) => Promise<Results<T>>
  /** Any number of statements without parameters. */
  exec: (sql: string, options?: StatementOptions) => Promise<Results[]>
}

type StatementOptions = { rowMode?: RowMode; isPrepared?: boolean }

export function statementsBy(post: <T>(work: Work) => Promise<T>, { alone }: { alone: boolean }): Statements {
  return {
    query: (sql, params = [], { rowMode = 'object', isPrepared = false } = {}) =>
      post({ kind: 'query', sql, params, rowMode, isPrepared, alone }),
    exec: (sql, { rowMode = 'object' } = {}) => post({ kind: 'exec', sql, rowMode, alone }),
  }
}
