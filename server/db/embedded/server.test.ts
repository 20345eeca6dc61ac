import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { withClient } from './client.ts'
import { addressOf, type Embedded, startEmbedded } from './server.ts'

const running = new Set<Embedded>()
afterEach(async () => {
  await Promise.all([...running].map(({ stop }) => stop()))
  running.clear()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-embedded-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return folder
}

/** The data folder of a product that has run before. */
function usedFolder(): string {
  const folder = join(newFolder(), 'data')
  copyDataFolder(inject('dataFolder'), folder)
  return folder
}

async function start(folder: string, onLost: (reason: Error) => void = () => {}): Promise<Embedded> {
  const server = await startEmbedded({ folder, connections: 2, log: quietLog, onLost })
  running.add(server)
  return server
}

const ask = async (url: string, statement: string) =>
  withClient(url, async (client) => (await client.query(statement)).rows)

const pidIn = (folder: string) => Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The process that would stop the server when this one ends. */
const watchOf = (pid: number) =>
  Number(execFileSync('pgrep', ['-f', `sh ${pid} .*postmaster.pid`], { encoding: 'utf8' }).split('\n')[0])

describe('The database that the product starts', { timeout: 120_000 }, () => {
  it('listens on a socket in its folder alone, with passwords of its own that only this user can read', {
    tags: 'slow',
  }, async () => {
    const [folder, other] = [join(newFolder(), 'data'), usedFolder()]
    const { url, pid } = await start(folder)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await ask(url, `select setting from pg_settings where name = 'listen_addresses'`)).toEqual([{ setting: '' }])
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'postgres.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'postgres.json'), 'utf8')).not.toBe(
      readFileSync(join(other, 'postgres.json'), 'utf8'),
    )
    const wrong = url.replace(/:[^:@]+@/, ':wrong@')
    await expect(ask(wrong, 'select 1')).rejects.toThrow(/password authentication failed/)
    expect(pidIn(folder)).toBe(pid)
  })

  it('does not let the role of the product reach beyond its database', async () => {
    const { url } = await start(usedFolder())
    for (const [what, statement] of [
      ['read a file of the server', `select pg_read_file('/etc/hostname')`],
      ['run a program', `copy (select 1) to program 'true'`],
      ['write a file of the server', `select lo_export(lo_from_bytea(0, 'x'), '/tmp/sourcebook-export')`],
      ['change a setting of the server', 'alter system set fsync = off'],
    ] as const) {
      await expect(ask(url, statement), what).rejects.toThrow(/permission denied|must be superuser/)
    }
  })

  it('works in a folder whose name has special characters', async () => {
    const folder = join(newFolder(), 'our data (ö, 100 %) #2')
    copyDataFolder(inject('dataFolder'), folder)
    const { url } = await start(folder)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts on a folder that is named from the working directory, as by default', { tags: 'slow' }, async () => {
    const folder = relative(process.cwd(), join(newFolder(), 'data'))
    const { url, stop } = await start(folder)
    expect(addressOf(folder)).toBe(url)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stop()
    expect(await ask((await start(folder)).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('has checksums, and syncs each commit before it is acknowledged', async () => {
    const { url, superuserUrl } = await start(usedFolder())
    expect(await ask(url, 'show data_checksums')).toEqual([{ data_checksums: 'on' }])
    const syncs = async () => {
      const [row] = await ask(
        superuserUrl('sourcebook'),
        `select sum(fsyncs)::int as fsyncs from pg_stat_io where object = 'wal'`,
      )
      return row.fsyncs
    }
    const before = await syncs()
    await withClient(url, async (client) => {
      await client.query('create table synced (i int)')
      for (let i = 0; i < 200; i += 1) await client.query('insert into synced values ($1)', [i])
      await client.query('select pg_stat_force_next_flush()')
      await client.query('select 1')
    })
    expect((await syncs()) - before).toBeGreaterThanOrEqual(200)
  })

  it('listens in a folder of its own where the path is too long, which goes with the next start or stop', {
    tags: 'slow',
  }, async () => {
    const long = join(newFolder(), 'x'.repeat(100), 'é'.repeat(50))
    mkdirSync(join(long, '..'), { recursive: true })
    copyDataFolder(inject('dataFolder'), long)
    const socketsIn = () => JSON.parse(readFileSync(join(long, 'postgres.json'), 'utf8')).sockets
    const { url, stop } = await start(long)
    const sockets = socketsIn()
    expect(statSync(sockets).mode & 0o777).toBe(0o700)
    expect(addressOf(long)).toBe(url)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stop()
    running.clear()
    expect(existsSync(sockets)).toBe(false)
  })

  it('deletes what an interrupted start has left, and starts', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'postgres-unfinished-x', 'data'), { recursive: true })
    writeFileSync(join(folder, 'postgres-unfinished-x', 'data', 'PG_VERSION'), '18\n')
    await start(folder)
    expect(readdirSync(folder).filter((name) => name.startsWith('postgres-unfinished'))).toEqual([])
  })
})

