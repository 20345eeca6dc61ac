import { describe, expect, it } from 'vitest'
import type { ImportDuplicates } from '#contract/import.ts'
import { auditLog, records } from '#server/db/schema.ts'
import { createEmptyApp, csv, HEADER, IN, importFile, NONE, prepare, rowsOf } from '#server/import/test/import-file.ts'
import { makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

/** The outcomes of the rows: in the preview, and after the run. */
async function outcomes(client: TestClient, file: string, duplicates: ImportDuplicates = 'skip') {
  const ready = await prepare(client, file, { duplicates })
  const wouldBe = (await rowsOf(client, ready.id)).map(({ outcome }) => outcome)
  const done = await importFile(client, file, { duplicates })
  const rows = await rowsOf(client, done.id)
  expect(rows.map(({ outcome }) => outcome)).toEqual(wouldBe)
  return rows.map(({ outcome, faults: [fault] }) => (fault === undefined ? outcome : `${outcome}: ${fault.sentence}`))
}

describe('A row that repeats an earlier one of the file', () => {
  it.each([
    ['skip', 'duplicate'],
    ['fill', 'updated'],
    ['update', 'updated'],
  ] as const)('counts once, with %s', { tags: 'slow' }, async (choice, outcome) => {
    const { client } = await fellow()
    const file = csv(
      HEADER,
      `Ann Ash,${IN}ann,,`,
      `Annie Ash,https://linkedin.com/in/ANN/?x=1,More,`,
      'ANN ASH,,,',
      `Ann Ash,${IN}another-ann,,`,
      'Bo Birch,,,',
      `Bo Birch,${IN}bo,,`,
    )
    expect(await outcomes(client, file, choice)).toEqual([
      'created',
      `${outcome}: This row repeats row 2`,
      'duplicate: This row repeats row 2',
      'created',
      'created',
      `${outcome}: This row repeats row 6`,
    ])
    expect(await test.db.$count(records)).toBe(3)
  })

  it('is detected in a file of any length', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const names = Array.from(
      { length: 230 },
      (_, index) => `Q${(index * 7919).toString(36)}x W${index.toString(26)}v,,,`,
    )
    const done = await importFile(client, csv(HEADER, ...names, names[0] as string))
    expect(done.counts).toEqual({ ...NONE, created: 230, duplicate: 1 })
  })
})

describe('A row that matches a record', () => {
  it('by LinkedIn, or by an equal name without different addresses, is not added again', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann`, notes: 'Known' })
    expect(await outcomes(client, csv(HEADER, `Anna A.,${IN}Ann/,,`, 'ann ash,,,'))).toEqual([
      'duplicate: Ann Ash already exists',
      'duplicate: Ann Ash already exists',
    ])
    expect(await outcomes(client, csv(HEADER, `Ann Ash,${IN}ann-2,,`))).toEqual(['created'])
  })

  it('only by another spelling of the name never changes it, and adds nothing', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    await makeFounder(test.db, { creator: account, name: 'Katharina Berglund', linkedIn: `${IN}kb`, notes: 'Known' })
    for (const choice of ['skip', 'fill', 'update'] as const) {
      expect(await outcomes(client, csv(HEADER, 'Katarina Berglund,,New,'), choice)).toEqual([
        'maybe: Katharina Berglund may be the same',
      ])
    }
    expect((await client.get('/api/founders')).body).toMatchObject([
      { name: 'Katharina Berglund', notes: 'Known', version: 1 },
    ])
  })

  it('is the same when nothing differs, with any choice', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann`, notes: 'Known', rating: 8 })
    const file = csv(HEADER, 'Ann Ash,https://linkedin.com/in/ann/,Known,8')
    for (const choice of ['skip', 'fill', 'update'] as const)
      expect(await outcomes(client, file, choice)).toEqual(['same'])
  })

  it('fills its empty fields, with fill', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    await makeCompany(test.db, {
      creator: account,
      name: 'Acme',
      website: 'https://acme.example',
      notes: 'Known',
      rating: 8,
    })
    const file = csv('Company,Website,Description,Notes,Rating', 'Acme Inc,https://acme.example,Robots,New,3')
    const done = await importFile(client, file, { duplicates: 'fill', kind: 'company' })
    expect(done.counts).toEqual({ ...NONE, updated: 1, marked: 1 })
    expect((await client.get('/api/companies')).body).toMatchObject([
      { name: 'Acme', description: 'Robots', notes: 'Known', rating: 8, version: 2 },
    ])
  })

  it('replaces the fields that the row gives, with update, and leaves out blank ones', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const { id } = await makeFounder(test.db, {
      creator: account,
      name: 'Ann',
      linkedIn: `${IN}ann`,
      notes: 'Known',
      rating: 8,
    })
    const done = await importFile(client, csv(HEADER, `Ann Ash,${IN}ann,,3`), { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 1 })
    expect(await rowsOf(client, done.id)).toMatchObject([{ outcome: 'updated', recordId: id }])
    expect((await client.get('/api/founders?search=ash')).body).toMatchObject([
      { name: 'Ann Ash', linkedIn: `${IN}ann`, notes: 'Known', rating: 3, version: 2 },
    ])
    const [entry] = (await client.get(`/api/founders/${id}/history`)).body
    expect(entry).toMatchObject({ action: 'update', by: account.name })
  })
})

