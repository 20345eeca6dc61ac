import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#server/log.ts'
import { openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { checkBackup } from './read.ts'
import { type BackupPlan, backUpIfDue, newestBackup } from './schedule.ts'

let database: TestDatabase
let folder: string
let plan: BackupPlan
let messages: { level: string; message: string }[]
const log = Object.fromEntries(
  ['info', 'warn', 'error', 'fatal'].map((level) => [
    level,
    (_fields: object, message: string) => void messages.push({ level, message }),
  ]),
) as unknown as Log

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-planned-'))
  plan = { dir: join(folder, 'backups'), everyHours: 24, keep: 3 }
  messages = []
  await database.db.execute(sql`delete from settings where key like 'backup%'`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const backups = () => readdirSync(plan.dir).sort()
const hoursPass = (hours: number) =>
  database.db.execute(sql`update settings set value = (value::float8 - ${hours * 3600}::float8)::text
    where key = 'backup-counts-from'`)

describe('Scheduled backups', { timeout: 60_000 }, () => {
  it('start immediately, in a folder created for them, and are complete', async () => {
    await backUpIfDue(database, plan, log)
    const [name] = backups()
    expect(backups()).toHaveLength(1)
    expect(name).toMatch(/^sourcebook-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/)
    const file = join(plan.dir, name as string)
    expect([statSync(plan.dir).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
    expect((await checkBackup(file)).rows).toBeGreaterThan(1)
    expect(await newestBackup(database.db)).toBe(file)
    expect(messages).toEqual([{ level: 'info', message: 'A backup was written and verified' }])
  })

  it('are made by one of all processes, and not again before the interval is over', { tags: 'slow' }, async () => {
    const others = await Promise.all([database.openAgain(), database.openAgain()])
    const all = [database, ...others]
    await Promise.all(all.map((each) => backUpIfDue(each, plan, log)))
    await hoursPass(23)
    await Promise.all(all.map((each) => backUpIfDue(each, plan, log)))
    expect(backups()).toHaveLength(1)
    await hoursPass(1)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await Promise.all(all.map((each) => backUpIfDue(each, plan, log)))
    expect(backups()).toHaveLength(2)
    expect(messages.map(({ level }) => level)).toEqual(['info', 'info'])
    for (const other of others) await other.close()
  })

  it('keep the newest ones, and do not delete other files', async () => {
    mkdirSync(plan.dir)
    const old = ['20', '21', '22', '23'].map((day) => `sourcebook-2020-01-${day}T00-00-00Z.backup`)
    const foreign = ['mine.backup', 'sourcebook-2020.backup', 'sourcebook-2020-01-20T00-00-00Z.backup.txt']
    for (const name of [...old, ...foreign, `${old[0]}.part`]) writeFileSync(join(plan.dir, name), '')
    await backUpIfDue(database, plan, log)
    const left = backups().filter((name) => !foreign.includes(name))
    expect(left).toEqual([old[2], old[3], expect.stringMatching(/^sourcebook-2\d{3}-/)])
    expect(backups()).toEqual(expect.arrayContaining(foreign))
  })

  it('that fail delete nothing, are in the log, and are retried in an hour', async () => {
    mkdirSync(plan.dir)
    const old = ['20', '21', '22', '23'].map((day) => `sourcebook-2020-01-${day}T00-00-00Z.backup`)
    for (const name of old) writeFileSync(join(plan.dir, name), '')
    const failing = { ...database, snapshot: () => Promise.reject(new Error('No room')) }
    await backUpIfDue(failing, plan, log)
    expect(messages).toEqual([{ level: 'error', message: 'The backup failed; it is retried in an hour' }])
    expect(backups()).toEqual(old)
    await backUpIfDue(database, plan, log)
    expect(backups()).toEqual(old)
    await hoursPass(1)
    await backUpIfDue(database, plan, log)
    expect(backups()).toHaveLength(3)
  })
})
