import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FolderError } from './errors.ts'
import { syncFolder, writeSynced } from './files.ts'
import { MAJOR, programIn } from './programs.ts'
import { asRoot, giveAway, giveToOwner, type Runner, withName } from './user.ts'

/** How to reach the server of a folder: its passwords, and where it listens. */
export type Access = {
  superuser: string
  product: string
  /** The folder of the socket, if not the cluster's. */
  sockets?: string
  /** Where there are no sockets. */
  port?: number
}

export const clusterOf = (dataDir: string) => join(dataDir, 'postgres')
const accessFile = (dataDir: string) => join(dataDir, 'postgres.json')
/** A cluster that is being made. */
const UNFINISHED = 'postgres-unfinished-'

/** The last commit that reads the folders of PGlite, the database before this one. */
export const LAST_COMMIT_OF_PGLITE = '974e286e3f4cf48abea3af4d3e6d74b4bdf01da8'

export const readAccess = (dataDir: string): Access => JSON.parse(readFileSync(accessFile(dataDir), 'utf8'))

/** Keeps it for this user alone. */
export function keepAccess(dataDir: string, access: Access): void {
  writeSynced(accessFile(dataDir), `${JSON.stringify(access)}\n`)
  giveToOwner(accessFile(dataDir), dataDir)
}

/** Whether the folder has a cluster. Throws a sentence for what this version cannot read; nothing is changed then. */
export function hasCluster(dataDir: string): boolean {
  const cluster = clusterOf(dataDir)
  if (!existsSync(cluster)) {
    if (existsSync(join(dataDir, 'database'))) throw ofPglite(dataDir)
    return false
  }
  const version = existsSync(join(cluster, 'PG_VERSION')) && readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version === MAJOR && existsSync(accessFile(dataDir))) return true
  const why =
    version === false
      ? 'is not a database'
      : version === MAJOR
        ? `lacks the file ${accessFile(dataDir)}`
        : `was written by PostgreSQL ${version}`
  throw new FolderError(
    `The folder ${cluster} ${why}, and this version reads PostgreSQL ${MAJOR}. Nothing was changed. Start the version that wrote it and make a backup with it (npm run backup -- FILE); then restore that with this one into another DATA_DIR (npm run restore -- FILE).`,
  )
}

const ofPglite = (dataDir: string) =>
  new FolderError(
    `The folder ${dataDir} was written by an earlier version, which had another database. Nothing was changed. Check out the commit ${LAST_COMMIT_OF_PGLITE} and make a backup with it (npm run backup -- FILE); then restore that with this version into another DATA_DIR (npm run restore -- FILE).`,
  )

/** Makes the cluster of a folder. A crash before the end leaves nothing that counts. */
export async function makeCluster(
  dataDir: string,
  native: string,
  runner: Runner,
  env: Record<string, string>,
): Promise<void> {
  for (const name of readdirSync(dataDir).filter((name) => name.startsWith(UNFINISHED))) {
    rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  const unfinished = mkdtempSync(join(dataDir, UNFINISHED))
  const data = join(unfinished, 'data')
  const access: Access = { superuser: newPassword(), product: newPassword() }
  const passwordFile = join(unfinished, 'password')
  try {
    mkdirSync(data, { mode: 0o700 })
    writeSynced(passwordFile, access.superuser)
    const maker = withName(runner, [data, native])
    if (maker.user) giveAway(unfinished, maker.user)
    await initialise(data, passwordFile, native, maker, env)
    if (runner.user) giveAway(unfinished, runner.user)
    chmodSync(data, 0o700)
    keepAccess(dataDir, access)
    renameSync(data, clusterOf(dataDir))
    syncFolder(dataDir)
  } catch (error) {
    if (error instanceof FolderError) throw error
    throw new FolderError(
      `The folder ${dataDir} cannot be used for the database (${(error as Error).message}). Make it writable, or set DATA_DIR to another folder.`,
    )
  } finally {
    asRoot(() => rmSync(unfinished, { recursive: true, force: true }))
  }
}

async function initialise(
  data: string,
  passwordFile: string,
  native: string,
  runner: Runner,
  env: Record<string, string>,
): Promise<void> {
  const fixed = ['--auth=scram-sha-256', '--username=postgres', '--locale=C', '--encoding=UTF8', '--data-checksums']
  const args = [...fixed, `--pgdata=${data}`, `--pwfile=${passwordFile}`]
  const child = runner.spawn(programIn(native, 'initdb'), args, {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(said.trim().split('\n').slice(-3).join(' ') || `initdb ended with ${code}`)
}

/** Hexadecimal, because it stands in addresses and SQL. */
const newPassword = () => randomBytes(24).toString('hex')
