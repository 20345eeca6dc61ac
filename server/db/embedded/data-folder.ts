import fs from 'node:fs'
import path from 'node:path'
import { DatabaseFolderUnreadable } from './errors.ts'
import { syncFolder } from './lock.ts'
import type { DataFolder } from './messages.ts'

/** The PostgreSQL version inside the pinned PGlite. */
const postgresMajor = '18'

/**
 * PGlite's data folder changes with its minor versions, though PostgreSQL's does not: https://pglite.dev/docs/upgrade
 */
const pgliteVersionFile = 'PGLITE_VERSION'

/** Inspects a locked folder: refuses an unreadable one, and deletes what a crash may have left. */
export function inspectFolder(folder: string): DataFolder {
  const dataFolder = { database: path.join(folder, 'database'), unfinished: path.join(folder, 'database.unfinished') }
  if (fs.existsSync(dataFolder.database)) refuseOtherVersions(dataFolder.database)
  clearAway(dataFolder.unfinished)
  clearAway(baseBackupFolder(folder))
  // Spilled data of large sorts. A PostgreSQL server deletes it at start; PGlite leaves it, hundreds of megabytes at a
  // time.
  clearAway(path.join(dataFolder.database, 'base', 'pgsql_tmp'))
  // The lock of the folder decides who runs this database. PostgreSQL's own lock file may be left empty by a power cut,
  // and then PostgreSQL would not start.
  clearAway(path.join(dataFolder.database, 'postmaster.pid'))
  return dataFolder
}

/** The folder for a copy of the database, which is read while this one keeps working. */
export const baseBackupFolder = (folder: string) => path.join(folder, 'copy-for-backup')

const clearAway = (leftover: string) => fs.rmSync(leftover, { recursive: true, force: true })

function refuseOtherVersions(database: string): void {
  const postgres = readVersion(path.join(database, 'PG_VERSION'))
  if (postgres === undefined) throw unreadable(database, 'is not a database')
  if (postgres !== postgresMajor) throw unreadable(database, `was written by PostgreSQL ${postgres}`)

  const pglite = readVersion(path.join(database, pgliteVersionFile))
  if (pglite !== undefined && minorOf(pglite) !== minorOf(pgliteVersion()))
    throw unreadable(database, `was written by PGlite ${pglite}`)
}

function unreadable(database: string, why: string): DatabaseFolderUnreadable {
  const reads = `this version reads PostgreSQL ${postgresMajor} by PGlite ${minorOf(pgliteVersion())}`
  const remedy =
    'Start the version that wrote it and make a backup with it (npm run backup -- FILE); then restore that with this one into another DATA_DIR (npm run restore -- FILE).'
  return new DatabaseFolderUnreadable(`The folder ${database} ${why}, and ${reads}. Nothing was changed. ${remedy}`)
}

/** Renames a new, closed database into place once all of it is synced to disk. A crash before that leaves no trace. */
export function finishFolder(dataFolder: DataFolder): void {
  fs.writeFileSync(path.join(dataFolder.unfinished, pgliteVersionFile), `${pgliteVersion()}\n`)
  syncTree(dataFolder.unfinished)
  fs.renameSync(dataFolder.unfinished, dataFolder.database)
  syncFolder(path.dirname(dataFolder.database))
}

function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(at)
    else syncFile(at)
  }
  syncFolder(folder)
}

function syncFile(file: string): void {
  // Windows syncs only files that are open for writing.
  const descriptor = fs.openSync(file, 'r+')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

function readVersion(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined
}

const minorOf = (version: string) => version.split('.').slice(0, 2).join('.')

function pgliteVersion(): string {
  const entry = import.meta.resolve('@electric-sql/pglite')
  return JSON.parse(fs.readFileSync(new URL('../package.json', entry), 'utf8')).version
}
