import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#server/log.ts'
import { withClient } from './client.ts'
import { type Access, clusterOf, hasCluster, keepAccess, makeCluster, readAccess } from './cluster.ts'
import { watchDiskSpace } from './disk-space.ts'
import { FolderError } from './errors.ts'
import { stopLeftover } from './leftover.ts'
import { lockFolder } from './lock.ts'
import { findPrograms, linkLibraries, programIn } from './programs.ts'
import { asRoot, createRunner, giveAway, type Runner } from './user.ts'

// The database of the product where no DATABASE_URL names one: a PostgreSQL that this process starts on its data folder,
// and that ends with it.

/** The role and the database of the product. The superuser is for this file, and for the disk that is nearly full. */
const PRODUCT = 'sourcebook'
const PORT = 5432
const IS_WINDOWS = process.platform === 'win32'

/** For one process and its operator on a small machine. */
const settingsFor = (connections: number) => ({
  max_connections: String(connections + 20),
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  ssl: 'off',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Other lines hold values.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_min_messages: 'fatal',
})

const STARTED_WITHIN_MS = 60_000
/** The processes of a killed server need some time to end. */
const TRIED_WITHIN_MS = 10_000
const STOPPED_WITHIN_MS = 10_000

export type Embedded = {
  /** The address of the product's database, as in DATABASE_URL. */
  url: string
  /** Of any database on this server, for its superuser. */
  superuserUrl: (database: string) => string
  pid: number
  stop: () => Promise<void>
}

type Options = {
  /** DATA_DIR. */
  folder: string
  /** How many connections the product opens. */
  connections: number
  log: Log
  /** It has ended by itself. */
  onLost: (reason: Error) => void
  /** Settings of PostgreSQL for tests. */
  settings?: Record<string, string>
}

/** Locks the folder, and starts its PostgreSQL. Throws FolderInUse or FolderError, each with a sentence for the log. */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const lock = lockFolder(options.folder)
  try {
    // Its programs have another working directory.
    const server = await startLocked({ ...options, folder: resolve(options.folder) })
    return { ...server, stop: () => server.stop().finally(lock.release) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The address of the product's database on the server that another process runs on this folder. */
export const addressOf = (folder: string): string => urlOf(readAccess(folder), resolve(folder), PRODUCT, PRODUCT)

async function startLocked({ folder, connections, log, onLost, settings }: Options): Promise<Embedded> {
  const native = findPrograms()
  const env = linkLibraries(native, folder)
  const cluster = clusterOf(folder)
  const isThere = hasCluster(folder)
  const runner = createRunner(folder, cluster, [join(native, 'bin')])
  if (isThere) await stopLeftover(cluster)
  else await makeCluster(folder, native, runner, env)
  const access = await placeToListen(folder, runner)

  const args = argumentsOf(cluster, access, { ...settingsFor(connections), ...settings })
  const start = () => launch(programIn(native, 'postgres'), args, runner, { cluster, env, log })
  const superuserUrl = (database: string) => urlOf(access, folder, 'postgres', database)
  let server = start()
  const began = performance.now()
  while (!(await takesConnections(superuserUrl('postgres')))) {
    if (!server.hasEnded()) {
      if (performance.now() - began > STARTED_WITHIN_MS) {
        await server.stop()
        throw new FolderError(`PostgreSQL did not start on the folder ${cluster} within a minute.`)
      }
    } else if (performance.now() - began > TRIED_WITHIN_MS || !server.mayStartLater()) {
      throw new FolderError(`PostgreSQL could not be started on the folder ${cluster}: ${server.lastWords()}`)
    } else {
      await pause(200)
      server = start()
    }
    await pause(10)
  }
  await makeProduct(superuserUrl, access)
  const disk = watchDiskSpace(folder, { superuserUrl: superuserUrl('postgres'), log })
  await disk.look()
  server.serves(() => {
    disk.stop()
    onLost(new Error(`PostgreSQL has ended: ${server.lastWords()}`))
  })
  return {
    url: urlOf(access, folder, PRODUCT, PRODUCT),
    superuserUrl,
    pid: server.pid,
    stop: async () => {
      disk.stop()
      await server.stop()
      if (access.sockets) rmSync(access.sockets, { recursive: true, force: true })
    },
  }
}

/** The longest name of a Unix socket on all systems, in bytes. */
const NAME_MAX = 103

/** Its own folder is closed to others. Where the path is too long for a socket, a new folder that is as well. */
async function placeToListen(folder: string, { user }: Runner): Promise<Access> {
  const before = readAccess(folder)
  if (before.sockets) rmSync(before.sockets, { recursive: true, force: true })
  const { superuser, product } = before
  const isTooLong = Buffer.byteLength(join(clusterOf(folder), `.s.PGSQL.${PORT}`)) > NAME_MAX
  const access: Access = { superuser, product }
  if (IS_WINDOWS) access.port = await freePort()
  else if (isTooLong) {
    access.sockets = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), 'sourcebook-'))
    if (user) giveAway(access.sockets, user)
  }
  if (before.sockets || access.sockets || access.port) keepAccess(folder, access)
  return access
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

