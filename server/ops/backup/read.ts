import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { StartupError } from '#server/startup-error.ts'
import { BackupHeader, CHECKSUM_BYTES, checksumLine, FORMAT_VERSION, type Marker, readMarker } from './format.ts'

/** An open file that may be a backup. It stays readable even if the process changes its user afterwards. */
export type BackupFile = { path: string; handle: FileHandle }

/** A backup whose first line was parsed and whose checksum is right. */
export type Backup = BackupFile & { header: BackupHeader; body: { start: number; end: number } }

/** The parts of a backup, in order. Rows come in batches of JSON lines, after the line of their table. */
export type Part = Marker | { kind: 'lines'; lines: string[] }

const HEADER_MAX = 4096

/** Opens a file for the duration of the work. Throws a `StartupError` when it cannot be opened. */
export async function withBackupFile<T>(path: string, work: (file: BackupFile) => Promise<T>): Promise<T> {
  const handle = await open(path).catch((error) => {
    throw unreadable(path, error)
  })
  return work({ path, handle }).finally(() => handle.close())
}

/** Reads the header, and the whole file once for its checksum. Throws a `StartupError` for people. */
export async function openBackup(file: BackupFile, signal?: AbortSignal): Promise<Backup> {
  const { path, handle } = file
  const { first, size, last } = await ends(file)
  const end = first.indexOf('\n')
  const header = BackupHeader.safeParse(parse(first.subarray(0, Math.max(end, 0)).toString()))
  if (!header.success) throw new StartupError(`${path} is not a backup of Sourcebook.`)
  if (header.data.version > FORMAT_VERSION) {
    throw new StartupError(
      `${path} was written by a newer Sourcebook (${header.data.sourcebook}). Restore it with that.`,
    )
  }
  const hash = createHash('sha256')
  const all = handle.createReadStream({ start: 0, end: Math.max(size - CHECKSUM_BYTES - 1, 0), autoClose: false })
  await pipeline(all, hash, { ...(signal && { signal }) })
  if (checksumLine(hash.digest('hex')) !== last) throw damaged(path)
  return { path, handle, header: header.data, body: { start: end + 1, end: size - CHECKSUM_BYTES - 1 } }
}

/** Reads the whole backup and counts its rows. Throws a `StartupError` when it is incomplete. */
export const checkBackup = (path: string, signal?: AbortSignal): Promise<{ header: BackupHeader; rows: number }> =>
  withBackupFile(path, async (file) => {
    const backup = await openBackup(file, signal)
    let rows = 0
    for await (const part of partsOf(backup)) {
      signal?.throwIfAborted()
      if (part.kind === 'rows') rows += part.count
    }
    return { header: backup.header, rows }
  })

/**
 * The parts of a backup, a few lines in memory at a time. Throws unless every table has the number of rows it declares.
 */
export async function* partsOf({ path, handle, body }: Backup): AsyncGenerator<Part> {
  let count = 0
  let isWhole = false
  for await (const lines of linesOf(handle, body)) {
    for (const part of asParts(lines)) {
      if (part.kind === 'lines') count += part.lines.length
      else if (part.kind === 'table') count = 0
      else if (part.kind === 'rows' && part.count !== count) throw damaged(path)
      else isWhole = part.kind === 'end'
      yield part
    }
  }
  if (!isWhole) throw damaged(path)
}

function* asParts(lines: string[]): Generator<Part> {
  let rows: string[] = []
  for (const line of lines) {
    if (!line.startsWith('#')) {
      rows.push(line)
      continue
    }
    if (rows.length > 0) yield { kind: 'lines', lines: rows }
    rows = []
    yield readMarker(line)
  }
  if (rows.length > 0) yield { kind: 'lines', lines: rows }
}

/** Lines end at line feeds only. Node's line reader also splits at other characters, which texts may contain. */
async function* linesOf(handle: FileHandle, body: Backup['body']): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  const unzip = createGunzip({ chunkSize: 256 * 1024 })
  const file = handle.createReadStream({ ...body, autoClose: false, highWaterMark: 64 * 1024 })
  file.on('error', (error) => unzip.destroy(error))
  let rest = ''
  try {
    for await (const chunk of file.pipe(unzip)) {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
  } finally {
    file.destroy()
  }
}

async function ends({ path, handle }: BackupFile): Promise<{ first: Buffer; last: string; size: number }> {
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEADER_MAX), position: 0 })
    const tail = await handle.read({
      buffer: Buffer.alloc(CHECKSUM_BYTES),
      position: Math.max(size - CHECKSUM_BYTES, 0),
    })
    return { first: buffer.subarray(0, bytesRead), last: tail.buffer.toString('latin1'), size }
  } catch (error) {
    throw unreadable(path, error)
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreadable = (path: string, error: unknown) =>
  new StartupError(`The backup ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)

const damaged = (path: string) =>
  new StartupError(`The backup ${path} is damaged. Nothing was restored; use another one.`)
