import { pino } from 'pino'
import { openDatabase } from './db/open.ts'
import { readSettings } from './env.ts'
import type { App } from './services.ts'
import { StartupError } from './startup-error.ts'

/** Long enough for what is under way, short enough for whoever waits for the stop. */
const STOP_WITHIN_MS = 10_000
/** A signal this soon after the first is the same wish; a later one is impatience, and ends the process at once. */
const SAME_SIGNAL_MS = 1_000

async function main() {
  const settings = readSettings(process.env)
  const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }))
  // The database opens in a thread of its own while this one loads the rest of the product.
  const [database, { buildApp }] = await Promise.all([
    openDatabase(settings, log, (reason) => {
      process.stderr.write(`${reason.message}\n`)
      process.exit(1)
    }),
    import('./app.ts'),
  ])
  const app = await buildApp({ database, settings, log })
  await app.listen({ port: settings.port, host: settings.host }).catch((error) => {
    throw error.code === 'EADDRINUSE'
      ? new StartupError(`Port ${settings.port} is in use. Stop what uses it, or set PORT to another one.`)
      : error
  })

  let stoppingSince: number | undefined
  const stop = async () => {
    // One Ctrl-C arrives more than once: from the terminal, and from whoever started this process.
    if (stoppingSince !== undefined && Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
    if (stoppingSince !== undefined) return
    stoppingSince = Date.now()
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await app.close()
    await database.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  const shown = settings.publicUrl ?? `http://localhost:${portOf(app.server.address()) ?? settings.port}`
  process.stdout.write(`Sourcebook is running at ${shown}\n`)
}

/** The port it got, which is not the one asked for when that was 0. */
const portOf = (address: ReturnType<App['server']['address']>) =>
  address !== null && typeof address === 'object' ? address.port : undefined

try {
  await main()
} catch (error) {
  // What a person can mend is said in a sentence; anything else with all that is known of it.
  const known = error instanceof StartupError ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${known}\n`)
  process.exit(1)
}
