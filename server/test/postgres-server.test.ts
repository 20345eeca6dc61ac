import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findPostgres, startPostgres } from './postgres-server.ts'

describe.each(['machine', 'npm'] as const)('A PostgreSQL for tests, from the %s', { timeout: 60_000 }, (from) => {
  const there = it.runIf(findPostgres(from))

  async function start() {
    const server = await startPostgres({ from })
    onTestFinished(server.stop)
    return server
  }

  there('is 15 or newer, sorts by bytes, speaks UTF-8 and offers pg_trgm', async () => {
    const url = (await start()).url('postgres')
    await ask(url, 'create extension pg_trgm')
    const answer = await ask(
      url,
      `select current_setting('server_version_num')::int as version, datcollate as collation,
              pg_encoding_to_char(encoding) as encoding, similarity('founder', 'founder') as similarity
       from pg_database where datname = current_database()`,
    )
    expect(answer).toMatchObject({ collation: 'C', encoding: 'UTF8', similarity: 1 })
    expect(answer?.version).toBeGreaterThanOrEqual(150_000)
  })

  there('is careless unless told to be durable', async () => {
    const durable = await startPostgres({ from, durable: true })
    onTestFinished(durable.stop)
    expect(await ask((await start()).url('postgres'), 'show fsync')).toEqual({ fsync: 'off' })
    expect(await ask(durable.url('postgres'), 'show fsync')).toEqual({ fsync: 'on' })
  })

  there('refuses a wrong password', async () => {
    const url = new URL((await start()).url('postgres'))
    url.password = 'wrong'
    await expect(ask(url.href, 'select 1')).rejects.toThrow(/password authentication failed/)
  })

  there('leaves nothing behind when stopped', async () => {
    const server = await startPostgres({ from })
    const url = server.url('postgres')
    const folder = await folderOf(url)
    await server.stop()
    expect(existsSync(folder)).toBe(false)
    await expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  there('leaves nothing behind when the process that started it is killed', async () => {
    const script = `
      import { startPostgres } from '${new URL('postgres-server.ts', import.meta.url)}'
      const server = await startPostgres({ from: '${from}' })
      process.stdout.write(server.url('postgres'))
      setInterval(() => {}, 1000)`
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname })
    const [url] = await once(owner.stdout.setEncoding('utf8'), 'data')
    const folder = await folderOf(url)
    owner.kill('SIGKILL')
    await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false)
    await expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })
})

async function ask(url: string, statement: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows[0]
  } finally {
    await client.end()
  }
}

async function folderOf(url: string): Promise<string> {
  const answer = await ask(url, 'show data_directory')
  return dirname(String(answer?.data_directory))
}
