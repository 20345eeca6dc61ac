import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** Copies the data folder of a server that has stopped, with the owners of its files. */
export function copyDataFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  execFileSync('cp', ['-a', `${from}/.`, to])
}
