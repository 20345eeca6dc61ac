import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FolderError, FolderInUse } from './errors.ts'
import { syncFolder } from './files.ts'
import { giveToOwner } from './user.ts'

/**
 * Locks the folder, created if missing, for this process. Throws FolderInUse when it is locked, FolderError when it is
 * unusable.
 *
 * Uses the lock that SQLite takes on a file. The operating system drops it when the process ends in any way, so a lock
 * is never stale. On POSIX systems the lock is also dropped when any part of this process opens and closes that file,
 * so code that copies the folder must leave `in-use.lock` alone.
 */
export function lockFolder(folder: string): { release: () => void } {
  const owner = path.join(folder, 'in-use.pid')
  let lock: DatabaseSync | undefined
  try {
    if (fs.mkdirSync(folder, { recursive: true, mode: 0o700 })) syncFolder(path.dirname(path.resolve(folder)))
    lock = new DatabaseSync(path.join(folder, 'in-use.lock'), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    fs.writeFileSync(owner, `${process.pid}\n`)
    for (const file of [owner, path.join(folder, 'in-use.lock')]) giveToOwner(file, folder)
  } catch (error) {
    lock?.close()
    throw isBusy(error) ? new FolderInUse(inUse(folder, readOwner(owner))) : new FolderError(unusable(folder, error))
  }

  const held = lock
  return {
    release() {
      if (!held.isOpen) return
      fs.rmSync(owner, { force: true })
      held.close()
    },
  }
}

const sqliteBusy = 5
const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === sqliteBusy

function inUse(folder: string, pid: number | undefined): string {
  const who = pid === undefined ? 'Another Sourcebook' : `Another Sourcebook (process ${pid})`
  return `${who} is using the folder ${folder}. Stop it first, or set DATA_DIR to another folder.`
}

function unusable(folder: string, error: unknown): string {
  const why = (error as Error).message
  return `The folder ${folder} cannot be used for the database (${why}). Make it writable, or set DATA_DIR to another folder.`
}

/** The process id only makes the message clearer. The id of a process that has ended is not the owner's. */
function readOwner(file: string): number | undefined {
  for (let attempt = 0; attempt < 5; attempt++) {
    const pid = readNumber(file)
    if (pid !== undefined && isAlive(pid)) return pid
    // The owner writes its process id just after it took the lock.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
  return undefined
}

function readNumber(file: string): number | undefined {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
