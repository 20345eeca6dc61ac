import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { caller } from '#server/test/http-caller.ts'
import type { ServerProcess } from '#server/test/server-process.ts'
import { isLong, many, PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { embedded, isReady, newFolder, openCluster, start, timeUntil } from './test/worlds.ts'
import { faultsIn, newFounder, notesOn, startWriting } from './test/writers.ts'

const PRELOAD = ['--import', new URL('../server/test/low-disk.mjs', import.meta.url).href]
const FULL = 'Nothing can be saved right now: the disk of the server is full. Ask an administrator to free up space.'
const MB = 1_048_576

type Disk = {
  settings: Record<string, string>
  nodeArguments: string[]
  /** The log line of a faulty disk. */
  warning: RegExp
  spoil: () => void
  mend: () => void
}
const NO_WARNING = /^/

/** A disk that is full from the moment of the trigger, simulated by a preload in the server. */
function madeUpDisk(): Disk {
  const settings = embedded()
  const trigger = `${settings.DATA_DIR}.full`
  return {
    settings: { ...settings, DISK_FULL: trigger, LOG_LEVEL: 'warn' },
    nodeArguments: PRELOAD,
    warning: /The disk of .+ has only 0 MB left. Nothing can be saved until there is more space/,
    spoil: () => writeFileSync(trigger, ''),
    mend: () => rmSync(trigger),
  }
}

/** A folder on a separate disk of 300 MB in memory. Only root can mount one. */
function smallDisk() {
  const folder = newFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  const ballast = join(folder, 'ballast')
  return { folder, spoil: () => fillTheDisk(ballast), mend: () => rmSync(ballast) }
}

/** Writes until not one more block fits. */
function fillTheDisk(ballast: string) {
  const file = openSync(ballast, 'w')
  for (let size = MB; size >= 4096; ) {
    try {
      if (writeSync(file, Buffer.alloc(size)) < size) size /= 2
    } catch {
      size /= 2
    }
  }
  closeSync(file)
}

function embeddedOnSmallDisk(): Disk {
  const { folder, spoil, mend } = smallDisk()
  const settings = { DATA_DIR: join(folder, 'data') }
  copyDataFolder(inject('dataFolder'), settings.DATA_DIR)
  return { settings, nodeArguments: [], warning: NO_WARNING, spoil, mend }
}

/** PostgreSQL reports a full disk, although there is space. */
async function postgresByItsOwnAccount(): Promise<Disk> {
  const cluster = await openCluster()
  onTestFinished(() => cluster.stop())
  const url = await cluster.newDatabase()
  const say = `create function refuse() returns trigger language plpgsql as $$ begin
      raise exception using errcode = 'disk_full', message = 'could not extend file: No space left on device'; end $$;
    create trigger refuse before insert on notes execute function refuse()`
  return {
    settings: { DATABASE_URL: url },
    nodeArguments: [],
    warning: NO_WARNING,
    spoil: () => void cluster.ask(url, say),
    mend: () => void cluster.ask(url, 'drop trigger refuse on notes'),
  }
}

async function postgresOnSmallDisk(): Promise<Disk> {
  const { folder, spoil, mend } = smallDisk()
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  const cluster = await openCluster().finally(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  onTestFinished(() => cluster.stop())
  const settings = { DATABASE_URL: await cluster.newDatabase() }
  return { settings, nodeArguments: [], warning: NO_WARNING, spoil, mend }
}

async function underLoad({ settings, nodeArguments }: Disk) {
  const server = await start(settings, nodeArguments)
  const { call, join: signUp } = caller()
  await signUp(server)
  const founder = await newFounder(call, server, 'Under load')
  const writing = startWriting(call, server, founder, { hands: 4 })
  await timeUntil(() => writing.acknowledged.length > 20, within(10_000), 'writing')
  const expectAll = async (at: ServerProcess) => {
    const soFar = [...writing.acknowledged]
    expect(faultsIn(await notesOn(call, at, founder), soFar)).toEqual({ lost: [], twice: [] })
  }
  return { server, call, founder, writing, expectAll }
}

const isRoot = process.getuid?.() === 0
const disks: [string, () => Disk | Promise<Disk>][] = [['by its own account, of the embedded database', madeUpDisk]]
if (isRoot) disks.push(['to the last byte, of the embedded database', embeddedOnSmallDisk])
if (isLong) disks.push(['by its own account, of PostgreSQL', postgresByItsOwnAccount])
if (isLong && isRoot) disks.push(['to the last byte, of PostgreSQL', postgresOnSmallDisk])

describe('A full disk', { timeout: PATIENCE_MS }, () => {
  it.each(disks)(
    '%s: refuses writes with a sentence, still serves reads, and recovers once there is space',
    async (name, make) => {
      const disk = await make()
      const { server, call, writing, expectAll } = await underLoad(disk)
      disk.spoil()
      await timeUntil(() => writing.refused.some(({ error }) => error === FULL), within(20_000), 'refusing')
      for (let time = 0; time < 3; time += 1) {
        expect((await call(server, 'GET', '/founders')).status).toBe(200)
        await expectAll(server)
        expect(await isReady(server)).toBe(true)
        await pause(500)
      }
      const soFar = writing.acknowledged.length
      disk.mend()
      const backMs = await timeUntil(() => writing.acknowledged.length > soFar + 20, within(5_000), 'writing again')
      await writing.stop()
      expect(writing.refused.filter(({ status }) => status !== 503)).toEqual([])
      const { code, stderr } = await server.end('SIGTERM')
      expect([code, stderr]).toEqual([0, expect.stringMatching(disk.warning)])
      await expectAll(await start(disk.settings, disk.nodeArguments))
      printLine(
        `A full disk, ${name}: ${many(writing.acknowledged.length)} acknowledged, 0 lost, ${many(writing.refused.length)} refused with 503, back in ${seconds(backMs)}`,
      )
    },
  )
})
