// Keeps one PostgreSQL for a test process: makes it, runs it, and, when that process lets go of the channel or dies
// in whatever way, ends it and removes its folder. A process of its own, because nothing runs in one killed with -9.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface KeeperOrder {
  bin: string
  folder: string
  user: { uid: number; gid: number } | undefined
  password: string
  settings: Record<string, string>
}

/** Later orders: to send the server a signal and tell of its end, and to start it again in the same place. */
export type KeeperCommand = { end: NodeJS.Signals } | { start: true }

export type KeeperReport = { port: number } | { ended: true } | { failure: string }

/** The longest name that a Unix socket can have on every system; PostgreSQL adds `/.s.PGSQL.12345` to the folder. */
const LONGEST_SOCKET_FOLDER = 103 - '/.s.PGSQL.12345'.length

let order: KeeperOrder
let program: ChildProcess | undefined
let isEnding = false
/** The server is down because that was asked for. */
let isDown = false
let lastPort: number | undefined

process.on('disconnect', end)
process.once('message', async (message) => {
  order = message as KeeperOrder
  try {
    await initialise()
    tell({ port: await start() })
    process.on('message', (command) => void obey(command as KeeperCommand))
  } catch (error) {
    if (isEnding) return
    tell({ failure: error instanceof Error ? error.message : String(error) })
    end()
  }
})

async function obey(command: KeeperCommand) {
  try {
    if ('start' in command) return tell({ port: await start() })
    isDown = true
    program?.kill(command.end)
    if (program && program.exitCode === null && program.signalCode === null) await once(program, 'exit')
    tell({ ended: true })
  } catch (error) {
    tell({ failure: error instanceof Error ? error.message : String(error) })
  }
}

async function initialise() {
  const passwordFile = join(order.folder, 'password')
  writeFileSync(passwordFile, order.password, { mode: 0o644 })
  const { fsync } = order.settings
  const options = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`]
  const { ended, said } = launch('initdb', [
    `--pgdata=${join(order.folder, 'data')}`,
    ...options,
    '--locale=C',
    '--encoding=UTF8',
    ...(fsync === 'off' ? ['--no-sync'] : []),
  ])
  if ((await ended) !== 0) throw new Error(said())
  rmSync(passwordFile)
}

/** Starts the server and answers its port, once it takes connections. */
async function start(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = lastPort ?? (await freePort())
    const sockets = order.folder.length <= LONGEST_SOCKET_FOLDER && process.platform !== 'win32' ? order.folder : ''
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: sockets, ...order.settings }
    const { child, ended, said, says } = launch('postgres', [
      `-D${join(order.folder, 'data')}`,
      ...Object.entries(settings).map(([name, value]) => `-c${name}=${value}`),
    ])
    const isReady = await Promise.race([says('ready to accept connections'), ended.then(() => false)])
    if (isReady) {
      isDown = false
      lastPort = port
      ended.then(() => (program !== child || isDown ? undefined : end()))
      return port
    }
    // Between finding the port free and taking it, another process may have been quicker. And those that a killed server
    // leaves behind take a moment to end.
    const isPassing = /could not bind|pre-existing shared memory|lock file/.test(said())
    if (attempt === (lastPort === undefined ? 5 : 50) || !isPassing) throw new Error(said())
    if (lastPort !== undefined) await pause(100)
  }
}

function launch(name: string, args: string[]) {
  let output = ''
  const child = spawn(join(order.bin, name), args, {
    ...order.user,
    // This process's own folder may be closed to that user.
    cwd: order.folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  program = child
  const listeners = new Set<() => void>()
  const hear = (bytes: Buffer) => {
    output = (output + bytes).slice(-4000)
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', (error) => {
      output += error.message
      resolve(null)
    })
  })
  const says = (words: string) =>
    new Promise<true>((resolve) => listeners.add(() => output.includes(words) && resolve(true)))
  return { child, ended, said: () => output.trim(), says }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

function tell(report: KeeperReport) {
  if (process.connected) process.send?.(report)
}

async function end() {
  if (isEnding) return
  isEnding = true
  if (program && program.exitCode === null && program.signalCode === null && program.pid) {
    // Immediate shutdown: what is in the folder is thrown away.
    program.kill('SIGQUIT')
    await once(program, 'exit')
  }
  if (order) rmSync(order.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  process.exit()
}