describe('The rights of an importer', () => {
  const file = csv(HEADER, `Ann Ash,${IN}ann,New,3`)

  async function matchOf(importer: { role?: 'manager'; hasNoted?: boolean }) {
    const owner = await makeAccount(test.db)
    const founder = await makeFounder(test.db, {
      creator: owner,
      name: 'Ann',
      linkedIn: `${IN}ann`,
      notes: 'Known',
      rating: 8,
    })
    const { account, client } = await fellow(importer.role && { role: importer.role })
    if (importer.hasNoted) await makeNote(test.db, { founder: founder.id, author: account })
    const done = await importFile(client, file, { duplicates: 'update' })
    const [row] = await rowsOf(client, done.id)
    return { row, record: (await client.get(`/api/founders/${founder.id}`)).body }
  }

  it('equal those in the forms: a stranger changes nothing, and the row is a duplicate', { tags: 'slow' }, async () => {
    const { row, record } = await matchOf({})
    expect(row).toMatchObject({ outcome: 'duplicate', canAdd: true })
    expect(row?.faults[0]).toEqual({ sentence: 'You may not change Ann' })
    expect(record).toMatchObject({ name: 'Ann', notes: 'Known', rating: 8, version: 1 })
  })

  it('with a note on it, or as a manager, include every field', { tags: 'slow' }, async () => {
    for (const importer of [{ hasNoted: true }, { role: 'manager' }] as const) {
      await test.db.delete(records)
      const { row, record } = await matchOf(importer)
      expect(row).toMatchObject({ outcome: 'updated' })
      expect(record).toMatchObject({ name: 'Ann Ash', notes: 'New', rating: 3, version: 2 })
    }
  })
})

describe('Columns for creator and date', () => {
  const file = csv(
    'Name,Created By,Created At',
    'Ann Ash,Old Tool,"May 1, 2024"',
    'Ben Birch,VERIFIED@mit.edu,2024-05-02T10:00:00Z',
    'Cat Cole,unverified@mit.edu,',
    'Dan Dorn,,2999-01-01',
    'Eve Elm,,05/06/2024',
  )

  it('count for managers: text, or the account with that verified address', { tags: 'slow' }, async () => {
    const verified = await makeAccount(test.db, { email: 'verified@mit.edu', name: 'Vera', emailVerified: true })
    await makeAccount(test.db, { email: 'unverified@mit.edu' })
    const { client } = await fellow({ role: 'manager' })
    const done = await importFile(client, file, { cells: 'refuse' })
    expect(done.counts).toEqual({ ...NONE, created: 3, refused: 2 })
    const all = (await client.get('/api/founders')).body
    expect(all.map(({ name, createdBy }: Record<string, string>) => [name, createdBy])).toEqual([
      ['Cat Cole', 'unverified@mit.edu'],
      ['Ben Birch', 'Vera'],
      ['Ann Ash', 'Old Tool'],
    ])
    expect(all[2].createdAt).toBe('2024-05-01T00:00:00.000Z')
    const rows = await test.db.select().from(records)
    expect(rows.find(({ name }) => name === 'Ben Birch')).toMatchObject({ creatorId: verified.id, creatorText: null })
    expect(await rowsOf(client, done.id, 'outcome=refused')).toMatchObject([
      { row: 5, faults: [{ column: 'Created At', sentence: expect.stringContaining('must be written as') }] },
      { row: 6, faults: [{ column: 'Created At' }] },
    ])
  })

  it('are ignored when a fellow imports', async () => {
    const { account, client } = await fellow()
    const done = await importFile(client, file)
    expect(done.counts).toEqual({ ...NONE, created: 5 })
    const all = (await client.get('/api/founders')).body
    expect(new Set(all.map(({ createdBy }: { createdBy: string }) => createdBy))).toEqual(new Set([account.name]))
    expect(all.every(({ createdAt }: { createdAt: string }) => createdAt > '2026')).toBe(true)
  })
})

describe('Each imported row', () => {
  it('is in the audit log with the importer and the import', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const done = await importFile(client, csv(HEADER, 'Ann Ash,,,'))
    const entries = (await test.db.select().from(auditLog).orderBy(auditLog.at, auditLog.id)).filter(
      ({ accountId }) => accountId === account.id,
    )
    expect(entries.map(({ action }) => action)).toEqual(['upload', 'import', 'create'])
    expect(entries.at(-1)).toMatchObject({ accountEmail: account.email, ip: '127.0.0.1', detail: { import: done.id } })
    expect(entries.at(-2)).toMatchObject({
      objectId: done.id,
      detail: { name: 'people.csv', kind: 'founder', rows: 1 },
    })
  })
})
