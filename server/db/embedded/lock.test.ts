import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from './client.ts'
import { FolderError } from './errors.ts'
import { lockFolder } from './lock.ts'
import { neverLost, newFolder, silent } from './test/worlds.ts'

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
    fs.writeFileSync(path.join(folder, 'in-use.pid'), `${process.ppid}\n`)
    lockFolder(folder).release()
  })
})

describe('An unusable folder', () => {
  const openIn = (folder: string) => openEmbedded({ folder, statementTimeoutMs: 1000, onLost: neverLost, log: silent })

  it('is refused in one sentence when it cannot be created', () => {
    const file = path.join(newFolder(), 'file')
    fs.writeFileSync(file, '')
    expect(() => lockFolder(path.join(file, 'data'))).toThrow(FolderError)
    expect(() => lockFolder(path.join(file, 'data'))).toThrow(/cannot be used for the database \(ENOTDIR/)
  })

  it.each([
    ['another PostgreSQL', { PG_VERSION: '17\n' }, 'was written by PostgreSQL 17'],
    ['another PGlite', { PG_VERSION: '18\n', PGLITE_VERSION: '0.4.1\n' }, 'was written by PGlite 0.4.1'],
    ['another program', { 'photo.jpg': '' }, 'is not a database'],
  ])('is refused, untouched, when it was written by %s', async (_, files, why) => {
    const folder = newFolder()
    const database = path.join(folder, 'database')
    fs.mkdirSync(database)
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(database, name), content)

    await expect(openIn(folder)).rejects.toThrow(`The folder ${database} ${why}`)
    await expect(openIn(folder)).rejects.toThrow(
      'Nothing was changed. Start the version that wrote it and make a backup with it (npm run backup -- FILE); then restore that with this one into another DATA_DIR (npm run restore -- FILE).',
    )
    expect(fs.readdirSync(database).sort()).toEqual(Object.keys(files).sort())
    lockFolder(folder).release()
  })

  it('is refused in one sentence when PostgreSQL cannot read it', { timeout: 30_000 }, async () => {
    const folder = newFolder()
    fs.mkdirSync(path.join(folder, 'database'))
    fs.writeFileSync(path.join(folder, 'database', 'PG_VERSION'), '18\n')
    await expect(openIn(folder)).rejects.toThrow(/^The database cannot be opened: /)
  })
})
