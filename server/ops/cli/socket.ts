import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'

// How a command reaches the server that has the embedded database: one line there, many lines back, each of JSON. A further
// line there, whatever it says, asks for an early end; so does whoever goes away.

export type Request = { name: string; args: string[]; folder: string }
export type Report =
  | { kind: 'out'; line: string }
  | { kind: 'complaint'; line: string }
  /** A piece of the file that the command writes, in base64. */
  | { kind: 'bytes'; bytes: string }
  | { kind: 'exit'; code: number }

/** What systems take for the name of a socket, in bytes; the least of them all, macOS's. */
const NAME_MAX = 103

/** Where the server on this data folder listens for commands; undefined where the name would be too long for one. */
export function socketOf(dataDir: string): string | undefined {
  if (process.platform === 'win32') {
    return `\\\\?\\pipe\\sourcebook-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32)}`
  }
  const path = join(realpathSync(dataDir), 'operator.sock')
  return [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= NAME_MAX)
}
