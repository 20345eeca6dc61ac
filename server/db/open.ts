import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { sqlState } from '#server/sql-state.ts'
import { StartupError } from '#server/startup-error.ts'
import { firstCause, isConnectionError, type OpenDatabase } from './database.ts'
import { FolderInUse } from './embedded/errors.ts'
import { addressOf, startEmbedded } from './embedded/server.ts'
import { checkEngine, refuseOtherEngines } from './engine-check.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'

/** The embedded database has ended, so the process must end too. */
type OnLost = (reason: Error) => void
/** Also uses the embedded database of a product that is running. */
type Beside = { beside?: boolean }

/**
 * Opens the database of the settings, refuses one that would lose changes, and brings its schema up to date. Throws a
 * `StartupError` for people.
 */
export async function openDatabase(
  settings: Settings,
  log: Log,
  onLost: OnLost,
  beside: Beside = {},
): Promise<OpenDatabase> {
  const database = await openAsItIs(settings, log, onLost, beside)
  try {
    if (settings.databaseUrl) await refuseUnsuitable(settings.databaseUrl, settings, log)
    if (settings.databaseUrl && settings.databaseOwnerUrl) await migrateByOwner(settings, database, log)
    else await migrate(database.db)
    return database
  } catch (error) {
    await database.close()
    throw settings.databaseUrl ? inASentence(error, settings.databaseUrl) : error
  }
}

async function refuseUnsuitable(url: string, { statementTimeoutMs }: Settings, log: Log) {
  await refuseOtherEngines(url)
  const database = openPostgres({ url, connections: 2, statementTimeoutMs, log })
  try {
    await checkEngine(database, { statementTimeoutMs })
  } finally {
    await database.close()
  }
}

async function migrateByOwner(settings: Settings, product: OpenDatabase, log: Log) {
  const { migrateAsOwner } = await import('./owner.ts')
  const owner = openPostgres({
    url: settings.databaseOwnerUrl as string,
    connections: 1,
    statementTimeoutMs: settings.statementTimeoutMs,
    log,
  })
  try {
    await migrateAsOwner(owner, product)
  } finally {
    await owner.close()
  }
}

/** Opens the database of the settings with any schema, or none. */
export async function openAsItIs(
  settings: Settings,
  log: Log,
  onLost: OnLost,
  { beside = false }: Beside = {},
): Promise<OpenDatabase> {
  const open = (url: string) =>
    openPostgres({
      url,
      connections: settings.databasePool,
      statementTimeoutMs: settings.statementTimeoutMs,
      log,
    })
  if (settings.databaseUrl) return open(settings.databaseUrl)
  const { dataDir: folder, databasePool: connections } = settings
  try {
    const server = await startEmbedded({ folder, connections, log, onLost })
    const database = open(server.url)
    await releaseJobs(database)
    return { ...database, close: () => database.close().finally(server.stop) }
  } catch (error) {
    if (beside && error instanceof FolderInUse) return besideAnother(folder, open)
    throw error
  }
}

const BESIDE_WITHIN_MS = 10_000

/** The database that another process has started, or is about to. */
async function besideAnother(folder: string, open: (url: string) => OpenDatabase): Promise<OpenDatabase> {
  const began = performance.now()
  for (;;) {
    try {
      const database = open(addressOf(folder))
      try {
        await database.execute('select 1')
        return database
      } catch (error) {
        await database.close()
        throw error
      }
    } catch (error) {
      if (performance.now() - began > BESIDE_WITHIN_MS) throw error
      await pause(100)
    }
  }
}

/**
 * Only one product has the folder, so a job that is active before any worker has started belongs to a process that was
 * killed. It runs again immediately, without waiting for the end of its heartbeat.
 */
const releaseJobs = ({ execute }: OpenDatabase) =>
  execute(`do $$ begin
    if to_regclass('pgboss.job') is not null then
      update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active';
    end if;
  end $$`)

/** The reason why a PostgreSQL cannot be used, if an operator can fix it. */
function inASentence(error: unknown, databaseUrl: string): unknown {
  const { message } = firstCause(error)
  const state = sqlState(error)
  if (error instanceof StartupError || !(state ? /^(08|28|3D|53|57P)/.test(state) : isConnectionError(error)))
    return error
  // Not the whole URL: it contains the password.
  const host = URL.parse(databaseUrl)?.host
  return new StartupError(`The database at ${host} cannot be used (${message}). Start it, or correct DATABASE_URL.`)
}
