import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { settings as kept } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { publish } from '#server/telemetry.ts'
import { writeBackup } from './write.ts'

export type BackupPlan = NonNullable<Settings['backup']>

const LOOK_EVERY_MS = 60_000
const STOP_WITHIN_MS = 3_000
/** The delay before a failed backup, or one whose process ended, is retried. */
const AGAIN_AFTER_SECONDS = 3_600

/**
 * Makes scheduled backups for as long as the server runs, in one of all processes. Returns a function that stops it.
 */
export function scheduleBackups(options: {
  database: OpenDatabase
  settings: Settings
  log: Log
}): () => Promise<void> {
  const { database, log } = options
  const plan = options.settings.backup
  if (plan === undefined) return async () => {}
  const stopping = new AbortController()
  let underWay: Promise<void> | undefined
  const look = () => {
    underWay ??= backUpIfDue(database, plan, log, stopping.signal).finally(() => {
      underWay = undefined
    })
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  look()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    // A copy of large files cannot be interrupted. The next start deletes it.
    await Promise.race([underWay, pause(STOP_WITHIN_MS, undefined, { ref: false })])
  }
}

/** Never throws: errors are in the log. */
export async function backUpIfDue(database: OpenDatabase, plan: BackupPlan, log: Log, signal?: AbortSignal) {
  try {
    const begunAt = await claim(database.db, plan)
    if (begunAt === undefined) return
    const file = join(plan.dir, nameAt(begunAt))
    await deleteFiles(plan.dir, isPart)
    const { bytes, rows } = await writeBackup(database, file, { ...(signal && { signal }) })
    await remember(database.db, COUNTS_FROM, String(begunAt))
    await remember(database.db, NEWEST, file)
    await database.db.delete(kept).where(eq(kept.key, FAILED_AT))
    const names = (await readdir(plan.dir)).filter(isBackup).sort()
    const old = new Set(names.slice(0, -plan.keep))
    await deleteFiles(plan.dir, (name) => old.has(name))
    publish('backup', { result: 'made' })
    log.info({ file, bytes, rows, deleted: old.size }, 'A backup was written and verified')
  } catch (error) {
    if (signal?.aborted) return
    publish('backup', { result: 'failed' })
    await remember(database.db, FAILED_AT, new Date().toISOString()).catch(() => {})
    log.error({ err: error }, 'The backup failed; it is retried in an hour')
  }
}

/** The start of the interval, in seconds since 1970 by the clock of the database. */
const COUNTS_FROM = 'backup-counts-from'
/** The newest scheduled backup. */
const NEWEST = 'newest-backup'
/** When the last scheduled backup failed; absent when it was made. */
const FAILED_AT = 'backup-failed-at'

/** The current time, for the one process that has to make the backup that is due; undefined for all others. */
async function claim(db: Database, { everyHours }: BackupPlan): Promise<number | undefined> {
  const seconds = everyHours * 3_600
  const next = sql`(extract(epoch from now()) - ${Math.max(seconds - AGAIN_AFTER_SECONDS, 0)}::float8)::text`
  const [claimed] = await rowsOf<{ now: number }>(
    db,
    sql`insert into settings (key, value) values (${COUNTS_FROM}, ${next})
      on conflict (key) do update set value = excluded.value
      where settings.value::float8 <= extract(epoch from now()) - ${seconds}::float8
      returning extract(epoch from now())::float8 as now`,
  )
  return claimed?.now
}

async function remember(db: Database, key: string, value: string): Promise<void> {
  await db.insert(kept).values({ key, value }).onConflictDoUpdate({ target: kept.key, set: { value } })
}

async function remembered(db: Database, key: string): Promise<string | undefined> {
  const [row] = await db.select({ value: kept.value }).from(kept).where(eq(kept.key, key))
  return row?.value
}

/** The newest scheduled backup; undefined when there was none. */
export const newestBackup = (db: Database) => remembered(db, NEWEST)

/** When the last scheduled backup failed; undefined when it was made. */
export const failedBackupAt = (db: Database) => remembered(db, FAILED_AT)

/** The time of that backup, in seconds since 1970. */
export async function newestBackupAt(db: Database): Promise<number | undefined> {
  const [, date, hour, minute, second] = TIME_IN_NAME.exec((await newestBackup(db)) ?? '') ?? []
  return date === undefined ? undefined : Date.parse(`${date}T${hour}:${minute}:${second}Z`) / 1000
}

const TIME_IN_NAME = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/

const nameAt = (seconds: number) =>
  `sourcebook-${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
const OURS = String.raw`^sourcebook-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup`
const isBackup = (name: string) => new RegExp(`${OURS}$`).test(name)
/** The file of an interrupted backup. */
const isPart = (name: string) => new RegExp(String.raw`${OURS}\.part$`).test(name)

async function deleteFiles(dir: string, goes: (name: string) => boolean): Promise<void> {
  const names = await readdir(dir).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter(goes)) await rm(join(dir, name), { force: true })
}