describe('A server that is there at the start', { timeout: 120_000 }, () => {
  it('is stopped, and another one started, when what ends it with the product was killed too', async () => {
    const folder = usedFolder()
    const lost = Promise.withResolvers<Error>()
    const first = await start(folder, lost.resolve)
    process.kill(watchOf(first.pid), 'SIGKILL')
    // As if this process had ended: another one may take the folder.
    const copy = `
      const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, 'server.ts'))})
      const { rmSync } = await import('node:fs')
      const log = { info() {}, warn() {}, error() {}, fatal() {} }
      rmSync(${JSON.stringify(join(folder, 'in-use.lock'))})
      const server = await startEmbedded({ folder: ${JSON.stringify(folder)}, connections: 2, log, onLost() {} })
      console.log(server.pid)
      await server.stop()`
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', copy], { encoding: 'utf8' })
    expect(Number(said)).toBeGreaterThan(0)
    expect(Number(said)).not.toBe(first.pid)
    expect((await lost.promise).message).toMatch(/^PostgreSQL has ended/)
    expect(isAlive(first.pid)).toBe(false)
  })

  it('is none when the process id in its file belongs to another program', { tags: 'slow' }, async () => {
    const folder = usedFolder()
    const stranger = spawn('sleep', ['60'])
    onTestFinished(() => void stranger.kill('SIGKILL'))
    const lines = [stranger.pid, join(folder, 'postgres'), 1, 5432, join(folder, 'postgres'), '', '', 'ready']
    writeFileSync(join(folder, 'postgres/postmaster.pid'), `${lines.join('\n')}\n`)
    await start(folder)
    expect(stranger.exitCode).toBe(null)
    expect(pidIn(folder)).not.toBe(stranger.pid)
  })
})

describe('The end of the product', { timeout: 120_000 }, () => {
  const PROGRAM = (folder: string) => `
    const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, 'server.ts'))})
    const log = { info() {}, warn() {}, error() {}, fatal() {} }
    const server = await startEmbedded({ folder: ${JSON.stringify(folder)}, connections: 2, log, onLost() {} })
    console.log(server.pid)
    setInterval(() => {}, 1000)`

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s ends the database within a second or so',
    { tags: 'slow' },
    async (signal) => {
      const folder = usedFolder()
      const product = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM(folder)])
      const pid = await new Promise<number>((done) => product.stdout.on('data', (said) => done(Number(said))))
      expect(isAlive(pid)).toBe(true)
      product.kill(signal)
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
      await start(folder)
    },
  )

  it('follows when the database ends by itself, and nothing of both is left', { tags: 'slow' }, async () => {
    const folder = usedFolder()
    const lost = Promise.withResolvers<Error>()
    const { pid } = await start(folder, lost.resolve)
    const watch = watchOf(pid)
    process.kill(pid, 'SIGKILL')
    expect((await lost.promise).message).toMatch(/^PostgreSQL has ended/)
    await expect.poll(() => isAlive(watch)).toBe(false)
    running.clear()
  })
})
