import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type PGlite, types } from '@electric-sql/pglite'
import { finishFolder } from './data-folder.ts'
import { type FatalReport, openDurable, openInMemory } from './durable.ts'
import { type ErrorFields, leftTransactionOpen } from './errors.ts'
import type { DataFolder, Report, Request, Work, WorkerStart } from './messages.ts'
import { createPreparedStatements, type PreparedStatements } from './prepared-statements.ts'

if (!parentPort) throw new Error('This file is the thread that holds the database: start it as a worker.')
const port = parentPort

const report = (what: Report) => port.postMessage(what)

/** Ends the worker within this call, so that PostgreSQL cannot continue and nothing more is confirmed. */
function end(reason: Report): never {
  report(reason)
  process.exit(1)
}

const fatal: FatalReport = {
  diskRefused: (code) => end({ kind: 'disk-refused', code }),
  broken: (message) => end({ kind: 'broken', message }),
}

async function open({ dataFolder, snapshot }: WorkerStart): Promise<PGlite> {
  if (!dataFolder) return openInMemory(snapshot, fatal)
  if (!fs.existsSync(dataFolder.database)) await create(dataFolder)
  return openDurable(dataFolder.database, fatal)
}

async function create(dataFolder: DataFolder): Promise<void> {
  fs.mkdirSync(dataFolder.unfinished, { mode: 0o700 })
  const db = await openDurable(dataFolder.unfinished, fatal)
  await db.close()
  finishFolder(dataFolder)
}

const arrayTypes = { NUMERIC: 1231, TIMESTAMP: 1115, TIMESTAMPTZ: 1185, INTERVAL: 1187, DATE: 1182 }
const typesAsText = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, ...Object.values(arrayTypes)]

/**
 * Drizzle sends parsers with every statement, but functions cannot be posted to a worker, so these do the same. They
 * are set once, because PGlite copies its hundreds of parsers for every statement that brings its own.
 */
function giveAsText(db: PGlite): void {
  for (const type of typesAsText) db.parsers[type] = (text) => text
}

async function perform(db: PGlite, statements: PreparedStatements, work: Work): Promise<unknown> {
  switch (work.kind) {
    case 'query':
      return alone(db, work.alone, () =>
        work.isPrepared ? statements.query(work) : db.query(work.sql, work.params, { rowMode: work.rowMode }),
      )
    case 'exec':
      return alone(db, work.alone, () => db.exec(work.sql, { rowMode: work.rowMode }))
    case 'dump':
      await db.exec('CHECKPOINT')
      return db.dumpDataDir('none').then((dump) => dump.arrayBuffer())
    case 'close':
      return db.close()
  }
}

/**
 * All statements share one session. A BEGIN that is never ended, or fails halfway, would include all statements after
 * it.
 */
async function alone<T>(db: PGlite, isAlone: boolean, run: () => Promise<T>): Promise<T> {
  if (!isAlone) return run()
  let result: T
  try {
    result = await run()
  } catch (error) {
    if (db.isInTransaction()) await db.exec('ROLLBACK')
    throw error
  }
  if (!db.isInTransaction()) return result
  await db.exec('ROLLBACK')
  throw leftTransactionOpen()
}

const fieldNames = [
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
] as const

function fieldsOf(error: Error & Partial<ErrorFields>): ErrorFields {
  const fields: ErrorFields = { message: error.message }
  for (const name of fieldNames) if (typeof error[name] === 'string') fields[name] = error[name]
  return fields
}

async function answer(db: PGlite, statements: PreparedStatements, { id, work }: Request): Promise<void> {
  try {
    report({ kind: 'answer', id, value: await perform(db, statements, work) })
  } catch (error) {
    report({ kind: 'failure', id, error: fieldsOf(error as Error) })
  }
}

try {
  const db = await open(workerData as WorkerStart)
  giveAsText(db)
  db.onNotification((channel, payload) => report({ kind: 'notification', channel, payload }))
  const statements = createPreparedStatements(db)
  let before = Promise.resolve()
  port.on('message', (request: Request) => {
    before = before.then(() => answer(db, statements, request))
  })
  report({ kind: 'ready' })
} catch (error) {
  const { message, syscall, code = 'unknown' } = error as NodeJS.ErrnoException
  end(syscall === 'fsync' ? { kind: 'disk-refused', code } : { kind: 'unreadable', message })
}
