import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { settings as kept } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { caller } from '#server/test/http-caller.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { type Ended, type ServerProcess, startServer } from '#server/test/server-process.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

// Tests for which the database does not matter use PostgreSQL, on which a server starts faster.

let folder: string
const running = new Set<ServerProcess>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-server-'))
})
afterEach(async () => {
  await Promise.all([...running].map((server) => server.end('SIGKILL')))
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

/** The data folder of a server that has run before. */
function usedFolder(): string {
  const data = join(folder, 'data')
  if (!existsSync(data)) copyDataFolder(inject('dataFolder'), data)
  return data
}

async function start(
  settings: Record<string, string> = {},
  nodeArguments: string[] = [],
  onSpawn: (server: ChildProcess) => void = () => {},
) {
  const place = settings.DATABASE_URL || settings.DATA_DIR ? {} : { DATA_DIR: usedFolder() }
  const server = await startServer({ settings: { ...place, ...settings }, nodeArguments, onSpawn })
  running.add(server)
  return server
}

const endOf = (starting: Promise<ServerProcess>): Promise<Ended> =>
  starting.then(
    () => Promise.reject(new Error('It started')),
    (ended: Ended) => ended,
  )

/** The secret that the installation in this folder generated. */
async function secretIn(dataDir: string): Promise<string | undefined> {
  const database = await openDatabase(readSettings({ DATA_DIR: dataDir }), quietLog, (reason) => {
    throw reason
  })
  const rows = database.db.select({ value: kept.value }).from(kept).where(eq(kept.key, 'auth-secret'))
  const [row] = await rows.finally(() => database.close())
  return row?.value
}

const founder = (name: string) => ({ name, linkedIn: 'https://linkedin.com/in/x', notes: 'n' })

describe('The server process', { timeout: 240_000 }, () => {
  it('stops gracefully: finishes running requests, ends live streams, exit code 0', { tags: 'slow' }, async () => {
    const server = await start(await freshDatabaseSettings())
    const { call, join: signUp } = caller()
    await signUp(server)
    const stream = await call(server, 'GET', '/events')
    const underWay = call(server, 'POST', '/auth/login', { email: 'ada@mit.edu', password: 'a long enough password' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    const ended = server.end('SIGTERM')
    expect((await underWay).status).toBe(200)
    await stream.text()
    const { code, stderr } = await ended
    expect(code).toBe(0)
    // Without mail it warns that addresses are not verified and guessers can lock out, and names the command that helps.
    expect(JSON.parse(stderr).msg).toMatch(
      /^Email addresses are not verified.*browsers that are not known out of an account for an hour.*`npm run operator -- accounts reset EMAIL`/,
    )
  })

  it.each([
    ['says nothing where addresses are verified by mail', { PUBLIC_URL: 'http://localhost:3000' }, /^$/],
    ['says where mails would link to', {}, /^.*Mails will link to this machine only: set PUBLIC_URL.*\n$/],
  ])('%s', async (_what, more, said) => {
    const server = await start({ ...(await freshDatabaseSettings()), SMTP_URL: 'smtp://127.0.0.1:1', ...more })
    const { stderr } = await server.end('SIGTERM')
    expect(stderr).toMatch(said)
  })

  it.each([
    ['an error that nothing catches', "throw new Error('Out of the blue')"],
    ['an unhandled rejection', "Promise.reject(new Error('Out of the blue'))"],
  ])(
    'after %s logs it, finishes running requests, and ends with exit code 1',
    { tags: 'slow' },
    async (_what, fails) => {
      const onSignal = `data:text/javascript,process.on('SIGUSR2',()=>{${fails}})`
      const server = await start(await freshDatabaseSettings(), ['--import', onSignal])
      const { call, join: signUp } = caller()
      await signUp(server)
      const underWay = call(server, 'POST', '/auth/login', { email: 'ada@mit.edu', password: 'a long enough password' })
      await new Promise((resolve) => setTimeout(resolve, 20))
      const ended = server.end('SIGUSR2')
      expect((await underWay).status).toBe(200)
      const { code, stderr } = await ended
      expect(code).toBe(1)
      // Follows the warning about addresses of every start.
      expect(JSON.parse(stderr.trim().split('\n').at(-1) as string)).toMatchObject({
        level: 60,
        err: { message: 'Out of the blue' },
      })
    },
  )

  it('generates its own secrets, in a folder that only its user can open', { tags: 'slow' }, async () => {
    const [one, other] = await Promise.all([
      start({ DATA_DIR: join(folder, 'one') }),
      start(await freshDatabaseSettings()),
    ])
    const visitor = caller()
    await visitor.call(one, 'GET', '/auth/me')
    // A cookie that a server signed is valid there, and invalid for a server with another secret.
    const signIn = (server: ServerProcess) =>
      fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { ...visitor.headers(), 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@mit.edu', password: 'a long enough password' }),
      })
    expect([(await signIn(one)).status, (await signIn(other)).status]).toEqual([401, 403])
    for (const name of ['one', 'one/postgres']) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o700])
    }
    await one.end('SIGTERM')
    expect(await secretIn(join(folder, 'one'))).toMatch(/^[\w-]{43,}$/)
  })

  it('with invalid settings names all of them and does not start, exit code 1', { tags: 'slow' }, async () => {
    const { code, stderr } = await endOf(
      start({ DATA_DIR: join(folder, 'none'), PORT: 'x', TEAM_DOMAIN: '-', AUTH_SECRET: 'short' }),
    )
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      'Sourcebook cannot start because these settings are wrong:',
      '  PORT must be a whole number from 0 to 65535',
      '  TEAM_DOMAIN must be a domain such as example.com',
      '  AUTH_SECRET must have at least 32 characters',
    ])
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  it('on a port in use reports that in a sentence', { tags: 'slow' }, async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await endOf(start({ ...(await freshDatabaseSettings()), PORT: String(port) }))
    expect([code, stderr]).toEqual([1, `Port ${port} is in use. Stop what uses it, or set PORT to another one.\n`])
  })

  it('a second one on the same folder reports that it waits, ends with one sentence, and is harmless', async () => {
    const first = await start()
    const { call, join: signUp } = caller()
    await signUp(first)
    const began = performance.now()
    const stopping = endOf(start({}, [], (process) => process.stdout?.on('data', () => process.kill('SIGTERM'))))
    const { code, stdout, stderr } = await endOf(start())
    expect(performance.now() - began).toBeGreaterThan(9_500)
    expect(code).toBe(1)
    expect(stdout).toBe(
      `Another server is using the folder ${join(folder, 'data')}. Waiting up to 10 s for it to stop…\n`,
    )
    expect(stderr).toMatch(new RegExp(`^Another Sourcebook \\(process ${first.pid}\\) is using .+\\n$`))
    // A server that is stopped while it waits ends immediately, without an error.
    expect(await stopping).toMatchObject({ code: 0, stderr: '' })
    expect((await call(first, 'POST', '/founders', founder('Unharmed'))).status).toBe(201)
  })

  it('waits for a server on the same folder that is stopping, and then starts', async () => {
    const first = await start()
    const { promise: waits, resolve } = Promise.withResolvers<void>()
    const second = start({}, [], (process) =>
      process.stdout?.on('data', (chunk) => String(chunk).includes('Waiting up to 10 s') && resolve()),
    )
    await waits
    expect((await first.end('SIGTERM')).code).toBe(0)
    expect((await fetch(`${(await second).url}/readyz`)).status).toBe(200)
  })

  it('with unsafe settings names the settings to change, and creates nothing', { tags: 'slow' }, async () => {
    const unsafe = { DATA_DIR: join(folder, 'none'), HOST: '0.0.0.0', PUBLIC_URL: 'https://book.example.com' }
    const { code, stderr } = await endOf(start(unsafe))
    expect(code).toBe(1)
    expect(stderr).toContain('TRUST_PROXY must be set')
    expect(stderr).toContain('SMTP_URL must be set')
    expect(existsSync(join(folder, 'none'))).toBe(false)
    const server = await start({ ...(await freshDatabaseSettings()), HOST: '0.0.0.0', UNVERIFIED_ADDRESSES: 'allow' })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})
