import type { Engine } from './engine.ts'
import { idledTooLong, transactionIsOver, wasRolledBack } from './errors.ts'
import type { Work } from './messages.ts'
import { type Statements, statementsBy } from './statements.ts'

export type Transaction = Statements & { rollback: () => Promise<void> }

type TransactionOptions<T> = {
  /** A transaction begins and ends in the same worker, or ends with it. */
  engine: Engine
  idleTransactionMs: number
  /** Releases the mutex. */
  release: () => void
  callback: (tx: Transaction) => Promise<T>
}

/** Runs `callback` between BEGIN and COMMIT, or ROLLBACK when it throws. The caller has the database to itself. */
export async function runTransaction<T>(options: TransactionOptions<T>): Promise<T> {
  const { engine, idleTransactionMs, release, callback } = options
  let state: 'open' | 'over' | 'expired' = 'open'
  let underWay = 0
  let clock: NodeJS.Timeout | undefined

  const engineStatements = statementsBy(engine.post, { alone: false })
  const { query, exec } = statementsBy(post, { alone: false })

  async function post<R>(work: Work): Promise<R> {
    refuseUnlessOpen()
    underWay++
    clearTimeout(clock)
    try {
      return await engine.post<R>(work)
    } finally {
      underWay--
      if (state === 'open' && underWay === 0) clock = setTimeout(expire, idleTransactionMs)
    }
  }

  function refuseUnlessOpen() {
    if (state === 'expired') throw idledTooLong(idleTransactionMs)
    if (state === 'over') throw transactionIsOver()
  }

  function expire() {
    // A worker that has ended has rolled back already.
    end('ROLLBACK').catch(() => {})
    state = 'expired'
  }

  /** Releases the mutex as soon as the end is posted: statements that follow run after it. */
  function end(sql: 'COMMIT' | 'ROLLBACK') {
    state = 'over'
    clearTimeout(clock)
    const ending = engineStatements.exec(sql)
    release()
    return ending
  }

  async function rollback() {
    refuseUnlessOpen()
    await end('ROLLBACK')
  }

  try {
    await exec('BEGIN')
    const result = await callback({ query, exec, rollback })
    if (isState('expired')) throw idledTooLong(idleTransactionMs)
    if (isState('over')) return result

    const [committed] = await end('COMMIT')
    if (committed?.command === 'ROLLBACK') throw wasRolledBack()
    return result
  } catch (error) {
    if (isState('open')) await end('ROLLBACK').catch(() => {})
    throw error
  }

  /** A function, because the compiler ignores changes to `state` while the callback runs. */
  function isState(asked: typeof state) {
    return state === asked
  }
}
