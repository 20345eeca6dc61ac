import fs from 'node:fs'
import path from 'node:path'

/** Makes renames in a folder survive a power cut. Windows cannot sync a folder and does not need to. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Writes a file that only this user can read: all of it, or nothing. */
export function writeSynced(file: string, content: string): void {
  const next = `${file}.next`
  fs.rmSync(next, { force: true })
  const descriptor = fs.openSync(next, 'wx', 0o600)
  try {
    fs.writeFileSync(descriptor, content)
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
  fs.renameSync(next, file)
  syncFolder(path.dirname(file))
}
