import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeSynced } from '#server/db/embedded/files.ts'
import { openLedgerFile } from '#server/ledger/file.ts'
import { type LedgerLine, parseLedger } from '#server/ledger/lines.ts'
import { checkBackup } from '#server/ops/backup/read.ts'
import { saveBackup, writeBackup } from '#server/ops/backup/write.ts'
import { makeFounder } from '#server/test/factories.ts'
import { openTestDatabase } from '#server/test/test-database.ts'

// What the product writes into files itself. The database has its own log.

type Disk = {
  folder: string
  /** What a power cut leaves for certain: the synced content of each file, under the names that were synced. */
  image: () => Map<string, Buffer>
}

/** A folder on a disk that forgets what was not synced. `onSync` is called before each sync, and after it. */
async function openDisk(onSync: (disk: Disk) => void | Promise<void> = () => {}): Promise<Disk> {
  const folder = fs.mkdtempSync(join(tmpdir(), 'sourcebook-power-cut-'))
  const contents = new Map<number, Buffer>()
  let names = new Map<string, number>()
  const disk = {
    folder,
    image: () => new Map([...names].map(([name, inode]) => [name, contents.get(inode) ?? Buffer.alloc(0)])),
  }
  const keep = (descriptor: number) => {
    const { ino, dev } = fs.fstatSync(descriptor)
    const files = fs.readdirSync(folder).map((name) => ({ name, ...fs.statSync(join(folder, name)) }))
    if (ino === fs.statSync(folder).ino && dev === fs.statSync(folder).dev)
      names = new Map(files.map(({ name, ino }) => [name, ino]))
    for (const file of files) if (file.ino === ino) contents.set(ino, fs.readFileSync(join(folder, file.name)))
  }

  const probe = await open(folder)
  const handles = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const [{ fsyncSync }, { sync }] = [fs, handles]
  fs.fsyncSync = (descriptor) => {
    void onSync(disk)
    fsyncSync(descriptor)
    keep(descriptor)
    void onSync(disk)
  }
  handles.sync = async function (this: FileHandle) {
    await onSync(disk)
    await sync.call(this)
    keep(this.fd)
    await onSync(disk)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { fsyncSync })
    handles.sync = sync
    syncBuiltinESMExports()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  return disk
}

const line = (number: number): LedgerLine => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  ...{ at: new Date(number).toISOString(), kind: 'key', key: '0'.repeat(64) },
})

describe('After a power cut at any sync', () => {
  it('the ledger has every line that was acknowledged', async () => {
    const acknowledged: string[] = []
    const check = ({ image }: Disk) => {
      const { lines } = parseLedger('ledger', image().get('ledger') ?? Buffer.alloc(0))
      expect(lines.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
    }
    const disk = await openDisk(check)
    const ledger = openLedgerFile(join(disk.folder, 'ledger'))
    for (let number = 0; number < 20; number += 1) {
      await ledger.append([line(number)])
      acknowledged.push(line(number).id)
      check(disk)
    }
  })

  it('a backup is whole, or the one that it replaces is still there', { tags: 'slow' }, async () => {
    const database = await openTestDatabase()
    onTestFinished(() => database.close())
    const source = await openDisk()
    await makeFounder(database.db, { name: 'Ann Ash' })
    await writeBackup(database, join(source.folder, 'one'))
    const bytes = fs.readFileSync(join(source.folder, 'one'))

    const seen: (Buffer | undefined)[] = []
    const disk = await openDisk(({ image }) => void seen.push(image().get('backup')))
    const file = join(disk.folder, 'backup')
    await saveBackup(file, (write) => write(bytes))
    expect(disk.image().get('backup')).toEqual(bytes)
    const replacing = seen.length
    await saveBackup(file, (write) => write(bytes), { replaces: true })
    expect(seen.slice(replacing)).not.toContain(undefined)
    for (const content of [...seen, disk.image().get('backup')]) {
      if (content === undefined) continue
      fs.writeFileSync(join(source.folder, 'image'), content)
      expect((await checkBackup(join(source.folder, 'image'))).rows).toBeGreaterThan(0)
    }
  })

  it('a file of keys is the new one or the one before, whole', async () => {
    const seen = new Set<string | undefined>()
    const disk = await openDisk(({ image }) => void seen.add(image().get('keys')?.toString()))
    writeSynced(join(disk.folder, 'keys'), 'first')
    expect(disk.image().get('keys')?.toString()).toBe('first')
    writeSynced(join(disk.folder, 'keys'), 'second')
    expect(disk.image().get('keys')?.toString()).toBe('second')
    expect(seen).toEqual(new Set([undefined, 'first', 'second']))
  })
})
