import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { IMPORT_UNPACKED_MAX } from '#contract/import.ts'
import { UnreadableFile } from './unreadable-file.ts'

export type Archive = {
  names: string[]
  /** Unpacks one file as text, a piece at a time. Yields nothing if it does not exist. */
  readText: (name: string) => AsyncGenerator<string>
}

const ENTRIES_MAX = 10_000
const PIECE = 65_536

const damaged = () => new UnreadableFile('This file is damaged. Save it again as XLSX or CSV, and upload that.')
const tooLarge = () =>
  new UnreadableFile(
    `This file is larger than ${IMPORT_UNPACKED_MAX / 1_000_000} MB when unpacked. Split it, and import the parts.`,
  )

/** Opens a ZIP archive. The total unpacked size is limited, whatever the archive declares. */
export async function openArchive(file: Buffer): Promise<Archive> {
  const zip = await fromBufferPromise(file, { lazyEntries: true }).catch(() => {
    throw damaged()
  })
  const entries = await listEntries(zip)
  const sizes = new Map<string, number>()
  let left = IMPORT_UNPACKED_MAX

  async function* readText(name: string): AsyncGenerator<string> {
    const entry = entries.get(name)
    if (!entry) return
    // What is read a second time counts once.
    const counted = sizes.get(name) ?? 0
    if (entry.uncompressedSize - counted > left) throw tooLarge()
    const decoder = new TextDecoder()
    let size = 0
    for await (const piece of unpack(zip, entry)) {
      size += piece.length
      left -= Math.max(0, Math.min(piece.length, size - counted))
      if (left < 0) throw tooLarge()
      // A file that is stored uncompressed arrives in one piece.
      for (let at = 0; at < piece.length; at += PIECE) {
        yield decoder.decode(piece.subarray(at, at + PIECE), { stream: true })
      }
    }
    sizes.set(name, Math.max(counted, size))
    yield decoder.decode()
  }

  return { names: [...entries.keys()], readText }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > ENTRIES_MAX) throw damaged()
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  } catch {
    throw damaged()
  }
  return entries
}

/** Fails when a file unpacks to another size than it declares. */
async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) {
    throw new UnreadableFile('This file is protected by a password. Save it without one, and upload that.')
  }
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch {
    throw damaged()
  }
}
