import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { FolderError } from './errors.ts'

// PostgreSQL refuses to run as root. As root, for example in a container, its programs run as another user.

type User = { uid: number; gid: number }

/** Starts programs as the right user. */
export type Runner = {
  /** The owner of the cluster, if this process is root. */
  user: User | undefined
  spawn: (program: string, args: string[], options: SpawnOptions) => ChildProcess
}

/** Runs programs as this process, or for root as the owner of the cluster; `places` are what they have to reach. */
export function createRunner(dataDir: string, cluster: string, places: string[]): Runner {
  if (process.getuid?.() !== 0) return { user: undefined, spawn }
  return runnerOf(ownerOf(dataDir, cluster), [cluster, ...places])
}

/** `initdb` wants a user with a name. */
export const withName = (runner: Runner, places: string[]): Runner =>
  runner.user === undefined || namedIds().has(runner.user.uid) ? runner : runnerOf(unprivileged(), places)

function runnerOf(user: User, places: string[]): Runner {
  const prefix = places.every((place) => isOpenTo(user, dirname(place)))
    ? undefined
    : passingClosedFolders(user, places)
  return {
    user,
    spawn: (program, args, options) =>
      asRoot(() => {
        if (prefix === undefined) return spawn(program, args, { ...options, ...user })
        const [setpriv = '', ...rest] = prefix
        return spawn(setpriv, [...rest, program, ...args], options)
      }),
  }
}

/** An operator's command works as the owner of the folder, and only this part needs root. */
export function asRoot<T>(work: () => T): T {
  const before = process.geteuid?.()
  if (process.getuid?.() !== 0 || !before) return work()
  process.seteuid?.(0)
  try {
    return work()
  } finally {
    process.seteuid?.(before)
  }
}

function ownerOf(dataDir: string, cluster: string): User {
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster)
    if (uid !== 0) return { uid, gid }
    throw new FolderError(
      `The folder ${cluster} belongs to root, as whom PostgreSQL does not run. Give it to another user: chown -R USER ${cluster}`,
    )
  }
  const { uid, gid } = statSync(dataDir)
  if (uid !== 0) return { uid, gid }
  const free = freeId()
  return { uid: free, gid: free }
}

const FIRST_ID = 61_184
const LAST_ID = 65_519

/** An id that no entry of /etc/passwd and no process has. */
function freeId(): number {
  const taken = namedIds()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      taken.add(statSync(join('/proc', name)).uid)
    } catch {}
  }
  for (let id = FIRST_ID; id <= LAST_ID; id += 1) if (!taken.has(id)) return id
  throw new FolderError(
    'There is no free user for PostgreSQL, which does not run as root. Give DATA_DIR to another user.',
  )
}

/** The users with a name. */
const namedIds = () =>
  new Set([...readFileSync('/etc/passwd', 'utf8').matchAll(/^[^:]*:[^:]*:(\d+):/gm)].map(([, uid]) => Number(uid)))

function unprivileged(): User {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) }
}

function isOpenTo(user: User, folder: string): boolean {
  const { uid, gid, mode } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (
    (mode & bit) !== 0 && (dirname(resolve(folder)) === resolve(folder) || isOpenTo(user, dirname(resolve(folder))))
  )
}

/** Numbers of capabilities, from linux/capability.h. */
const DAC_OVERRIDE = 1n
const DAC_READ_SEARCH = 2n

/**
 * Lets the program pass folders that are closed to its user, such as root's home. The second capability also lets a
 * superuser of the database write any file, so it is used only where there is no other.
 */
function passingClosedFolders({ uid, gid }: User, places: string[]): string[] {
  const [, bounding = '0'] = /^CapBnd:\s*(\w+)/m.exec(readIfThere('/proc/self/status')) ?? []
  const has = (capability: bigint) => ((BigInt(`0x${bounding}`) >> capability) & 1n) === 1n
  const capability = has(DAC_READ_SEARCH) ? 'dac_read_search' : has(DAC_OVERRIDE) ? 'dac_override' : undefined
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  if (capability === undefined || setpriv === undefined) {
    throw new FolderError(
      `PostgreSQL does not run as root, and another user cannot reach ${places.join(' and ')}. Set DATA_DIR to a folder of another user, and start the product as that user from a folder that it can enter.`,
    )
  }
  return [
    ...[setpriv, '--securebits=+no_setuid_fixup', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
    ...[`--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`, '--no-new-privs'],
  ]
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A file of root in another user's folder is that user's, who could not start the product otherwise. */
export function giveToOwner(file: string, folder: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  asRoot(() => lchownSync(file, uid, gid))
}

/** Gives a folder and all that is in it to the user. */
export function giveAway(folder: string, { uid, gid }: User): void {
  asRoot(() => {
    const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
    for (const path of paths) lchownSync(join(folder, path), uid, gid)
  })
}
