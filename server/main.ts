import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { waitForFolder } from './db/embedded/wait-for-folder.ts'
import { openDatabase } from './db/open.ts'
import type { Settings } from './env.ts'
import type { App } from './http/app.ts'
import { completeFromLedger, createLedger, ledgerPaths } from './ledger/ledger.ts'
import { createLog, type Log, printError } from './log.ts'
import { scheduleBackups } from './ops/backup/schedule.ts'
import { readSettings } from './ops/settings.ts'
import { eraseListed } from './programme/privacy/erase-chosen.ts'
import { refuseUnsafeSetup } from './safe-setup.ts'
import { StartupError } from './startup-error.ts'

/** Long enough for running requests, short enough for an operator who waits for the stop. */
const STOP_WITHIN_MS = 10_000
/** A repeat of the signal within this time is ignored. A later one ends the process immediately. */
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
  // The database starts while this process loads the rest of the product.
  const [database, { buildApp }] = await Promise.all([
    waitForFolder(open, () => process.stdout.write(waitingFor(settings))),
    import('./app.ts'),
  ])
  const [ownPath = '', ...others] = ledgerPaths(settings)
  const applied = await completeFromLedger(database.db, ownPath, eraseListed)
  if (applied.erased + applied.accounts + applied.passwords > 0) {
    log.warn(applied, 'The database lacked lines of the ledger, which were applied')
  }
  const ledger = createLedger({ db: database.db, paths: [ownPath, ...others], log })
  await ledger.copy()
  const app = await buildApp({ database, settings, log, leaving, ledger })
  startServing()
  await listen(app, settings)
  const stopBackups = scheduleBackups({ database, settings, log })
  if (!leaving.aborted) {
    warnAboutSettings(settings, log)
    const shown = settings.publicUrl ?? `http://localhost:${portOf(app.server.address()) ?? settings.port}`
    process.stdout.write(`Sourcebook is running at ${shown}\n`)
    await once(leaving, 'abort')
    // During the grace period a balancer stops sending requests here.
    if (exitCode() === 0) await pause(settings.stopGraceMs)
  }
  await app.close()
  await stopBackups()
  ledger.stop()
  await database.close()
  process.exit(exitCode())
}

const waitingFor = ({ dataDir }: Settings) =>
  `Another server is using the folder ${dataDir}. Waiting up to 10 s for it to stop…\n`

/**
 * `leaving` is aborted by SIGTERM, SIGINT and unhandled errors. Before `startServing` these end the process immediately:
 * no request waits for a response, and the database rolls back unfinished work as after a crash.
 */
function leaveWhenAsked({ stopGraceMs }: Settings, log: Log) {
  const leaving = new AbortController()
  let code = 0
  let since: number | undefined
  let isServing = false
  const leave = () => {
    if (!isServing) process.exit(code)
    // One Ctrl-C arrives more than once: from the terminal, and from the parent process.
    if (since !== undefined && Date.now() - since > SAME_SIGNAL_MS) process.exit(1)
    if (since !== undefined) return
    since = Date.now()
    setTimeout(() => process.exit(1), (code === 0 ? stopGraceMs : 0) + STOP_WITHIN_MS).unref()
    leaving.abort()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
  // Unhandled rejections arrive here too. The state is unknown afterwards, so the process ends, but first it finishes
  // running requests.
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

/** Warnings about the settings for the operator. */
function warnAboutSettings({ mail, publicUrl }: Settings, log: Log) {
  if (mail === undefined) {
    log.warn(
      'Email addresses are not verified: people can sign up with an address that is not theirs. Also, a stranger who guesses passwords can keep browsers that are not known out of an account for an hour, and no link by mail lets them in. Set SMTP_URL, or help with `npm run operator -- accounts reset EMAIL` (docs/operations.md).',
    )
  } else if (publicUrl === undefined) {
    log.warn('Mails will link to this machine only: set PUBLIC_URL to the address that people open.')
  }
}

/** The actual port. It differs from the setting when that is 0. */
const portOf = (address: ReturnType<App['server']['address']>) =>
  address !== null && typeof address === 'object' ? address.port : undefined

try {
  await main()
} catch (error) {
  // An error that a person can fix is printed as a sentence, any other one with all details.
  const known = error instanceof StartupError ? error.message : printError(error)
  process.stderr.write(`${known}\n`)
  process.exit(1)
}
