import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Settings } from '#server/env.ts'
import { StartupError } from '#server/startup-error.ts'

/**
 * Works on the embedded database as the user who owns its folder. A server could not open what root wrote there.
 * Changes only the effective user: the operator's own files are opened as root again afterwards.
 */
export async function asOwner<T>({ databaseUrl, dataDir }: Settings, work: () => Promise<T>): Promise<T> {
  if (databaseUrl || process.geteuid === undefined) return work()
  const folder = nearest(resolve(dataDir))
  const owner = statSync(folder)
  const isOther = process.geteuid() === 0 && owner.uid !== 0
  const goBack = isOther ? become(owner.uid, owner.gid, dataDir) : () => {}
  try {
    if (folder === resolve(dataDir)) refuseUnlessReachable(folder, isOther, owner.uid)
    return await work()
  } finally {
    goBack()
  }
}

/** The folder, or the nearest existing one above it. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))

/** Returns a function that restores the user. */
function become(uid: number, gid: number, dataDir: string): () => void {
  const { geteuid, getegid, getgroups, seteuid, setegid, setgroups } = process
  if (!geteuid || !getegid || !getgroups || !seteuid || !setegid || !setgroups) return () => {}
  const before = { uid: geteuid(), gid: getegid(), groups: getgroups() }
  try {
    setgroups([gid])
    setegid(gid)
    seteuid(uid)
  } catch (error) {
    throw new StartupError(
      `The folder ${dataDir} belongs to the user ${uid}, and this process may not switch to that user (${(error as NodeJS.ErrnoException).code}). Run the command as that user.`,
    )
  }
  return () => {
    seteuid(before.uid)
    setegid(before.gid)
    setgroups(before.groups)
  }
}

function refuseUnlessReachable(folder: string, isOther: boolean, owner: number): void {
  try {
    readdirSync(folder)
  } catch (error) {
    const why = `The folder ${folder} belongs to the user ${owner}`
    const code = (error as NodeJS.ErrnoException).code
    throw new StartupError(
      isOther
        ? `${why}, who cannot reach it from here (${code}). Start the server, and run the command while it runs.`
        : `${why} and cannot be read (${code}). Run the command as that user, or as root.`,
    )
  }
}
