import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openAsItIs, openDatabase } from '#server/db/open.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { printError } from '#server/log.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE } from './command.ts'
import { commands, usage } from './commands.ts'
import { runCommand } from './run-command.ts'
import { sendCommand } from './send.ts'
import { socketOf } from './socket.ts'

const out = (line: string) => void process.stdout.write(`${line}\n`)
const complain = (line: string) => void process.stderr.write(`${line}\n`)
/** npm runs scripts in the folder of the package; this is where it was called. */
const folder = process.env.INIT_CWD ?? process.cwd()

/** A command may take as long as it takes: nobody waits for an answer behind it. */
const STATEMENT_TIMEOUT_MS = 24 * 3_600_000

async function main([name, ...args]: string[]): Promise<number> {
  const command = commands.find((command) => command.name === name)
  if (command === undefined) {
    if (name !== undefined) complain(`There is no command "${name}".\n`)
    for (const line of usage()) complain(line)
    return EXIT_USAGE
  }
  const settings = readSettings(process.env)
  return (await inTheServer(command, settings, args)) ?? (await here(command, settings, args))
}

/** A folder's one process is the server while that runs. */
async function inTheServer({ name }: Command, { databaseUrl, dataDir }: Settings, args: string[]) {
  if (databaseUrl || !existsSync(dataDir)) return undefined
  const path = socketOf(dataDir)
  return path === undefined ? undefined : sendCommand(path, { name, args, folder }, { out, complain })
}

async function here(command: Command, given: Settings, args: string[]): Promise<number> {
  const settings = { ...given, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  if (!command.wantsDatabaseAlone) refuseNoDatabase(settings)
  const lost = (reason: Error) => {
    complain(reason.message)
    process.exit(1)
  }
  const open = command.takesAnySchema ? openAsItIs : openDatabase
  const database = await open(settings, pino({ level: 'silent' }), lost)
  try {
    return await runCommand(command, { database, db: database.db, settings, folder, out, complain }, args)
  } finally {
    await database.close()
  }
}

/** A mistyped folder would be made, and its emptiness reported or saved as if it were the product's. */
function refuseNoDatabase({ databaseUrl, dataDir }: Settings) {
  if (databaseUrl || existsSync(join(dataDir, 'database'))) return
  throw new StartupError(`There is no database in the folder ${dataDir}. Set DATA_DIR to the folder that has it.`)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  complain(error instanceof StartupError ? error.message : printError(error))
  process.exitCode = 1
}
