import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { waitForFolder } from './db/embedded/wait-for-folder.ts'
import { openDatabase } from './db/open.ts'
import { readSettings, type Settings } from './env.ts'
import { createLog, type Log, printError } from './log.ts'
import { scheduleBackups } from './ops/backup/schedule.ts'
import { serveOperator } from './ops/cli/serve.ts'
import { refuseUnsafeSetup } from './safe-setup.ts'
import type { App } from './services.ts'
import { StartupError } from './startup-error.ts'

/** Long enough for what is under way, short enough for whoever waits for the stop. */
const STOP_WITHIN_MS = 10_000
/** A signal this soon after the first is the same wish; a later one is impatience, and ends the process at once. */
const SAME_SIGNAL_MS = 1_000

async function main() {
  const settings = readSettings(process.env)
  refuseUnsafeSetup(settings)
  const log = createLog(settings.logLevel)
  const { leaving, exitCode, startServing } = leaveWhenAsked(settings, log)
  const open = () =>
    openDatabase(settings, log, (reason) => {
      process.stderr.write(`${reason.message}\n`)
      process.exit(1)
    })
  // The database opens in a thread of its own while this one loads the rest of the product.
  const [database, { buildApp }] = await Promise.all([
    waitForFolder(open, () => process.stdout.write(waitingFor(settings))),
    import('./app.ts'),
  ])
  const app = await buildApp({ database, settings, log, leaving })
  startServing()
  await listen(app, settings)
  const dismissOperator = await serveOperator({ database, settings, log })
  const stopBackups = scheduleBackups({ database, settings, log })
  if (!leaving.aborted) {
    sayWhatIsOpen(settings, log)
    const shown = settings.publicUrl ?? `http://localhost:${portOf(app.server.address()) ?? settings.port}`
    process.stdout.write(`Sourcebook is running at ${shown}\n`)
    await once(leaving, 'abort')
    // In the time of grace a balancer learns to send requests elsewhere.
    if (exitCode() === 0) await pause(settings.stopGraceMs)
  }
  await app.close()
  await dismissOperator()
  await stopBackups()
  await database.close()
  process.exit(exitCode())
}

const waitingFor = ({ dataDir }: Settings) =>
  `Another server is using the folder ${dataDir}. Waiting up to 10 s for it to stop…\n`

/**
 * `leaving` is set by SIGTERM or SIGINT, and by what nothing was ready for. Before `startServing` these end the process at
 * once: no request waits for an answer, and what was begun in the database is undone as after any crash.
 */
function leaveWhenAsked({ stopGraceMs }: Settings, log: Log) {
  const leaving = new AbortController()
  let code = 0
  let since: number | undefined
  let isServing = false
  const leave = () => {
    if (!isServing) process.exit(code)
    // One Ctrl-C arrives more than once: from the terminal, and from whoever started this process.
    if (since !== undefined && Date.now() - since > SAME_SIGNAL_MS) process.exit(1)
    if (since !== undefined) return
    since = Date.now()
    setTimeout(() => process.exit(1), (code === 0 ? stopGraceMs : 0) + STOP_WITHIN_MS).unref()
    leaving.abort()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
  // Rejections that nobody handles arrive here too. What state it left behind nobody knows, so the process ends, but not
  // before it has answered what is under way.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Unhandled error: stopping the server')
    code = 1
    leave()
  })
  const startServing = () => {
    isServing = true
  }
  return { leaving: leaving.signal, exitCode: () => code, startServing }
}

async function listen(app: App, { port, host }: Settings) {
  await app.listen({ port, host }).catch((error) => {
    throw error.code === 'EADDRINUSE'
      ? new StartupError(`Port ${port} is in use. Stop what uses it, or set PORT to another one.`)
      : error
  })
}

/** What an operator should know of the settings before people come. */
function sayWhatIsOpen({ mail, publicUrl }: Settings, log: Log) {
  if (mail === undefined) {
    log.warn(
      'Email addresses are not verified: people can sign up with an address that is not theirs. Set SMTP_URL to verify each address by mail (docs/operations.md).',
    )
  } else if (publicUrl === undefined) {
    log.warn('Mails will link to this machine only: set PUBLIC_URL to the address that people open.')
  }
}

/** The port it got, which is not the one asked for when that was 0. */
const portOf = (address: ReturnType<App['server']['address']>) =>
  address !== null && typeof address === 'object' ? address.port : undefined

try {
  await main()
} catch (error) {
  // What a person can mend is said in a sentence; anything else with all that is known of it.
  const known = error instanceof StartupError ? error.message : printError(error)
  process.stderr.write(`${known}\n`)
  process.exit(1)
}
