import { constants, copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '#server/startup-error.ts'
import { baseBackupFolder } from './data-folder.ts'

type Copying = {
  folder: string
  checkpoint: () => Promise<void>
  newestCheckpoint: () => Promise<string | undefined>
}

const ATTEMPTS = 3

/**
 * Copies the database folder while it is being written, and returns the folder of the copy. As in a base backup of
 * PostgreSQL, files are copied at different moments. The write-ahead log is copied last and holds every change since
 * the previous checkpoint, so opening the copy recovers from it. PGlite makes no checkpoint by itself, so that one
 * stays the newest. If another checkpoint comes in between, the copy starts over.
 */
export async function createBaseBackup({ folder, checkpoint, newestCheckpoint }: Copying): Promise<string> {
  const copy = baseBackupFolder(folder)
  await mkdir(copy, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
    throw new StartupError('A backup is already running. Try again when it has finished.')
  })
  const [from, to] = [path.join(folder, 'database'), path.join(copy, 'database')]
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await checkpoint()
      const before = await newestCheckpoint()
      await copyTree(from, to, (name) => name !== LOG)
      await copyTree(path.join(from, LOG), path.join(to, LOG))
      if ((await newestCheckpoint()) === before) return copy
      await rm(to, { recursive: true })
    }
    throw new StartupError('The database could not be copied because checkpoints kept interrupting. Try again later.')
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    throw error
  }
}

const LOG = 'pg_wal'
/** Spilled data of sorts, which only the running database reads. */
const SPILLED = 'pgsql_tmp'

/**
 * Copies in the order of names, which is the order of the log. Files deleted during the copy are not needed: the log
 * contains the deletion.
 */
async function copyTree(from: string, to: string, takes = (_name: string) => true): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  const entries = await readdir(from, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!takes(entry.name) || entry.name === SPILLED) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else await copyFile(source, target, constants.COPYFILE_FICLONE).catch(unlessGone)
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
