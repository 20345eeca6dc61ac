import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { IN } from '#server/import/test/import-file.ts'
import { restore } from '#server/ops/backup/test/restore.ts'
import { writeBackup } from '#server/ops/backup/write.ts'
import { readSettings } from '#server/ops/settings.ts'
import { eraseListed } from '#server/programme/privacy/erase-chosen.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp, TestClient } from '#server/test/test-app.ts'
import { openBareDatabase, openTestDatabase } from '#server/test/test-database.ts'
import { applyLedger } from './apply.ts'
import { hashUnderKey, insertHashes } from './keyed-hashes.ts'
import { createLedger, recordErasure } from './ledger.ts'
import { type LedgerLine, parseLedger } from './lines.ts'
import { listLines } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sourcebook-hashes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager' })
})
afterAll(() => test.close())

const erase = async (name: string) => {
  const { body } = await manager.client.post('/api/programme/privacy/search', { names: [name] })
  return manager.client.post('/api/programme/privacy/erase', { refs: [body[0].ref], reason: 'asked' })
}
const linkedIn = `${IN}gone-for-good`
const settings = readSettings({ ENRICHMENT_PROVIDERS: 'none' })

describe('A restore of an older backup', { timeout: 120_000 }, () => {
  it('applies what is not to be kept, and erased fellows with their numbers', { tags: 'slow' }, async () => {
    const quill = await fellowOf(test, { name: 'Quill Vanterpool', email: 'quill.v@mit.edu' })
    await quill.client.post('/api/founders', { name: 'Zoe Planted', linkedIn, notes: 'Met' })
    const backup = join(folder, 'older.backup')
    await writeBackup(test.database, backup)
    expect((await erase('Zoe Planted')).status).toBe(200)
    const [{ id } = { id: '' }] = await rowsOf<{ id: string }>(
      test.db,
      sql`select public_id as id from accounts where email = 'quill.v@mit.edu'`,
    )
    expect((await manager.client.post(`/api/programme/people/${id}/erase`)).status).toBe(200)

    const place = await openBareDatabase()
    await restore(place, backup, { ledger: await listLines(test.db), withoutLedger: false })
    const app = await buildApp({ database: place, settings, log: quietLog })
    onTestFinished(async () => {
      await app.close()
      await place.close()
    })
    const [account] = await rowsOf(
      place.db,
      sql`select name, email, former_number as number from accounts where public_id = ${id}`,
    )
    expect(account).toEqual({ name: 'Former fellow 1', email: '', number: 1 })
    const client = new TestClient(app)
    expect(
      (await client.post('/api/auth/register', { email: 'quillv@mit.edu', name: 'Q', password: PASSWORD })).status,
    ).toBe(403)
    expect(
      (await client.post('/api/auth/register', { email: 'ann@mit.edu', name: 'Ann', password: PASSWORD })).status,
    ).toBe(201)
    const input = { name: 'Zoe', linkedIn, notes: 'Met' }
    expect(await client.post('/api/founders', input)).toMatchObject({ status: 409, body: { code: 'do_not_keep' } })
    expect((await rowsOf(place.db, sql`select from records`)).length).toBe(0)
  })
})

describe('The hashes of an erasure', () => {
  const erasureId = '00000000-0000-4000-8000-000000000009'
  const address = 'in half-way'
  const isListed = async (db: Database) =>
    (await rowsOf(db, sql`select from keyed_hashes(array[${address}]) keyed join do_not_keep using (hash)`)).length ===
    1

  it('are in the file with their key before the commit, and a start completes them', async () => {
    const path = join(folder, 'ledger.jsonl')
    const place = await openTestDatabase()
    const ledger = createLedger({ db: place.db, paths: [path], log: quietLog })
    onTestFinished(async () => {
      ledger.stop()
      await place.close()
    })
    const crash = place.db.transaction(async (tx) => {
      const doNotKeep = await hashUnderKey(tx, [address])
      await insertHashes(tx, erasureId, doNotKeep)
      await recordErasure(tx, ledger, { erasureId, records: [], refs: [], doNotKeep })
      throw new Error('killed')
    })
    await expect(crash).rejects.toThrow('killed')
    expect(await isListed(place.db)).toBe(false)
    const { lines } = parseLedger(path, readFileSync(path))
    expect(lines.map(({ kind }) => kind)).toEqual(['key', 'erased'])
    await place.db.transaction((tx) => applyLedger(tx, lines, eraseListed))
    expect(await isListed(place.db)).toBe(true)
  })

  it('count under each key, where ledgers are united', async () => {
    const other: LedgerLine = {
      ...{ id: '00000000-0000-4000-8000-00000000000a', at: '2020-01-01T00:00:00.000Z' },
      ...{ kind: 'key', key: 'ab'.repeat(32) },
    }
    await test.db.transaction(async (tx) => {
      const doNotKeep = await hashUnderKey(tx, [address])
      await insertHashes(tx, erasureId, doNotKeep)
      await applyLedger(tx, [other], eraseListed)
    })
    expect(await isListed(test.db)).toBe(true)
    const under = await test.db.transaction((tx) => hashUnderKey(tx, [address]))
    expect(under.key).toBe(other.id)
  })
})
