import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { disable, enable, leave, promote, reset } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { type Database, type OpenDatabase, rowsOf } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import { getDigest, setDigest, stopDigest } from '#server/digest/store.ts'
import { refusalOf, restore } from '#server/ops/backup/test/restore.ts'
import { writeBackup } from '#server/ops/backup/write.ts'
import { readSettings } from '#server/ops/settings.ts'
import { eraseRecords } from '#server/programme/privacy/erase.ts'
import { eraseListed } from '#server/programme/privacy/erase-chosen.ts'
import { makeImport, PASSWORD } from '#server/test/factories.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { TestClient } from '#server/test/test-app.ts'
import { openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { completeFromLedger, createLedger, type Ledger, recordErasure } from './ledger.ts'
import { type LedgerLine, parseLedger } from './lines.ts'
import { listLines } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sourcebook-ledgers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DAILY = { when: 'daily', hour: 8, timeZone: 'UTC' } as const
const settings = readSettings({ ENRICHMENT_PROVIDERS: 'none' })
let number = 0
let database: OpenDatabase
let path: string
let ledger: Ledger
let client: TestClient
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  number += 1
  path = join(folder, `${number}`, 'ledger.jsonl')
  database = await openTestDatabase()
  ledger = createLedger({ db: database.db, paths: [path], log: quietLog })
  const app = await buildApp({ database, settings, log: quietLog, ledger })
  client = new TestClient(app)
  closing.push(async () => {
    ledger.stop()
    await app.close()
    await database.close()
  })
}, 60_000)
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const fileLines = () => parseLedger(path, readFileSync(path)).lines
const factsOf = (lines = fileLines()) => lines.map(({ id, at, ...facts }) => facts)

async function signUp(email: string): Promise<KnownAccount> {
  const { status } = await client.post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' })
  expect(status).toBe(201)
  return (await findAccount(database.db, email)) as KnownAccount
}

const statusOfSignIn = async (place: OpenDatabase, email: string, password: string) => {
  const app = await buildApp({ database: place, settings, log: quietLog })
  onTestFinished(() => app.close())
  return (await new TestClient(app).post('/api/auth/login', { email, password })).status
}

async function addFounder(name: string): Promise<string> {
  const linkedIn = `https://linkedin.com/in/${name.toLowerCase()}`
  const { body } = await client.post('/api/founders', { name, linkedIn, notes: 'n' })
  return body.id
}

const recordIds = async (db: Database) =>
  (await rowsOf<{ id: string }>(db, sql`select id from records`)).map(({ id }) => id)

async function restored(backup: string) {
  const place = await openBareDatabase()
  closing.push(() => place.close())
  const result = await restore(place, backup, { ledger: fileLines(), withoutLedger: false })
  return { place, applied: result.applied }
}

