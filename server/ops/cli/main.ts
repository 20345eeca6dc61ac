import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { pino } from 'pino'
import type { Database } from '#server/db/database.ts'
import { openAsItIs, openDatabase } from '#server/db/open.ts'
import type { Settings } from '#server/env.ts'
import { createLedger, ledgerPaths } from '#server/ledger/ledger.ts'
import { printError } from '#server/log.ts'
import { readSettings } from '#server/ops/settings.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE, type OperatorFile } from './command.ts'
import { commands, usage } from './commands.ts'
import { asOwner } from './identity.ts'
import { wrapped } from './lines.ts'
import { runCommand, usageOf } from './run-command.ts'

const out = (line: string) => void process.stdout.write(`${line}\n`)
let hasComplained = false
/** What read the output has ended, as `head` does. The command ends quietly. */
let isUnread = false
const complain = (line: string) => {
  if (isUnread) return
  hasComplained = true
  process.stderr.write(`${line}\n`)
}
/** The working directory of the operator. npm runs scripts in the folder of the package. */
const folder = process.env.INIT_CWD ?? process.cwd()

/** Commands have no time limit, because no request waits for them. */
const STATEMENT_TIMEOUT_MS = 24 * 3_600_000

/** The time for a command to clean up. Then its process ends. */
const STOP_WITHIN_MS = 700

/** Aborted by SIGINT or SIGTERM. One Ctrl-C arrives more than once: from the terminal, and from the parent process. */
function stopWhenAsked(): AbortSignal {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) return
    setTimeout(() => {
      if (!hasComplained) complain('The command was stopped before it finished.')
      process.exit(isUnread ? 0 : 1)
    }, STOP_WITHIN_MS).unref()
    stopping.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isUnread = true
    stop()
  })
  return stopping.signal
}

async function main(words: string[]): Promise<number> {
  const {
    values,
    args: [name, ...args],
  } = takeSettingsFile(words)
  const command = commands.find((command) => command.name === name)
  if (command === undefined) {
    if (name !== undefined) complain(`There is no command "${name}".\n`)
    for (const line of usage()) complain(line)
    return EXIT_USAGE
  }
  const settings = readSettings({ ...values, ...process.env })
  const signal = stopWhenAsked()
  if (command.withFile === undefined) return run(command, settings, args, { signal, complain })
  const code = await command.withFile({ folder, signal, out }, args, async (file) => {
    const complaints: string[] = []
    const collect = (line: string) => complaints.push(line)
    const failed = await run(command, settings, args, { ...file, signal, complain: collect })
    if (failed) throw new StartupError(complaints.join('\n'))
  })
  if (code === EXIT_USAGE) complain(usageOf(command))
  return code
}

/**
 * `--settings FILE` reads the file of the service (`EnvironmentFile=` of systemd). The environment takes precedence.
 */
function takeSettingsFile(words: string[]): { values: NodeJS.Dict<string>; args: string[] } {
  const at = words.indexOf('--settings')
  if (at === -1) return { values: {}, args: words }
  const path = resolve(folder, words[at + 1] ?? '')
  try {
    return { values: parseEnv(readFileSync(path, 'utf8')), args: words.toSpliced(at, 2) }
  } catch (error) {
    throw new StartupError(`The settings in ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

type Means = OperatorFile & { signal: AbortSignal; complain: (line: string) => void }

/** Runs the command as the user who has the data. */
const run = (command: Command, settings: Settings, args: string[], means: Means): Promise<number> =>
  asOwner(settings, () => here(command, settings, args, means))

async function here(command: Command, given: Settings, args: string[], means: Means): Promise<number> {
  const settings = { ...given, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  if (!command.wantsDatabaseAlone) refuseNoDatabase(settings)
  const lost = (reason: Error) => {
    complain(reason.message)
    process.exit(1)
  }
  const open = command.takesAnySchema ? openAsItIs : openDatabase
  const beside = !command.wantsDatabaseAlone
  const database = await open(settings, pino({ level: 'silent' }), lost, { beside })
  try {
    const code = await runCommand(command, { ...means, database, db: database.db, settings, folder, out }, args)
    if (code === 0 && !command.takesAnySchema) await copyLedger(database.db, settings)
    return code
  } finally {
    await database.close()
  }
}

/** With DATABASE_URL the servers copy it: the operator may be another user than theirs. */
async function copyLedger(db: Database, settings: Settings) {
  if (settings.databaseUrl) return
  const ledger = createLedger({ db, paths: ledgerPaths(settings), log: pino({ level: 'warn' }, pino.destination(2)) })
  await ledger.copy()
  ledger.stop()
}

/** Otherwise a mistyped folder would be created, and its emptiness reported or backed up. */
function refuseNoDatabase({ databaseUrl, dataDir }: Settings) {
  if (databaseUrl || ['postgres', 'database'].some((name) => existsSync(join(dataDir, name)))) return
  throw new StartupError(`There is no database in the folder ${dataDir}. Set DATA_DIR to the folder that has it.`)
}

try {
  const code = await main(process.argv.slice(2))
  process.exitCode = isUnread ? 0 : code
} catch (error) {
  complain(error instanceof StartupError ? wrapped(error.message).join('\n') : printError(error))
  process.exitCode = 1
}
