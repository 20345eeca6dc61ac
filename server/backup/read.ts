import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { StartupError } from '#server/startup-error.ts'
import { BackupHeader, CHECKSUM_BYTES, checksumLine, FORMAT_VERSION, type Marker, readMarker } from './format.ts'

/** A backup whose first line was read, and whose checksum was found right. */
export type Backup = { path: string; header: BackupHeader; body: { start: number; end: number } }

/** What a backup is made of, in order: rows are told as some lines of JSON at a time, each after its table. */
export type Part = Marker | { kind: 'lines'; lines: string[] }

const HEADER_MAX = 4096

/** Reads what a file says of itself, and all of it once for its checksum. Throws a `StartupError` for people. */
export async function openBackup(path: string, signal?: AbortSignal): Promise<Backup> {
  const { first, size, last } = await ends(path)
  const end = first.indexOf('\n')
  const header = BackupHeader.safeParse(parse(first.subarray(0, Math.max(end, 0)).toString()))
  if (!header.success) throw new StartupError(`${path} is not a backup of Sourcebook.`)
  if (header.data.version > FORMAT_VERSION) {
    throw new StartupError(
      `${path} was written by a newer Sourcebook (${header.data.sourcebook}). Restore it with that.`,
    )
  }
  const hash = createHash('sha256')
  const all = createReadStream(path, { end: Math.max(size - CHECKSUM_BYTES - 1, 0) })
  await pipeline(all, hash, { ...(signal && { signal }) })
  if (checksumLine(hash.digest('hex')) !== last) throw damaged(path)
  return { path, header: header.data, body: { start: end + 1, end: size - CHECKSUM_BYTES - 1 } }
}

/** Reads all of a backup and counts its rows. Throws a `StartupError` when it is not whole. */
export async function checkBackup(path: string, signal?: AbortSignal): Promise<{ header: BackupHeader; rows: number }> {
  const backup = await openBackup(path, signal)
  let rows = 0
  for await (const part of partsOf(backup)) {
    signal?.throwIfAborted()
    if (part.kind === 'rows') rows += part.count
  }
  return { header: backup.header, rows }
}

/** The parts of a backup, a few lines in memory at a time; ends only after as many rows as there have to be. */
export async function* partsOf({ path, body }: Backup): AsyncGenerator<Part> {
  let count = 0
  let isWhole = false
  for await (const lines of linesOf(path, body)) {
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

/** Lines end at line feeds alone: readers of lines take more for an end, such as characters that texts may have. */
async function* linesOf(path: string, body: Backup['body']): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  const unzip = createGunzip({ chunkSize: 256 * 1024 })
  const file = createReadStream(path, { ...body, highWaterMark: 64 * 1024 })
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

async function ends(path: string): Promise<{ first: Buffer; last: string; size: number }> {
  const handle = await open(path).catch((error) => {
    throw new StartupError(`The backup ${path} cannot be read (${error.code}).`)
  })
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEADER_MAX), position: 0 })
    const tail = await handle.read({
      buffer: Buffer.alloc(CHECKSUM_BYTES),
      position: Math.max(size - CHECKSUM_BYTES, 0),
    })
    return { first: buffer.subarray(0, bytesRead), last: tail.buffer.toString('latin1'), size }
  } catch (error) {
    throw new StartupError(`The backup ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  } finally {
    await handle.close()
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const damaged = (path: string) =>
  new StartupError(`The backup ${path} is damaged: it is not what was written. Nothing was restored; use another one.`)
