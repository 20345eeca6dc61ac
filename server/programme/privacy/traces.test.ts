import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createQueue } from '#server/db/queue.ts'
import type { App } from '#server/http/app.ts'
import { csv, importFile } from '#server/import/test/import-file.ts'
import { createLedger, type Ledger } from '#server/ledger/ledger.ts'
import { parseLedger } from '#server/ledger/lines.ts'
import { createLog } from '#server/log.ts'
import { merge } from '#server/merge/test/calls.ts'
import { restore } from '#server/ops/backup/test/restore.ts'
import { writeBackup } from '#server/ops/backup/write.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, makeCompany, makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { TestClient } from '#server/test/test-app.ts'
import { openBareDatabase, openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { backupText, dumpOf, tracesByPlace, tracesIn } from './test/traces.ts'

/** Everything that is planted: the name in three spellings, addresses, sentences, hints, and the bytes of a picture. */
const PLANTED = {
  names: ['Zoë Vestorimé', 'Vestorime', 'VESTORIMÉ'],
  handle: 'zoe-vestorim-77',
  email: 'zoe.vest@planted.example',
  notes: 'Her kite factory burned down in Porto',
  merged: 'She sold the first one to a brewery',
  deleted: 'A duplicate from the autumn fair',
  thread: 'Call her brother before the summer',
  mergedThread: 'She wants to move to Lisbon',
  deletedThread: 'Has two sons who play chess',
  elsewhere: 'owes us an answer about the barn',
  bio: 'Invented a folding windmill',
  title: 'Grand Duchess of Windmills',
  role: 'Keeper of the barn keys',
  hint: 'Hinted Mills of Aveiro',
  laterHint: 'Hinted Barns of Sintra',
  cell: 'Allergic to every walnut',
  search: 'her walnut windmill',
  picture: 'RIFF-and-the-bytes-of-her-face',
  twin: 'zoe-vestorim-twin',
  corrected: 'zoe-vestorim-before-correction',
}
const STRINGS = Object.values(PLANTED).flat()

let folder: string
let ledgerPath: string
let ledger: Ledger
let database: TestDatabase
let app: App
let manager: TestClient
let fellow: TestClient
let log = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-traces-'))
  ledgerPath = join(folder, 'ledger.jsonl')
  database = await openTestDatabase()
  const write = (line: string) => {
    log += line
  }
  const loud = createLog('trace', { write })
  ledger = createLedger({ db: database.db, paths: [ledgerPath], log: loud })
  const settings = readSettings({ ENRICHMENT_PROVIDERS: 'none', LOG_LEVEL: 'trace' })
  app = await buildApp({ database, settings, log: loud, ledger })
  await installQueues(database)
  ;[manager, fellow] = await Promise.all([signIn('manager'), signIn('fellow')])
})
afterAll(async () => {
  ledger.stop()
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function signIn(role: 'manager' | 'fellow'): Promise<TestClient> {
  const { email } = await makeAccount(database.db, { role })
  const client = new TestClient(app)
  expect((await client.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
  return client
}

const linkedIn = (handle: string) => `https://www.linkedin.com/in/${handle}`

async function addFounder(name: string, handle: string, notes: string, note: string) {
  const { status, body } = await fellow.post('/api/founders', { name, linkedIn: linkedIn(handle), notes })
  expect(status).toBe(201)
  expect((await manager.post(`/api/notes/founder/${body.id}`, { content: note })).status).toBe(201)
  return body
}

/** Plants the strings by the product's own calls; what only providers and a crash can make, by SQL and the queue. */
async function plant() {
  const [one, two, three] = PLANTED.names as [string, string, string]
  const kept = await addFounder(one, PLANTED.corrected, PLANTED.notes, PLANTED.thread)
  const twin = await addFounder(`${two}, Zoe`, PLANTED.twin, PLANTED.merged, PLANTED.mergedThread)
  const gone = await addFounder(`Zoe ${three}`, 'zoe-third', PLANTED.deleted, PLANTED.deletedThread)
  const correction = { linkedIn: linkedIn(PLANTED.handle), email: PLANTED.email, title: PLANTED.title, version: 1 }
  expect((await fellow.patch(`/api/founders/${kept.id}`, correction)).status).toBe(200)
  await plantPublicData(kept.id)
  const company = await makeCompany(database.db)
  expect((await fellow.put(`/api/founders/${kept.id}/companies/${company.id}`, { role: PLANTED.role })).status).toBe(
    200,
  )
  await makeNote(database.db, { company: company.id, content: `Zoe Vestorime ${PLANTED.elsewhere}` })
  const both = await Promise.all([kept, twin].map(async ({ id }) => (await fellow.get(`/api/founders/${id}`)).body))
  expect((await merge(fellow, both[0], both[1])).status).toBe(200)
  expect((await fellow.delete(`/api/founders/${gone.id}`)).status).toBe(204)
  const file = csv('Name,Email,Rating,Remark', `${one},${PLANTED.email},99,${PLANTED.cell}`, 'Other Person,,5,Fine')
  const done = await importFile(fellow, file, { cells: 'refuse' })
  expect(done.counts).toMatchObject({ created: 1, refused: 1 })
  const exported = new URLSearchParams({ mine: 'true', search: `${two} ${PLANTED.search}` })
  expect((await fellow.get(`/api/founders/export?${exported}`)).status).toBe(200)
  // A refused request and one that fails, with the name.
  await fellow.post('/api/programme/privacy/search', { names: [one] })
  await fellow.post('/api/founders', { name: one, linkedIn: linkedIn(PLANTED.handle), notes: '', rating: 'x' })
}

async function plantPublicData(id: string) {
  const at = '2026-01-02T00:00:00Z'
  const state = { last: { at, hints: { company: PLANTED.hint } }, sources: { bio: { provider: 'harmonic', at } } }
  await database.db.execute(sql`update records set
    additional_info = additional_info || ${JSON.stringify({ bio: PLANTED.bio })}::jsonb,
    enrichment = enrichment || ${JSON.stringify(state)}::jsonb where id = ${id}`)
  await database.db.execute(sql`insert into pictures (record_id, kind, size, bytes, fetched_at)
    values (${id}, 'founder', 56, convert_to(${PLANTED.picture}, 'UTF8'), now())`)
  const queue = createQueue({ database, log: quietLog })
  const { boss } = await queue.open()
  await boss.createQueue('planted', { deleteAfterSeconds: 86_400 })
  const data = { kind: 'founder', id, hints: { company: PLANTED.laterHint } }
  // One waits, one has ended, one has failed with a message, and one names the person without the record.
  await boss.send('enrich-later', data, { startAfter: 3_600 })
  for (const _job of [1, 2]) await boss.send('planted', data)
  await boss.send('planted', { name: PLANTED.names[0] })
  const [ended, failed] = await boss.fetch('planted', { batchSize: 2 })
  await boss.complete('planted', ended?.id ?? '', { found: PLANTED.laterHint })
  await boss.fail('planted', failed?.id ?? '', new Error(`Could not read ${PLANTED.laterHint}`))
  await queue.close()
}

/** Searches by everything that a manager would be given, and chooses all of it. */
async function eraseEverything() {
  const { names, handle, email } = PLANTED
  const person = { names: [...names, 'Zoe Vestorime'], linkedIn: linkedIn(handle), email }
  const { body: hits } = await manager.post('/api/programme/privacy/search', person)
  const refs = hits.map(({ ref }: { ref: string }) => ref)
  expect((await manager.post('/api/programme/privacy/report', { refs })).status).toBe(200)
  const { status } = await manager.post('/api/programme/privacy/erase', { refs, reason: 'asked' })
  expect(status).toBe(200)
}

describe('After an erasure', { timeout: 180_000 }, () => {
  it('no table, log, queue, ledger or fresh backup has any of 20 planted strings, nor a restored older backup', {
    tags: 'slow',
  }, async () => {
    expect(STRINGS.length).toBeGreaterThanOrEqual(20)
    await plant()
    const bystander = await makeFounder(database.db, { name: 'Kept Bystander' })
    const before = await dumpOf(database.db)
    const everywhere = Object.values(before).join('\n')
    // Each was stored, so that its absence afterwards says something.
    expect(tracesIn(everywhere, STRINGS)).toEqual(STRINGS)
    expect(Object.keys(tracesByPlace(before, STRINGS))).toEqual(
      expect.arrayContaining(
        ['records', 'notes', 'links', 'merges', 'pictures', 'audit_log', 'import_rows', 'import_files'].map(
          (name) => `public.${name}`,
        ),
      ),
    )
    const older = join(folder, 'older.backup')
    await writeBackup(database, older)
    expect(tracesIn(backupText(older), STRINGS).length).toBeGreaterThan(15)

    await eraseEverything()

    expect(tracesByPlace(await dumpOf(database.db), STRINGS)).toEqual({})
    expect((await fellow.get(`/api/founders/${bystander.id}`)).body.name).toBe('Kept Bystander')
    const fresh = join(folder, 'fresh.backup')
    await writeBackup(database, fresh)
    expect(backupText(fresh)).toContain('Kept Bystander')
    expect(tracesIn(backupText(fresh), STRINGS)).toEqual([])
    expect(log.length).toBeGreaterThan(1_000)
    expect(tracesIn(log, STRINGS)).toEqual([])
    const lines = readFileSync(ledgerPath)
    expect(tracesIn(lines.toString(), STRINGS)).toEqual([])

    const place = await openBareDatabase()
    onTestFinished(() => place.close())
    await restore(place, older, { ledger: parseLedger(ledgerPath, lines).lines, withoutLedger: false })
    expect(tracesByPlace(await dumpOf(place.db), STRINGS)).toEqual({})
    const again = join(folder, 'again.backup')
    await writeBackup(place, again)
    expect(backupText(again)).toContain('Kept Bystander')
    expect(tracesIn(backupText(again), STRINGS)).toEqual([])
  })
})
