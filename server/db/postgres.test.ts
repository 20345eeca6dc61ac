import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTcpProxy } from '#server/db/test/tcp-proxy.ts'
import { sqlState } from '#server/sql-state.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { freshDatabase } from '#server/test/test-database.ts'
import { type Database, isConnectionError, rowsOf } from './database.ts'
import { openPostgres } from './postgres.ts'

const POOL = 2

/** A small pool on a database of its own, over a network connection that can drop packets. */
async function world({ statementTimeoutMs = 2_000 } = {}) {
  const url = await freshDatabase()
  const proxy = await startTcpProxy(url)
  const open = (address: string) => openPostgres({ url: address, connections: POOL, statementTimeoutMs, log: quietLog })
  const [database, aside] = [open(proxy.through(url)), open(url)]
  onTestFinished(async () => {
    await Promise.all([database.close(), aside.close()])
    await proxy.close()
  })
  return { db: database.db, aside: aside.db, proxy }
}

const addTwice = (db: Database, between: (pid: number) => Promise<void>) =>
  db.transaction(async (tx) => {
    const [row] = await rowsOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)
    await between(row?.pid ?? 0)
    await tx.execute(sql`select 1`)
  })

describe('A pool of connections to PostgreSQL', { timeout: 60_000 }, () => {
  it('fails a transaction when its connection breaks between two statements, and nothing else', async () => {
    const { db, aside } = await world()
    const broken = addTwice(db, async (pid) => {
      await aside.execute(sql`select pg_terminate_backend(${pid})`)
      await pause(200)
    })
    await expect(broken).rejects.toSatisfy(isConnectionError)
    await addTwice(db, async () => {})
  })

  it('loses no connection to transactions that failed to begin', async () => {
    const { db, proxy } = await world()
    const transactions = () =>
      Promise.allSettled(Array.from({ length: 2 * POOL }, () => addTwice(db, async () => await pause(20))))
    await transactions()
    proxy.swallow()
    for (const { status } of await transactions()) expect(status).toBe('rejected')
    proxy.pass()
    for (const { status } of await transactions()) expect(status).toBe('fulfilled')
  })

  it('is kept by a process that was too busy to receive a response', { tags: 'slow' }, async () => {
    const { db } = await world({ statementTimeoutMs: 20_000 })
    await addTwice(db, async () => {})
    const slow = db.transaction((tx) => tx.execute(sql`select pg_sleep(6)`))
    const until = performance.now() + 6_000
    // Like a bulk load that generates thousands of rows at the same time and rarely yields.
    while (performance.now() < until) {
      const step = performance.now() + 600
      while (performance.now() < step);
      await turn()
    }
    await slow
  })

  it('stops a statement at its limit, and uses the connection again', { tags: 'slow' }, async () => {
    const { db } = await world()
    const slow = db.transaction((tx) => tx.execute(sql`select pg_sleep(30)`))
    await expect(slow).rejects.toSatisfy((error) => sqlState(error) === '57014')
    await addTwice(db, async () => {})
  })
})

describe('The state of a failed statement', () => {
  it('is not confused with a system error code of the same length', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    expect(sqlState(broken)).toBeUndefined()
    expect(isConnectionError(broken)).toBe(true)
  })
})