describe('The ledger', { timeout: 120_000 }, () => {
  it('gets a line for each change of the access, the role and the password of an account, and none for a sign-up', {
    tags: 'slow',
  }, async () => {
    const account = await signUp('ada@mit.edu')
    await disable(database.db, account, 'operator')
    await enable(database.db, account, 'operator')
    await promote(database.db, account, 'operator')
    await database.db.update(accounts).set({ role: 'fellow', name: 'Other' }).where(eq(accounts.id, account.id))
    await reset(database.db, account, 'operator')
    await ledger.copy()
    const of = { kind: 'account', account: account.id }
    expect(factsOf()).toEqual([
      { ...of, state: 'disabled' },
      { ...of, state: 'enabled' },
      { ...of, state: 'manager' },
      { ...of, state: 'demoted' },
      { kind: 'password', account: account.id, act: 'reset' },
    ])
    expect(readFileSync(path, 'utf8')).not.toContain('@')
  })

  it('has a changed password before the change is confirmed', { tags: 'slow' }, async () => {
    const account = await signUp('ada@mit.edu')
    const body = { currentPassword: PASSWORD, newPassword: 'quite another pass' }
    expect((await client.post('/api/account/password', body)).status).toBe(204)
    expect(factsOf()).toEqual([{ kind: 'password', account: account.id, act: 'changed' }])
  })

  it('keeps an erasure in the database and in the file, the file first', { tags: 'slow' }, async () => {
    await signUp('ada@mit.edu')
    const id = await addFounder('Gone')
    const erasureId = '00000000-0000-4000-8000-000000000001'
    await database.db.transaction(async (tx) => {
      await eraseRecords(tx, [id])
      await recordErasure(tx, ledger, { erasureId, records: [id], refs: [] })
      expect(factsOf()).toEqual([{ kind: 'erased', records: [id], refs: [] }])
    })
    expect((await listLines(database.db)).map(({ id }) => id)).toEqual([erasureId])
  })

  it('completes an erasure at the next start when the server ended between the line and the commit', {
    tags: 'slow',
  }, async () => {
    await signUp('ada@mit.edu')
    const [gone, kept] = [await addFounder('Gone'), await addFounder('Kept')]
    const crash = database.db.transaction(async (tx) => {
      await eraseRecords(tx, [gone])
      await recordErasure(tx, ledger, { erasureId: '00000000-0000-4000-8000-000000000002', records: [gone], refs: [] })
      throw new Error('killed')
    })
    await expect(crash).rejects.toThrow('killed')
    expect(await recordIds(database.db)).toHaveLength(2)
    const complete = () => completeFromLedger(database.db, path, eraseListed)
    expect(await complete()).toMatchObject({ erased: 1 })
    expect(await recordIds(database.db)).toEqual([kept])
    const [entry] = await rowsOf(database.db, sql`select kind, detail from audit_log where action = 'erase'`)
    expect(entry).toEqual({ kind: 'erasure', detail: { by: 'ledger' } })
    expect(await complete()).toEqual({ erased: 0, accounts: 0, passwords: 0 })
  })

  it('refuses an erasure whose line cannot be stored', { tags: 'slow' }, async () => {
    const broken = createLedger({ db: database.db, paths: [join(import.meta.filename, 'ledger.jsonl')], log: quietLog })
    onTestFinished(() => broken.stop())
    const work = database.db.transaction((tx) =>
      recordErasure(tx, broken, { erasureId: '00000000-0000-4000-8000-000000000003', records: [], refs: [] }),
    )
    await expect(work).rejects.toThrow()
    expect(await listLines(database.db)).toEqual([])
  })

  it('makes an older backup keep who was erased, disabled and demoted, and no password changed since', {
    tags: 'slow',
  }, async () => {
    const db = database.db
    const [left, manager, changed] = [await signUp('a@mit.edu'), await signUp('b@mit.edu'), await signUp('c@mit.edu')]
    await promote(db, manager, 'operator')
    const gone = await addFounder('Gone')
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    await disable(db, left, 'operator')
    await db.update(accounts).set({ role: 'fellow' }).where(eq(accounts.id, manager.id))
    await client.post('/api/account/password', { currentPassword: PASSWORD, newPassword: 'quite another pass' })
    await db.transaction(async (tx) => {
      await eraseRecords(tx, [gone])
      await recordErasure(tx, ledger, { erasureId: '00000000-0000-4000-8000-000000000004', records: [gone], refs: [] })
    })
    await ledger.copy()

    const { place, applied } = await restored(backup)
    expect(applied).toEqual({ erased: 1, accounts: 2, passwords: 1 })
    expect(await recordIds(place.db)).toEqual([])
    expect(await findAccount(place.db, left.email)).toMatchObject({ disabledAt: expect.any(Date) })
    expect(await findAccount(place.db, manager.email)).toMatchObject({ role: 'fellow', disabledAt: null })
    expect(await findAccount(place.db, changed.email)).toMatchObject({ passwordHash: null })
    expect(await statusOfSignIn(place, changed.email, PASSWORD)).toBe(401)
    expect(await statusOfSignIn(place, changed.email, 'quite another pass')).toBe(401)
    expect(await statusOfSignIn(place, left.email, PASSWORD)).not.toBe(200)
    expect(await statusOfSignIn(place, manager.email, PASSWORD)).toBe(200)
  })

  it('makes an older backup keep who left', { tags: 'slow' }, async () => {
    const [left, back] = [await signUp('a@mit.edu'), await signUp('b@mit.edu')]
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    const line = (account: string, state: 'left' | 'enabled', minute: number): LedgerLine => ({
      ...{ id: crypto.randomUUID(), at: `2026-01-01T00:0${minute}:00.000Z`, kind: 'account', account, state },
    })
    const place = await openBareDatabase()
    closing.push(() => place.close())
    const lines = [line(left.id, 'left', 1), line(back.id, 'left', 1), line(back.id, 'enabled', 2)]
    await restore(place, backup, { ledger: lines, withoutLedger: false })
    expect(await findAccount(place.db, left.email)).toMatchObject({ disabledAt: expect.any(Date) })
    expect(await findAccount(place.db, back.email)).toMatchObject({ disabledAt: null })
    expect(await statusOfSignIn(place, left.email, PASSWORD)).not.toBe(200)
    expect(await statusOfSignIn(place, back.email, PASSWORD)).toBe(200)
  })

  it('makes an older backup keep that a fellow has stopped mail', { tags: 'slow' }, async () => {
    const { db } = database
    const [stopped, back] = [await signUp('a@mit.edu'), await signUp('b@mit.edu')]
    for (const { id } of [stopped, back]) await setDigest(db, id, DAILY, new Date())
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    for (const { id } of [stopped, back]) await stopDigest(db, id)
    await setDigest(db, back.id, DAILY, new Date())
    await ledger.copy()
    expect(factsOf().filter(({ kind }) => kind === 'digest')).toEqual([
      ...[stopped, back].map(({ id }) => ({ kind: 'digest', account: id, state: 'on' })),
      ...[stopped, back].map(({ id }) => ({ kind: 'digest', account: id, state: 'off' })),
      { kind: 'digest', account: back.id, state: 'on' },
    ])
    const { place } = await restored(backup)
    expect(await getDigest(place.db, stopped.id)).toMatchObject({ when: 'off' })
    expect(await getDigest(place.db, back.id)).toMatchObject({ when: 'daily' })
  })

  it('makes the former password of a restored account invalid after a reset', { tags: 'slow' }, async () => {
    const account = await signUp('a@mit.edu')
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    await reset(database.db, account, 'operator')
    await ledger.copy()
    const { place, applied } = await restored(backup)
    expect(applied.passwords).toBe(1)
    expect(await statusOfSignIn(place, account.email, PASSWORD)).toBe(401)
  })

  it('makes an older backup lose what was chosen in rows that stay, refused rows of imports and their files too', {
    tags: 'slow',
  }, async () => {
    const account = await signUp('ada@mit.edu')
    await promote(database.db, account, 'operator')
    await addFounder('Zoraida')
    const company = { name: 'Acme', website: 'https://acme.example', description: 'x', notes: 'Founded by Zoraida.' }
    const { id } = (await client.post('/api/companies', company)).body
    await client.post(`/api/notes/company/${id}`, { content: 'Ask Zoraida soon' })
    const imported = await makeImport(database.db, { importer: account })
    await database.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, faults)
      values (${imported.id}, 1, '["Zoraida"]', 'refused', '[]')`)
    await database.db.execute(sql`insert into import_files (import_id, piece, bytes)
      values (${imported.id}, 0, convert_to('Name, Zoraida', 'UTF8'))`)
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    const found = (await client.post('/api/programme/privacy/search', { names: ['Zoraida'] })).body
    const refs = found.map(({ ref }: { ref: string }) => ref)
    expect((await client.post('/api/programme/privacy/erase', { refs, reason: 'asked' })).status).toBe(200)
    await ledger.copy()

    const { place } = await restored(backup)
    expect(await recordIds(place.db)).toEqual([id])
    for (const table of ['records', 'notes', 'import_rows', 'import_files', 'audit_log']) {
      const rows = await rowsOf(
        place.db,
        sql`select from ${sql.identifier(table)} t where lower(t::text) like '%zoraida%' or t::text like '%5a6f7261696461%'`,
      )
      expect([table, rows.length]).toEqual([table, 0])
    }
    expect(readFileSync(path, 'utf8').toLowerCase()).not.toContain('zoraida')
  })

  it('lets the latest state of an account count, enabling included', { tags: 'slow' }, async () => {
    const account = await signUp('a@mit.edu')
    await disable(database.db, account, 'operator')
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    await enable(database.db, account, 'operator')
    await disable(database.db, account, 'operator')
    await enable(database.db, account, 'operator')
    await ledger.copy()
    const { place } = await restored(backup)
    expect(await findAccount(place.db, account.email)).toMatchObject({ disabledAt: null })
  })

  it('keeps who has left as left, and who has come back since, and ends the invitations of former managers', {
    tags: 'slow',
  }, async () => {
    const db = database.db
    const [gone, back] = [await signUp('a@mit.edu'), await signUp('b@mit.edu')]
    await promote(db, gone, 'operator')
    await client.post('/api/auth/login', { email: gone.email, password: PASSWORD })
    expect((await client.post('/api/programme/invitations', {})).status).toBe(201)
    await promote(db, await signUp('c@mit.edu'), 'operator')
    await leave(db, [back], 'operator')
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    await leave(db, [gone], 'operator')
    await enable(db, back, 'operator')
    await ledger.copy()
    const { place } = await restored(backup)
    const left = { leftAt: expect.any(Date), disabledAt: expect.any(Date), devicesEndedAt: expect.any(Date) }
    expect(await findAccount(place.db, gone.email)).toMatchObject(left)
    expect(await findAccount(place.db, back.email)).toMatchObject({ leftAt: null, disabledAt: null })
    expect(await rowsOf(place.db, sql`select id from invitations`)).toEqual([])
    const statesOf = async ({ id }: { id: string }) =>
      (await listLines(place.db)).flatMap((line) =>
        'account' in line && line.account === id && 'state' in line ? line.state : [],
      )
    await disable(place.db, gone, 'operator')
    expect((await statesOf(gone)).at(-1)).toBe('left')
  })

  it('changes nothing where the backup has all of its lines', { tags: 'slow' }, async () => {
    const account = await signUp('a@mit.edu')
    await disable(database.db, account, 'operator')
    await enable(database.db, account, 'operator')
    await reset(database.db, account, 'operator')
    await ledger.copy()
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    expect((await restored(backup)).applied).toEqual({ erased: 0, accounts: 0, passwords: 0 })
  })

  it('is required by a restore', { tags: 'slow' }, async () => {
    await signUp('a@mit.edu')
    const backup = join(folder, `${number}.backup`)
    await writeBackup(database, backup)
    const place = await openBareDatabase()
    closing.push(() => place.close())
    expect(await refusalOf(restore(place, backup, { withoutLedger: false }))).toContain('No ledger was found')
    expect((await restore(place, backup)).rows).toBeGreaterThan(0)
  })
})
