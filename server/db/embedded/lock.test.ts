import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { quietLog } from '#server/test/quiet-log.ts'
import { LAST_COMMIT_OF_PGLITE } from './cluster.ts'
import { FolderError } from './errors.ts'
import { lockFolder } from './lock.ts'
import { startEmbedded } from './server.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('A folder in use', () => {
  it('is refused to the same process, until it is released', () => {
    const folder = newFolder()
    const lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(
      `Another Sourcebook (process ${process.pid}) is using the folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
    )
    lock.release()
    lock.release()
    lockFolder(folder).release()
  })

  it('is not considered in use because of a leftover process id', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'in-use.pid'), `${process.ppid}\n`)
    lockFolder(folder).release()
  })
})

describe('An unusable folder', () => {
  const open = (folder: string) =>
    startEmbedded({ folder, connections: 2, log: quietLog, onLost: () => expect.unreachable() })

  it('is refused in one sentence when it cannot be created', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(() => lockFolder(join(file, 'data'))).toThrow(FolderError)
    expect(() => lockFolder(join(file, 'data'))).toThrow(/cannot be used for the database \(ENOTDIR/)
  })

  it.each([
    ['an older PostgreSQL', { PG_VERSION: '17\n' }, 'was written by PostgreSQL 17'],
    ['a newer PostgreSQL', { PG_VERSION: '19\n' }, 'was written by PostgreSQL 19'],
    ['another program', { 'photo.jpg': '' }, 'is not a database'],
  ])('is refused, untouched, when it was written by %s', async (_, files, why) => {
    const folder = newFolder()
    const cluster = join(folder, 'postgres')
    mkdirSync(cluster)
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cluster, name), content)
    await expect(open(folder)).rejects.toThrow(`The folder ${cluster} ${why}, and this version reads PostgreSQL 18.`)
    await expect(open(folder)).rejects.toThrow('npm run restore -- FILE')
    expect(readdirSync(cluster).sort()).toEqual(Object.keys(files).sort())
    lockFolder(folder).release()
  })

  it('is refused, untouched, when it is of the database before this one, with the commit that reads it', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'database'))
    await expect(open(folder)).rejects.toThrow(
      `Nothing was changed. Check out the commit ${LAST_COMMIT_OF_PGLITE} and make a backup with it (npm run backup -- FILE); then restore that with this version into another DATA_DIR (npm run restore -- FILE).`,
    )
    expect(existsSync(join(folder, 'postgres'))).toBe(false)
  })

  it('is refused in one sentence when PostgreSQL cannot read it', { tags: 'slow', timeout: 30_000 }, async () => {
    const folder = newFolder()
    const { stop } = await open(folder)
    await stop()
    rmSync(join(folder, 'postgres/global/pg_control'))
    await expect(open(folder)).rejects.toThrow(/^PostgreSQL could not be started on the folder .+: .+pg_control/)
  })
})
