import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import type { Log } from '#server/log.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'
import { type Report, type Request, socketOf } from './socket.ts'

/**
 * Accepts commands of the operator while this process has the embedded database, over a socket in its folder that only
 * the same system user can open. Returns a function that stops it.
 */
export async function serveOperator(options: {
  database: OpenDatabase
  settings: Settings
  log: Log
  ledger: Ledger
}): Promise<() => Promise<void>> {
  const { database, settings, log, ledger } = options
  // Several processes may use a PostgreSQL, so commands connect to it directly.
  if (database.isShared) return async () => {}
  const path = socketOf(settings.dataDir)
  if (path === undefined) {
    log.warn(`The path of ${settings.dataDir} is too long for a socket; stop the server before any operator command.`)
    return async () => {}
  }

  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    const stopping = new AbortController()
    socket.on('close', () => {
      open.delete(socket)
      stopping.abort()
    })
    // A line reader reports the errors of its input as its own.
    const lines = createInterface(socket).on('error', () => {})
    lines.once('line', (line) => {
      lines.once('line', () => stopping.abort())
      answer(socket, line, stopping.signal).catch(() => socket.destroy())
    })
  })

  async function answer(socket: Socket, line: string, signal: AbortSignal) {
    const report = (what: Report) => void socket.write(`${JSON.stringify(what)}\n`)
    const complain = (line: string) => report({ kind: 'complaint', line })
    const { name, args, folder } = JSON.parse(line) as Request
    const command = commands.find((command) => command.name === name)
    const out = (line: string) => report({ kind: 'out', line })
    const write = async (bytes: Buffer) => {
      signal.throwIfAborted()
      const hasRoom = socket.write(
        `${JSON.stringify({ kind: 'bytes', bytes: bytes.toString('base64') } satisfies Report)}\n`,
      )
      if (!hasRoom) await once(socket, 'drain', { signal })
    }
    const context = { database, db: database.db, settings, folder, signal, out, write, complain }
    let code = 1
    if (command === undefined) complain(`The running server has no command "${name}".`)
    else if (command.wantsDatabaseAlone) complain(`A server is using ${settings.dataDir}. Stop it first.`)
    else code = await runCommand(command, context, args)
    await ledger.copy()
    log.info({ command: name, code }, 'An operator command ended')
    socket.end(`${JSON.stringify({ kind: 'exit', code } satisfies Report)}\n`)
  }

  await listenAlone(server, path)
  return async () => {
    const closed = new Promise((done) => server.close(done))
    for (const socket of open) socket.destroy()
    await closed
  }
}

/**
 * The lock of the folder allows deleting the socket of a killed process. At no moment can another user open the socket.
 */
async function listenAlone(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  const isFile = process.platform !== 'win32'
  if (isFile) rmSync(path, { force: true })
  await new Promise<void>((done, failed) => {
    // The socket file is created within this call, with these permissions.
    const before = process.umask(0o177)
    server.once('error', failed).listen(path, done)
    process.umask(before)
  })
  if (isFile) chmodSync(path, 0o600)
  server.unref()
}