function urlOf(access: Access, folder: string, role: string, database: string): string {
  const password = role === PRODUCT ? access.product : access.superuser
  const host = access.port ? '127.0.0.1' : (access.sockets ?? clusterOf(folder))
  return `postgres://${role}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${access.port ?? PORT}`
}

function argumentsOf(cluster: string, access: Access, settings: Record<string, string>): string[] {
  const place = access.port
    ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
    : { listen_addresses: '', unix_socket_directories: `"${(access.sockets ?? cluster).replaceAll('"', '""')}"` }
  const all = { port: String(access.port ?? PORT), ...place, ...settings }
  return [`-D${cluster}`, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Its clients are of the product, which knows when it closes a connection. */
const IS_NEWS = /^(?!FATAL: +connection to client lost)(WARNING|FATAL|PANIC)/

/** Waits for the end of its input, which comes with the end of the product, however that ends. */
const WATCH = 'cat >/dev/null; [ "$(head -n 1 "$2")" = "$1" ] && kill -INT "$1"'

function launch(
  program: string,
  args: string[],
  runner: Runner,
  { cluster, env, log }: { cluster: string; env: Record<string, string>; log: Log },
) {
  const said: string[] = []
  /** What it says while it starts or stops is in the sentence of a failure. */
  let isServing = false
  let isStopping = false
  // Detached, so that a Ctrl-C of the terminal reaches the product alone, which finishes its work first.
  const child = runner.spawn(program, args, {
    ...{ cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...env },
  })
  let failure: Error | undefined
  child.on('error', (error) => {
    failure = error
  })
  const pid = child.pid ?? 0
  const watch = IS_WINDOWS || pid === 0 ? undefined : watchOver(pid, cluster)
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      const text = line.replace(/^.*?\[\d+\] /, '')
      said.push(text)
      if (said.length > 20) said.shift()
      if (isServing && !isStopping && IS_NEWS.test(text)) log.warn(`PostgreSQL says: ${text}`)
    })
  }
  const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done())
    child.once('error', () => done())
  })
  void ended.then(() => endWatch(watch))
  // A running server does not keep this process alive.
  child.unref()
  ;(child.stderr as unknown as { unref?: () => void })?.unref?.()
  const signal = (name: NodeJS.Signals) => {
    try {
      asRoot(() => process.kill(pid, name))
    } catch {}
  }
  return {
    pid,
    hasEnded,
    lastWords: () =>
      failure?.message ??
      said.findLast((line) => /FATAL|PANIC/.test(line)) ??
      said.at(-1) ??
      `it ended by ${child.signalCode ?? child.exitCode}`,
    mayStartLater: () => said.some((line) => /lock file|shared memory|in use/.test(line)) || said.length === 0,
    /** From now on it serves; `onEnd` is called when it ends by itself. */
    serves: (onEnd: () => void) => {
      isServing = true
      void ended.then(() => !isStopping && onEnd())
    },
    async stop() {
      isStopping = true
      endWatch(watch)
      if (hasEnded()) return
      child.ref()
      signal('SIGINT')
      const late = setTimeout(() => signal('SIGQUIT'), STOPPED_WITHIN_MS)
      await ended
      clearTimeout(late)
    },
  }
}

function watchOver(pid: number, cluster: string): ChildProcess {
  const watch = asRoot(() =>
    spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid), join(cluster, 'postmaster.pid')], {
      detached: true,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  )
  watch.on('error', () => {})
  watch.stdin?.on('error', () => {})
  watch.unref()
  ;(watch.stdin as unknown as { unref?: () => void })?.unref?.()
  return watch
}

/** With its `cat`, by their group. */
function endWatch(watch: ChildProcess | undefined): void {
  try {
    if (watch?.pid && watch.exitCode === null) asRoot(() => process.kill(-(watch.pid as number), 'SIGKILL'))
  } catch {}
}

async function takesConnections(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false)
}

/** The role and the database of the product, unless an earlier start has made them. */
const makeProduct = (superuserUrl: (database: string) => string, { product }: Access) =>
  withClient(superuserUrl('postgres'), async (client) => {
    const { rows } = await client.query(
      `select exists (select from pg_roles where rolname = '${PRODUCT}') as role,
        exists (select from pg_database where datname = '${PRODUCT}') as database`,
    )
    if (!rows[0].role) await client.query(`create role ${PRODUCT} login password '${product}'`)
    if (!rows[0].database) await client.query(`create database ${PRODUCT} owner ${PRODUCT} template template0`)
  })
