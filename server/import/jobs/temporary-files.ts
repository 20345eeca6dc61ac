import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'

// Files while they are uploaded and read, in the temporary folder of the system (TMPDIR).

const PREFIX = 'sourcebook-files-'

export type TemporaryFiles = ReturnType<typeof createTemporaryFiles>

/** A folder of this process for files, made when the first one is needed, and deleted by `close`. */
export function createTemporaryFiles(parent = tmpdir()) {
  let making: Promise<string> | undefined

  return {
    /** Does the work with the path of a new file, and deletes the file. */
    async with<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
      making ??= mkdtemp(join(parent, `${PREFIX}${process.pid}-`)).catch((error) => {
        making = undefined
        throw error
      })
      const path = join(await making, uuidv7())
      try {
        return await work(path)
      } finally {
        await rm(path, { force: true })
      }
    },

    async close(): Promise<void> {
      const folder = await making?.catch(() => undefined)
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Deletes the folders of processes that were killed. */
export async function deleteLeftOverFiles(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN
    if (Number.isNaN(pid) || (await isInUse(pid, join(parent, name)))) continue
    // It may belong to another user.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

/** In a container, the process before a restart often had the same id. */
async function isInUse(pid: number, folder: string): Promise<boolean> {
  if (pid === process.pid) {
    const { birthtimeMs } = await stat(folder).catch(() => ({ birthtimeMs: Number.POSITIVE_INFINITY }))
    return birthtimeMs > Date.now() - process.uptime() * 1_000 - 1_000
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
