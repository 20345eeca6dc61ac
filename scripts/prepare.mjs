import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { alone } from './alone.mjs'
import { fail, node, run, say } from './run.mjs'

/** Installs the packages if they are not those of package-lock.json, and builds the web app if its source changed. */
export async function prepare({ web = true } = {}) {
  if (isInstalled() && (!web || isBuilt())) return
  await alone(async (lock) => {
    if (!isInstalled()) await install(lock)
    if (web && !isBuilt()) await build(lock)
  })
}

/**
 * npm writes its own record of what is in node_modules last of all, so an interrupted install has none, and a
 * package added with `npm install` is in both. Optional packages are there or not according to the platform.
 */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
    const present = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages
    delete wanted['']
    return (
      Object.keys(present).every((path) => path in wanted) &&
      Object.keys(wanted).every((path) => {
        const { integrity, optional, devOptional } = wanted[path]
        return present[path] ? present[path].integrity === integrity : optional || devOptional
      })
    )
  } catch {
    return false
  }
}

async function install(lock) {
  say('Installing packages…')
  // The web app is built on this machine, so its tools are needed whatever NODE_ENV says. No package here needs its
  // install script: the native ones ship ready-made, and the tests' PostgreSQL gets its links when it is started.
  const options = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const code = await run(['npm', 'ci', ...options, '--no-update-notifier', '--loglevel=error'], {
    quiet: true,
    holds: lock,
    // On any other signal npm takes a minute to put back what the next install removes first of all.
    endedBy: 'SIGKILL',
  })
  if (code) fail('The packages could not be installed; npm says why above.')
}

const BUILT = 'dist/web'
/** The digest of what was built. It is there only while the build is whole. */
const STAMP = 'dist/web.sha256'

function isBuilt() {
  return existsSync(BUILT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceDigest()
}

async function build(lock) {
  say('Building the web app…')
  const digest = sourceDigest()
  const next = 'dist/web-next'
  const tool = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']
  const code = await run([...node(), ...tool, '--outDir', resolve(next), '--emptyOutDir'], { holds: lock })
  if (code) fail('The web app could not be built; Vite says why above.')
  rmSync(STAMP, { force: true })
  rmSync(BUILT, { recursive: true, force: true })
  renameSync(next, BUILT)
  writeFileSync(STAMP, digest)
}

function sourceDigest() {
  const sources = [
    'package.json',
    'package-lock.json',
    'vite.config.ts',
    ...filesUnder('contract'),
    ...filesUnder('web'),
  ]
  const hash = createHash('sha256')
  for (const path of sources.sort()) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function filesUnder(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return paths.filter((path) => statSync(path).isFile())
}
