import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { syncFolder } from '#server/db/embedded/files.ts'
import { StartupError } from '#server/startup-error.ts'
import { VERSION } from '#server/version.ts'
import { type BackupHeader, checksumLine, FORMAT_VERSION, markerLine } from './format.ts'
import { checkBackup } from './read.ts'
import { schemaOf, sequencesOf, setStableFormats, type Table, tablesOf } from './tables.ts'

/** Rows in memory at a time: some may have texts of tens of thousands of characters. */
const ROWS_AT_A_TIME = 200
/** The default level takes four times as long and saves a tenth. */
const GZIP_LEVEL = 2

type Options = {
  /** Replaces an existing file. */
  replaces?: boolean
  /** Stops the backup early and deletes its file. */
  signal?: AbortSignal
}

/** Receives the bytes of a backup, one piece after the other. */
export type Write = (bytes: Buffer) => Promise<void>

export type Written = { bytes: number; rows: number; header: BackupHeader }

/** Writes a backup of this database into a file. */
export const writeBackup = (database: OpenDatabase, file: string, options: Options = {}): Promise<Written> =>
  saveBackup(file, (write) => streamBackup(database, write, options.signal), options)

/**
 * Writes a backup, as produced by `stream`, into a file that only this user can read. The file gets its name once it is
 * complete, synced and verified; before that it is called `FILE.part`.
 */
export async function saveBackup(
  file: string,
  stream: (write: Write) => Promise<void>,
  options: Options = {},
): Promise<Written> {
  if (existsSync(file) && !options.replaces) {
    throw new StartupError(`There is a file ${file} already. Choose another name, or add --force to replace it.`)
  }
  const part = `${file}.part`
  const drop = () => rm(part, { force: true }).catch(() => {})
  // On process exit too: a waiting statement may delay the cleanup below until the process has ended.
  options.signal?.addEventListener('abort', drop, { once: true })
  try {
    await mkdir(dirname(resolve(file)), { recursive: true, mode: 0o700 })
    await rm(part, { force: true })
    await fill(part, stream, options.signal)
    const { header, rows } = await checkBackup(part, options.signal)
    options.signal?.throwIfAborted()
    await rename(part, file)
    syncFolder(dirname(resolve(file)))
    return { header, rows, bytes: (await stat(file)).size }
  } catch (error) {
    await drop()
    if (options.signal?.aborted) throw new StartupError('The backup was stopped, and its file was deleted.')
    throw isAboutFile(error) ? new StartupError(`The backup could not be written: ${error.message}.`) : error
  } finally {
    options.signal?.removeEventListener('abort', drop)
  }
}

async function fill(part: string, stream: (write: Write) => Promise<void>, signal: AbortSignal | undefined) {
  signal?.throwIfAborted()
  const handle = await open(part, 'wx', 0o600)
  try {
    await stream((bytes) => handle.writeFile(bytes))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isAboutFile = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error

/** Writes all tables from one snapshot, while the product keeps working. */
export const streamBackup = (database: OpenDatabase, write: Write, signal?: AbortSignal): Promise<void> =>
  database.snapshot((db) => writeAll(db, write, signal))

async function writeAll(db: Database, give: Write, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await setStableFormats(db)
  const header: BackupHeader = {
    format: 'sourcebook-backup',
    version: FORMAT_VERSION,
    schema: await schemaOf(db),
    sourcebook: VERSION,
    takenAt: new Date().toISOString(),
  }
  if (header.schema === 0) throw new StartupError('This database holds no Sourcebook data yet.')

  const hash = createHash('sha256')
  const write = async (bytes: Buffer) => {
    hash.update(bytes)
    await give(bytes)
  }
  await write(Buffer.from(`${JSON.stringify(header)}\n`))
  const zip = createGzip({ level: GZIP_LEVEL, chunkSize: 256 * 1024 })
  const rows = Readable.from(everything(db), { objectMode: false })
  await pipeline(
    rows,
    zip,
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) await write(chunk)
    },
    { ...(signal && { signal }) },
  )
  await give(Buffer.from(checksumLine(hash.digest('hex'))))
}

async function* everything(db: Database): AsyncGenerator<string> {
  for (const table of await tablesOf(db)) {
    yield markerLine({ kind: 'table', name: table.name, columns: table.columns.map(({ name }) => name) })
    let count = 0
    for await (const lines of rowsAsLines(db, table)) {
      count += lines.length
      yield `${lines.join('\n')}\n`
    }
    yield markerLine({ kind: 'rows', count })
  }
  for (const sequence of await sequencesOf(db)) yield markerLine({ kind: 'sequence', ...sequence })
  yield markerLine({ kind: 'end' })
}

async function* rowsAsLines(db: Database, { name, columns }: Table): AsyncGenerator<string[]> {
  const values = columns.map((column) => sql`${sql.identifier(column.name)}::text`)
  await db.execute(sql`declare lines no scroll cursor for
    select row_to_json(line)::text as line from (select ${sql.join(values, sql`, `)} from ${sql.identifier(name)}) line`)
  while (true) {
    const rows = await rowsOf<{ line: string }>(db, sql`fetch ${sql.raw(String(ROWS_AT_A_TIME))} from lines`)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < ROWS_AT_A_TIME) break
  }
  await db.execute(sql`close lines`)
}
