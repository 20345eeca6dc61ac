import fs from 'node:fs'

export type Entry =
  | { make: string }
  | { write: string; position: number; at: number; length: number }
  | { sync: string }
  | { mkdir: string }
  | { rename: string; to: string }
  | { unlink: string }
  | { truncate: string; size: number }
  | { acknowledged: number }

/** The recorded operations of the disk named `recorded` (disk.mjs), in order. */
export function readRecord(folder: string): Entry[] {
  const lines = fs.readFileSync(`${folder}.log`, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** The smallest unit that a disk writes atomically. */
const SECTOR = 512

/** `torn`: of an unsynced write, a random half of its sectors may have arrived; otherwise all of it or nothing. */
type Image = { record: Entry[]; data: string; from: string; to: string; torn: boolean }
type Write = Extract<Entry, { write: string }>

/**
 * Turns the copy `to` into a possible state of the disk after a power cut at the end of the record: the names, every
 * synced write, and a random half of the others. Returns the rows acknowledged until then.
 */
export function buildImage({ record, data, from, to, torn }: Image): number[] {
  const source = fs.openSync(data, 'r')
  const acknowledged: number[] = []
  const unsynced = new Map<string, Write[]>()
  const inCopy = (name: string) => name.replace(from, to)

  const apply = (name: string, { position, at, length }: Write) => {
    const bytes = Buffer.alloc(length)
    fs.readSync(source, bytes, 0, length, at)
    const file = fs.openSync(inCopy(name), 'r+')
    fs.writeSync(file, bytes, 0, length, position)
    fs.closeSync(file)
  }

  for (const entry of record) {
    if ('acknowledged' in entry) acknowledged.push(entry.acknowledged)
    else if ('write' in entry) unsynced.set(entry.write, [...(unsynced.get(entry.write) ?? []), entry])
    else if ('sync' in entry) {
      for (const write of unsynced.get(entry.sync) ?? []) apply(entry.sync, write)
      unsynced.delete(entry.sync)
    } else if ('make' in entry) {
      fs.writeFileSync(inCopy(entry.make), '')
      unsynced.delete(entry.make)
    } else if ('mkdir' in entry) fs.mkdirSync(inCopy(entry.mkdir), { recursive: true })
    else if ('rename' in entry) {
      fs.renameSync(inCopy(entry.rename), inCopy(entry.to))
      unsynced.set(entry.to, unsynced.get(entry.rename) ?? [])
      unsynced.delete(entry.rename)
    } else if ('unlink' in entry) {
      fs.rmSync(inCopy(entry.unlink), { force: true })
      unsynced.delete(entry.unlink)
    } else if ('truncate' in entry) fs.truncateSync(inCopy(entry.truncate), entry.size)
  }
  for (const [name, writes] of unsynced) {
    for (const write of writes)
      for (const part of torn ? sectorsOf(write) : [write]) if (Math.random() < 0.5) apply(name, part)
  }
  fs.closeSync(source)
  return acknowledged
}

function sectorsOf({ write, position, at, length }: Write): Write[] {
  const sectors: Write[] = []
  for (let begin = 0; begin < length; ) {
    const end = Math.min(length, begin + SECTOR - ((position + begin) % SECTOR))
    sectors.push({ write, position: position + begin, at: at + begin, length: end - begin })
    begin = end
  }
  return sectors
}
