/**
 * Preloaded into every thread of a test child process, to simulate a faulty disk. The product does not know about it. DISK
 * names the fault, DISK_FILE is the prefix of its control files.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { DISK: nature, DISK_FILE: base } = process.env
const real = { ...fs }
const isTriggered = () => real.existsSync(`${base}.trigger`)
const paths = new Map()

const failure = (code, syscall) => Object.assign(new Error(`${code}: made up, ${syscall}`), { code, syscall })

fs.openSync = (path, ...rest) => {
  const descriptor = real.openSync(path, ...rest)
  paths.set(descriptor, String(path))
  return descriptor
}

if (nature === 'counting') {
  const log = real.openSync(`${base}.syncs`, 'a')
  fs.fsyncSync = (descriptor) => {
    real.fsyncSync(descriptor)
    real.writeSync(log, '.')
  }
}

if (nature === 'failing') {
  fs.fsyncSync = (descriptor) => {
    if (isTriggered()) throw failure('EIO', 'fsync')
    real.fsyncSync(descriptor)
  }
}

if (nature === 'full') {
  fs.writeSync = (descriptor, ...rest) => {
    if (paths.get(descriptor)?.includes('pg_wal') && isTriggered()) throw failure('ENOSPC', 'write')
    return real.writeSync(descriptor, ...rest)
  }
}

if (nature === 'low') {
  const { statfs } = real.promises
  fs.promises.statfs = async (...given) => ({ ...(await statfs(...given)), ...(isTriggered() && { bavail: 0 }) })
}

if (nature === 'read-only') {
  const refuse = (name) => {
    fs[name] = (...given) => {
      // Terminals and pipes are not affected.
      if (isTriggered() && given[0] !== 1 && given[0] !== 2) throw failure('EROFS', name)
      return real[name](...given)
    }
  }
  for (const name of ['writeSync', 'ftruncateSync', 'truncateSync', 'mkdirSync', 'renameSync', 'unlinkSync'])
    refuse(name)
  fs.openSync = (path, flags = 'r', ...rest) => {
    const isForWriting = typeof flags === 'number' ? (flags & 3) !== 0 : flags !== 'r'
    if (isTriggered() && isForWriting && String(path).startsWith(base)) throw failure('EROFS', 'open')
    return real.openSync(path, flags, ...rest)
  }
}

if (nature === 'unsynced') fs.fsyncSync = () => {}

if (nature === 'recorded') {
  const log = real.openSync(`${base}.log`, 'a')
  const data = real.openSync(`${base}.data`, 'a')
  const note = (entry) => real.writeSync(log, `${JSON.stringify(entry)}\n`)

  fs.openSync = (path, flags, ...rest) => {
    const isNew = !real.existsSync(path)
    const descriptor = real.openSync(path, flags, ...rest)
    paths.set(descriptor, String(path))
    if (isNew || (typeof flags === 'number' && flags & real.constants.O_TRUNC)) note({ make: String(path) })
    return descriptor
  }
  fs.writeSync = (descriptor, buffer, offset, length, position) => {
    const written = real.writeSync(descriptor, buffer, offset, length, position)
    if (descriptor === 1 && buffer.startsWith('kept ')) note({ acknowledged: Number(buffer.slice('kept '.length)) })
    if (typeof position === 'number') {
      const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, written)
      const at = real.fstatSync(data).size
      real.writeSync(data, bytes)
      note({ write: paths.get(descriptor), position, at, length: written })
    }
    return written
  }
  fs.fsyncSync = (descriptor) => note({ sync: paths.get(descriptor) })
  fs.writeFileSync = (path, ...rest) => {
    real.writeFileSync(path, ...rest)
    note({ make: String(path) })
  }
  fs.mkdirSync = (path, ...rest) => {
    const made = real.mkdirSync(path, ...rest)
    note({ mkdir: String(path) })
    return made
  }
  fs.renameSync = (from, to) => {
    real.renameSync(from, to)
    note({ rename: String(from), to: String(to) })
  }
  fs.unlinkSync = (path) => {
    real.unlinkSync(path)
    note({ unlink: String(path) })
  }
  fs.truncateSync = (path, size) => {
    real.truncateSync(path, size)
    note({ truncate: String(path), size })
  }
  fs.ftruncateSync = (descriptor, size) => {
    real.ftruncateSync(descriptor, size)
    note({ truncate: paths.get(descriptor), size })
  }
}

syncBuiltinESMExports()
