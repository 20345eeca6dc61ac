import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '#server/db/embedded/client.ts'
import { clusterOf, makeCluster, readAccess } from '#server/db/embedded/cluster.ts'
import { findPrograms, linkLibraries, programIn } from '#server/db/embedded/programs.ts'
import { createRunner } from '#server/db/embedded/user.ts'

export interface PostgresServer {
  /** The folder of its cluster, and what it needs besides. */
  folder: string
  pid(): number
  /** The address of a database on this server, for its superuser; `postgres` always exists. */
  url(database: string): string
  /** Makes a database of the product's role, and returns its address. */
  newDatabase(template?: string): Promise<string>
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
  /** Whether its addresses are those of a network. A socket takes half the processor time. */
  overNetwork?: boolean
  /** A stopped server, of which the new one becomes a standby, once `primary_conninfo` leads to it. */
  standbyOf?: PostgresServer
}

/** Switched off, because tests need no protection from power cuts. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

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
      process.kill(Number.parseInt(readFileSync(folder + '/postgres/postmaster.pid', 'utf8')), 'SIGQUIT')
    } catch {}
    remove(50)
  })`

/**
 * Starts a separate PostgreSQL in a temporary folder, on a port and a socket: the one that the product starts by default, or that of
 * POSTGRES_BIN. It ends with this process, however this process ends.
 */
export async function startPostgres({
  durable = false,
  settings,
  overNetwork = false,
  standbyOf,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const { POSTGRES_BIN } = process.env
  const native = POSTGRES_BIN ? dirname(POSTGRES_BIN) : findPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-pg-'))
  // Detached, so that it survives Ctrl-C and a kill of the whole group, and can clean up.
  const cleanup = spawn(process.execPath, ['--eval', CLEANUP, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  cleanup.unref()
  ;(cleanup.stdin as unknown as Socket).unref()

  const libraries = linkLibraries(native, folder)
  const cluster = clusterOf(folder)
  if (standbyOf) copyAsStandby(standbyOf.folder, folder)
  const runner = createRunner(folder, cluster, [join(native, 'bin')])
  if (!standbyOf) await makeCluster(folder, native, runner, libraries)
  if (runner.user) chmodSync(folder, 0o755)
  const { superuser: password } = readAccess(folder)
  const log = join(folder, 'log')

  let hasServed = false
  let port = await freePort()
  let program: ChildProcess
  const host = overNetwork ? '127.0.0.1' : encodeURIComponent(cluster)
  const url = (database: string) => `postgres://postgres:${password}@${host}:${port}/${encodeURIComponent(database)}`
  const launch = () => {
    const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: cluster, max_connections: 200 }
    const options = Object.entries({ ...all, ...(durable ? {} : CARELESS), ...settings })
    const output = openSync(log, 'a')
    const args = [`-D${cluster}`, ...options.map(([name, value]) => `-c${name}=${value}`)]
    program = runner.spawn(programIn(native, 'postgres'), args, {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...libraries },
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
  const createRole = `create role ${PRODUCT} login password '${PRODUCT}'`
  if (!standbyOf) await withClient(url('postgres'), (client) => client.query(createRole))
  return {
    folder,
    pid: () => program.pid as number,
    url,
    start,
    newDatabase: (template = 'template0') => createDatabase(url('postgres'), template),
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

/** Files keep their owner. The copy has the settings of its start alone. */
function copyAsStandby(from: string, to: string): void {
  execFileSync('cp', ['-a', clusterOf(from), join(from, 'postgres.json'), to])
  writeFileSync(join(clusterOf(to), 'postgresql.auto.conf'), '')
  writeFileSync(join(clusterOf(to), 'standby.signal'), '')
}

/** The product's role, which is no superuser. */
const PRODUCT = 'product'

/** Makes a database of the product's role by that of the superuser. Returns its address for the product. */
export async function createDatabase(superuser: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await withClient(superuser, (client) => client.query(`create database ${name} template ${template} owner ${PRODUCT}`))
  const url = new URL(superuser)
  ;[url.username, url.password, url.pathname] = [PRODUCT, PRODUCT, `/${name}`]
  return url.href
}

const takesConnections = (url: string) => withClient(url, async () => true).catch(() => false)

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
