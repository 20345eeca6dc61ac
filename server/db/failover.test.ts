import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startTcpProxy } from '#server/db/test/tcp-proxy.ts'
import { startPostgres } from '#server/test/postgres-server.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { freshDatabase } from '#server/test/test-database.ts'
import { isConnectionError, rowsOf } from './database.ts'
import { withClient } from './embedded/client.ts'
import { openPostgres } from './postgres.ts'

const POOL = 2

it('A connection to a standby fails like one that cannot be made, before its first use', async () => {
  // Not through a pooler, which keeps connections from before the change.
  const { host } = new URL(inject('database').url)
  const url = Object.assign(new URL(await freshDatabase()), { host }).href
  const name = new URL(url).pathname.slice(1)
  const asStandby = `create schema standby;
    create function standby.pg_is_in_recovery() returns boolean language sql as 'select true';
    alter database ${name} set search_path = standby, pg_catalog, public`
  await withClient(url, (client) => client.query(asStandby))
  const { db, close } = openPostgres({ url, connections: POOL, statementTimeoutMs: 2_000, log: quietLog })
  onTestFinished(close)
  await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isConnectionError)
})

it('A pool closes connections to a former server that never responds, and to a standby, and works once it is promoted', {
  timeout: 60_000,
  tags: 'slow',
}, async () => {
  const primary = await startPostgres()
  const url = await primary.newDatabase()
  await primary.end('SIGINT')
  const standby = await startPostgres({ standbyOf: primary })
  await primary.start()
  const proxy = await startTcpProxy(url)
  const pool = { url: proxy.through(url), connections: POOL, statementTimeoutMs: 30_000, log: quietLog }
  const { db, close } = openPostgres(pool)
  onTestFinished(async () => {
    await close()
    await proxy.close()
    await Promise.all([primary.stop(), standby.stop()])
  })
  const twice = () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      await pause(500)
      await tx.execute(sql`select 1`)
    })
  const atOnce = () => Promise.all(Array.from({ length: POOL }, twice))

  await atOnce()
  proxy.lose()
  proxy.turnTo(standby.url('postgres'))
  await expect(twice()).rejects.toSatisfy(isConnectionError)
  await expect(twice()).rejects.toSatisfy(isConnectionError)
  await withClient(standby.url('postgres'), (client) => client.query('select pg_promote()'))
  await atOnce()
})

it('PostgreSQL asks a silent client for a sign of life after 10 s, so that a lost one takes no place for hours', async () => {
  const server = await startPostgres({ overNetwork: true })
  const url = await server.newDatabase()
  const { db, close } = openPostgres({ url, connections: POOL, statementTimeoutMs: 2_000, log: quietLog })
  onTestFinished(async () => {
    await close()
    await server.stop()
  })
  const rows = await rowsOf<{ setting: string }>(
    db,
    sql`select name, setting from pg_settings where name like 'tcp_keepalives_%' order by name`,
  )
  expect(rows.map(({ setting }) => setting)).toEqual(['3', '10', '5'])
})

it('A commit whose wait for a synchronous standby is cancelled fails like a lost connection, and is not acknowledged', {
  timeout: 60_000,
}, async () => {
  const primary = await startPostgres()
  const url = await primary.newDatabase()
  await withClient(url, (client) => client.query('create table kept (id int)'))
  await withClient(primary.url('postgres'), async (client) => {
    await client.query("alter system set synchronous_standby_names = 'missing'")
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`)
    await client.query('select pg_reload_conf()')
  })
  const { db, close } = openPostgres({ url, connections: POOL, statementTimeoutMs: 30_000, log: quietLog })
  onTestFinished(async () => {
    await close()
    await primary.stop()
  })
  const cancelWaiting = () =>
    withClient(primary.url('postgres'), async (client) => {
      const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
      while ((await client.query(cancel)).rows.length === 0) await pause(20)
    })
  const insert = sql`insert into kept values (1)`
  for (const write of [() => db.execute(insert), () => db.transaction((tx) => tx.execute(insert))]) {
    const written = expect(write()).rejects.toSatisfy(isConnectionError)
    await cancelWaiting()
    await written
  }
})
