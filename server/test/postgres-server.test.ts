import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPostgres, type PostgresServer, startPostgres } from './postgres-server.ts'

const SOURCES = (['machine', 'npm'] as const).filter((from) => findPostgres(from))

describe.each(SOURCES)('A PostgreSQL for tests, from the %s', { timeout: 60_000 }, (from) => {
  let server: PostgresServer
  let url: string

  beforeAll(async () => {
    server = await startPostgres({ from })
    url = server.url('postgres')
  })
  afterAll(() => server.stop())

  it('is 15 or newer, sorts by bytes, speaks UTF-8 and offers pg_trgm', async () => {
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

  it('does not wait for the disk unless told to', async () => {
    expect(await ask(url, 'show fsync')).toEqual({ fsync: 'off' })
  })

  it('refuses a wrong password', async () => {
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/)
  })

  it('leaves nothing behind when stopped', async () => {
    const folder = await folderOf(url)
    await server.stop()
    expect(existsSync(folder)).toBe(false)
    await expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  it('leaves nothing behind when the process that started it is killed', async () => {
    const script = `
      import { startPostgres } from '${new URL('postgres-server.ts', import.meta.url)}'
      const server = await startPostgres({ from: '${from}', durable: true })
      process.stdout.write(server.url('postgres'))
      setInterval(() => {}, 1000)`
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname })
    const [ownUrl] = await once(owner.stdout.setEncoding('utf8'), 'data')
    expect(await ask(ownUrl, 'show fsync')).toEqual({ fsync: 'on' })
    const folder = await folderOf(ownUrl)
    owner.kill('SIGKILL')
    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
    await expect(ask(ownUrl, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
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
