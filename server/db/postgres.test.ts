import { once } from 'node:events'
import { createServer } from 'node:net'
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
  it('fails a transaction when its connection breaks between two statements, and nothing else', {
    tags: 'slow',
  }, async () => {
    const { db, aside } = await world()
    const broken = addTwice(db, async (pid) => {
      await aside.execute(sql`select pg_terminate_backend(${pid})`)
      await pause(200)
    })
    await expect(broken).rejects.toSatisfy(isConnectionError)
    await addTwice(db, async () => {})
  })

  it('loses no connection to transactions that failed to begin', { tags: 'slow' }, async () => {
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

  it('stops a statement at its limit, and uses the connection again', async () => {
    const { db } = await world()
    const slow = db.transaction((tx) => tx.execute(sql`select pg_sleep(30)`))
    await expect(slow).rejects.toSatisfy((error) => sqlState(error) === '57014')
    await addTwice(db, async () => {})
  })
})

describe('A new connection', () => {
  /** What a server receives first: pairs of names and values. */
  async function startupParameters() {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const database = openPostgres({
      url: `postgres://product@127.0.0.1:${port}/x`,
      connections: 1,
      statementTimeoutMs: 1_000,
      log: quietLog,
    })
    const asked = database.execute('select 1').catch(() => {})
    const [socket] = await once(server, 'connection')
    const [bytes] = await once(socket, 'data')
    socket.destroy()
    await asked
    await database.close()
    return (bytes as Buffer).subarray(8).toString().split('\0')
  }

  it('starts with parameters that every pooler takes', async () => {
    const names = (await startupParameters()).filter((_, at) => at % 2 === 0).filter(Boolean)
    expect(names.sort()).toEqual(['application_name', 'client_encoding', 'database', 'user'])
  })

  it('has its limits before its first statement, and keeps them', async () => {
    const { db } = await world()
    const settings = () =>
      rowsOf(
        db,
        sql`select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout', 'jit',
          'idle_in_transaction_session_timeout', 'max_parallel_workers_per_gather') order by name`,
      )
    const expected = {
      idle_in_transaction_session_timeout: '15000',
      jit: 'off',
      lock_timeout: '4000',
      max_parallel_workers_per_gather: '0',
      statement_timeout: '2000',
    }
    const rows = Object.entries(expected).map(([name, setting]) => ({ name, setting }))
    expect(await settings()).toEqual(rows)
    expect(await settings()).toEqual(rows)
  })

  it('is given up within three seconds at a pooler that has lost its server', { tags: 'slow' }, async () => {
    const LET_IN = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')
    const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write(LET_IN)))
    server.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const url = `postgres://product@127.0.0.1:${port}/x`
    const database = openPostgres({ url, connections: 1, statementTimeoutMs: 2_000, log: quietLog })
    const refused = database.execute('select 1').catch((error) => isConnectionError(error))
    expect(await Promise.race([refused, pause(3_000, 'waits')])).toBe(true)
  })

  it('fails like one that cannot be made when its limits get no response', { tags: 'slow' }, async () => {
    const url = await freshDatabase()
    const open = (address: string) =>
      openPostgres({ url: address, connections: 1, statementTimeoutMs: 2_000, log: quietLog })
    const aside = open(url)
    // A function of the same name that comes first holds the statement up.
    await aside.execute(`create schema slow; alter database ${new URL(url).pathname.slice(1)} set search_path = slow, pg_catalog, public;
      create function slow.set_config(text, text, boolean) returns text language sql as 'select pg_sleep(30)::text'`)
    const database = open(url)
    await expect(database.execute('select 1')).rejects.toSatisfy(isConnectionError)
    await aside.execute('drop schema slow cascade')
    expect((await database.execute('select 1 as one')).rows).toEqual([{ one: 1 }])
    await Promise.all([database.close(), aside.close()])
  })
})

describe('The state of a failed statement', () => {
  it('is not confused with a system error code of the same length', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    expect(sqlState(broken)).toBeUndefined()
    expect(isConnectionError(broken)).toBe(true)
  })
})
