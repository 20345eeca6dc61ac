import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { backUpIfDue, newestBackup } from '#server/ops/backup/schedule.ts'
import { readSettings } from '#server/ops/settings.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { status } from './status.ts'

let database: TestDatabase
let folder: string
let dir: string
beforeAll(async () => {
  database = await openTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-status-'))
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})
// A folder for each test: names of backups differ by the second.
beforeEach(async () => {
  dir = mkdtempSync(join(folder, 'backups-'))
  await database.db.execute(sql`delete from settings where key like '%backup%'`)
})

/** What the command says of the backup. */
async function said(environment: Record<string, string> = { BACKUP_DIR: dir }) {
  const lines: string[] = []
  const { db } = database
  const settings = readSettings(environment)
  const { signal } = new AbortController()
  await status.run({ database, db, settings, folder: '.', signal, out: (line) => void lines.push(line) }, [])
  const line = lines.find((one) => one.startsWith('Backup'))
  return line?.replaceAll(/\n? {2,}/g, ' ')
}

async function backUp(into = dir) {
  await database.db.execute(sql`delete from settings where key = 'backup-counts-from'`)
  await backUpIfDue(database, { dir: into, everyHours: 24, keep: 3 }, quietLog)
  return (await newestBackup(database.db)) ?? ''
}

const FAILED = /the last attempt failed at \d{4}-\d\d-\d\dT[\d:.]+Z, and the log says why$/

it('The status names the newest backup, and none where there is none', async () => {
  expect(await said({})).toBeUndefined()
  expect(await said()).toBe(`Backup none yet in ${dir}`)
  const file = await backUp()
  expect(await said()).toBe(`Backup ${file}`)
  expect(await said({})).toBe(`Backup ${file}`)
})

it.each([
  ['gone', (file: string) => rmSync(file), '; it is gone'],
  ['gone, or of another machine', (file: string) => rmSync(file), '; it is gone, or on another machine'],
  ['cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -100)), '; it is damaged'],
  ['changed', (file: string) => writeFileSync(file, readFileSync(file).fill(1, 900, 910)), '; it is damaged'],
  ['emptied', (file: string) => writeFileSync(file, ''), '; it is damaged'],
])('The status names a backup that is %s', async (_what, damage, words) => {
  const file = await backUp()
  damage(file)
  const url = words.includes('machine') ? { DATABASE_URL: 'postgresql://localhost/sourcebook' } : {}
  expect(await said({ BACKUP_DIR: dir, ...url })).toBe(`Backup ${file}${words}`)
})

it('The status names a backup that failed, until one is made', { tags: 'slow' }, async () => {
  const noFolder = join(dir, 'file')
  writeFileSync(noFolder, '')
  await backUp(noFolder)
  expect(await said({ BACKUP_DIR: noFolder })).toMatch(FAILED)
  const file = await backUp()
  expect(await said()).toBe(`Backup ${file}`)
  await backUp(noFolder)
  expect(await said()).toMatch(FAILED)
  expect(await said()).toContain(file)
})
