import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { root, say } from './run.mjs'

/**
 * Runs the work under a lock of this folder, and waits for it first. The lock is a listening socket, which the
 * operating system closes when the process ends in any way. The work gets its file descriptor for child processes: they
 * keep the lock even when their parent is killed.
 * @template T
 * @param {(lock: number | undefined) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  let server = await listen()
  if (!server) say('Waiting for another command that prepares this folder…')
  while (!server) {
    await pause(100)
    server = await listen()
  }
  try {
    // Node has no public API for the descriptor; Windows has none.
    const descriptor = server._handle.fd
    return await work(descriptor > 0 ? descriptor : undefined)
  } finally {
    server.close()
  }
}

const digest = createHash('sha256').update(root).digest()
const name = `sourcebook-${digest.toString('hex').slice(0, 16)}`
/** Linux and Windows have socket names that are not files. A killed process would leave a file behind. */
const address = { linux: { path: `\0${name}` }, win32: { path: `\\\\?\\pipe\\${name}` } }[process.platform] ?? {
  host: '127.0.0.1',
  port: 20_000 + (digest.readUInt32BE() % 10_000),
}

/** @returns {Promise<import('node:net').Server | undefined>} */
function listen() {
  return new Promise((done, failed) => {
    const server = createServer()
    server.on('error', (error) => (error.code === 'EADDRINUSE' ? done(undefined) : failed(error)))
    server.listen(address, () => done(server.unref()))
  })
}
