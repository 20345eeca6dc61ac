import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'

// The protocol between a command and the server that has the embedded database: one line of JSON in, many lines back. A
// further line, whatever it contains, or closing the connection asks the command to stop early.

export type Request = { name: string; args: string[]; folder: string }
export type Report =
  | { kind: 'out'; line: string }
  | { kind: 'complaint'; line: string }
  /** A piece of the file that the command writes, in base64. */
  | { kind: 'bytes'; bytes: string }
  | { kind: 'exit'; code: number }

/** The longest socket name in bytes: macOS has the lowest limit. */
const NAME_MAX = 103

/** The socket of the server on this data folder; undefined when its name would be too long. */
export function socketOf(dataDir: string): string | undefined {
  if (process.platform === 'win32') {
    return `\\\\?\\pipe\\sourcebook-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32)}`
  }
  const path = join(realpathSync(dataDir), 'operator.sock')
  return [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= NAME_MAX)
}
