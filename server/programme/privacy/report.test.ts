import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createQueue } from '#server/db/queue.ts'
import { importFile } from '#server/import/test/import-file.ts'
import { merge } from '#server/merge/test/calls.ts'
import { makeFounder, makeImport, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { installQueues } from '#server/test/install-queues.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { valueRef } from './refs.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager', name: 'Maya Okafor' })
  await installQueues(test.database)
})
afterAll(() => test.close())

const call = (path: string, body: unknown) => manager.client.post(`/api/programme/privacy/${path}`, body)
const refsOf = async (name: string): Promise<string[]> =>
  (await call('search', { names: [name] })).body.map(({ ref }: { ref: string }) => ref)

type Table = { table: string; label: string; rows: Record<string, unknown>[] }

describe('An access report', () => {
  it('has jobs of the queue, pictures, history, and public values with their sources, and no other person', {
    tags: 'slow',
  }, async () => {
    const fellow = await fellowOf(test, { name: 'Otto Other' })
    const creator = fellow.account
    const founder = await makeFounder(test.db, { creator, name: 'Quillon Marbeck' })
    const twin = await makeFounder(test.db, { creator, name: 'Quillon Marbeck' })
    await makeNote(test.db, { founder: founder.id, author: manager.account, content: 'Seen' })
    // The notes of both have an editor, whom the merge remembers.
    for (const { id } of [founder, twin]) await fellow.client.put(`/api/founders/${id}`, { notes: `Edited ${id}` })
    const both = [founder, twin].map(async ({ id }) => (await fellow.client.get(`/api/founders/${id}`)).body)
    const [one, other] = await Promise.all(both)
    expect((await merge(fellow.client, one, other)).status).toBe(200)
    await test.db.execute(sql`update records set additional_info = '{"bio": "Builds kites"}',
      enrichment = '{"sources": {"bio": {"provider": "harmonic", "at": "2026-01-02T00:00:00Z"}}}' where id = ${founder.id}`)
    await test.db.execute(sql`insert into pictures (record_id, kind, size, bytes, fetched_at)
      values (${founder.id}, 'founder', 56, convert_to('a picture', 'UTF8'), now())`)
    const queue = createQueue({ database: test.database, log: quietLog })
    const { boss } = await queue.open()
    const by = { id: creator.id, email: creator.email, ip: '10.1.2.3' }
    await boss.send('enrich-later', { kind: 'founder', id: founder.id, by, hints: { company: 'Kites' } })
    await queue.close()

    const { status, body } = await call('report', { refs: await refsOf('Quillon Marbeck') })
    expect(status).toBe(200)
    const tables: Table[] = body.tables
    const rowsIn = (name: string) => tables.find(({ table }) => table === name)?.rows ?? []
    expect(rowsIn('records')).toHaveLength(2)
    expect(rowsIn('records').find(({ id }) => id === founder.id)).toMatchObject({
      additionalInfo: { bio: 'Builds kites' },
      enrichment: { sources: { bio: { provider: 'harmonic', at: '2026-01-02T00:00:00Z' } } },
      creatorId: 'a fellow',
    })
    expect(rowsIn('pictures')).toMatchObject([
      { bytes: Buffer.from('a picture').toString('base64'), fetchedAt: expect.stringMatching(/^\d{4}-/) },
    ])
    expect(rowsIn('jobs')).toMatchObject([
      { name: 'enrich-later', data: { id: founder.id, hints: { company: 'Kites' }, by: 'a fellow' } },
    ])
    expect(rowsIn('notes')).toMatchObject([{ content: 'Seen', authorId: 'a manager' }])
    expect(rowsIn('audit_log').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['create', 'update', 'merge', 'add-note']),
    )
    expect(rowsIn('merges')[0]).toMatchObject({ before: { notesEdit: { by: 'a fellow' } } })
    const text = JSON.stringify(body)
    for (const { id, email, name } of [creator, manager.account])
      for (const part of [id, email, name, '10.1.2.3']) expect(text).not.toContain(part)
  })
})

describe('The row of an imported file in an access report', () => {
  let ben: Awaited<ReturnType<typeof fellowOf>>
  beforeAll(async () => {
    ben = await fellowOf(test, { name: 'Benedikta Fellowes' })
    await makeFounder(test.db, { name: 'Otis Foundling' })
  })

  it('has what it says about the person, and other people by their role', { tags: 'slow' }, async () => {
    const lines = {
      Name: 'Wilma Ostrander',
      LinkedIn: 'https://www.linkedin.com/in/wilma-ostrander',
      Email: 'wilma@planted.example',
      Notes: `Met with Benedikta Fellowes; write to otis@planted.example or wilma@planted.example.`,
      'Added by': ben.account.email,
      'Introduced by': 'Quentin Nowhere',
      Team: 'Wilma Ostrander, Otis Foundling',
      Profiles: 'https://www.linkedin.com/in/otis-foundling, linkedin.com/in/wilma-ostrander',
      Remark: 'Builds kites',
    }
    const cell = (text: string) => `"${text}"`
    const file = [Object.keys(lines), Object.values(lines)].map((row) => row.map(cell).join(',')).join('\n')
    const { client } = await fellowOf(test)
    const { counts } = await importFile(client, file, { mapping: { name: 0, linkedIn: 1, email: 2, notes: 3 } })
    expect(counts).toMatchObject({ created: 1 })
    const { body } = await call('report', { refs: await refsOf('Wilma Ostrander') })
    const rows = (body.tables as Table[]).find(({ table }) => table === 'import_rows')?.rows ?? []
    expect(rows.map(({ cells }) => cells)).toEqual([
      [
        ...[lines.Name, lines.LinkedIn, lines.Email],
        'Met with a fellow; write to someone else or wilma@planted.example.',
        ...['someone else', 'someone else', 'Wilma Ostrander, someone else'],
        'someone else, linkedin.com/in/wilma-ostrander',
        'Builds kites',
      ],
    ])
  })

  it.each([
    [
      'of another column',
      'We spoke with Quentin Nowhere, who knows her.',
      'We spoke with someone else, who knows her.',
    ],
    ['in other letters', 'As QUENTIN  nowhere said.', 'As someone else said.'],
    ['who is a founder here', 'Met Otis Foundling’s friend', 'Met someone else’s friend'],
    ['who is a fellow', 'Ask Benedikta Fellowes.', 'Ask a fellow.'],
    ['of another row of the file', 'Sat with Tilda Refuseniks (loud).', 'Sat with someone else (loud).'],
    ['by a word alone', 'Nowhere near, says Wilma Ostrander', 'Nowhere near, says Wilma Ostrander'],
  ])('hides a name in the middle of a sentence: %s', async (_, remark, shown) => {
    const imported = await makeImport(test.db, { importer: manager.account })
    await test.db.execute(sql`update imports set columns = '["First", "Last", "Introduced by", "Remark"]',
      mapping = '{"name": [0, 1]}' where id = ${imported.id}`)
    const rows = [
      ['Wilma', 'Ostrander', 'Quentin Nowhere and Ida', remark],
      ['Tilda', 'Refuseniks', '', ''],
    ]
    for (const [at, cells] of rows.entries())
      await test.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, faults)
        values (${imported.id}, ${at}, ${JSON.stringify(cells)}::jsonb, 'refused', '[]')`)
    const hits = (await call('search', { names: ['Wilma Ostrander'] })).body
    const ref = valueRef('import_rows', [imported.id, '0'], 'cells')
    expect(hits.map((hit: { ref: string }) => hit.ref)).toContain(ref)
    const { body } = await call('report', { refs: [ref] })
    const [row] = (body.tables as Table[]).find(({ table }) => table === 'import_rows')?.rows ?? []
    expect(row?.cells).toEqual(['Wilma', 'Ostrander', 'someone else', shown])
  })

  it('that is ticked alone is read by its columns: a fellow who answers for it by role, and its own values as they are', async () => {
    const imported = await makeImport(test.db, { importer: manager.account })
    const cells = ['Hestia Quandrel', 'hestia@planted.example', 'olga@planted.example', 'Ask olga@planted.example']
    await test.db.execute(sql`update imports set columns = '["Name", "Email", "Owner", "Remark"]',
      mapping = '{"name": 0, "email": 1, "responsible": 2}' where id = ${imported.id}`)
    await test.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, faults)
      values (${imported.id}, 1, ${JSON.stringify(cells)}::jsonb, 'refused', '[{"sentence": "No fellow has olga@planted.example"}]')`)
    const { body } = await call('report', { refs: await refsOf('Hestia Quandrel') })
    const [row] = (body.tables as Table[]).find(({ table }) => table === 'import_rows')?.rows ?? []
    expect(row?.cells).toEqual([cells[0], cells[1], 'a fellow', 'Ask someone else'])
    expect(row?.faults).toEqual([{ sentence: 'No fellow has someone else' }])
  })
})

describe('After an erasure', () => {
  it('the files made since the record came are listed: who, when, and by which filter', async () => {
    const fellow = await fellowOf(test)
    await fellow.client.get('/api/companies/export?mine=true')
    const founder = await makeFounder(test.db, { creator: fellow.account, name: 'Jocasta Wendling' })
    await fellow.client.get('/api/founders/export?mine=true&format=jsonl&search=Jocasta+Wendling')
    await manager.client.get('/api/companies/export?format=csv')
    await manager.client.get(`/api/programme/history/export?record=${founder.id}`)
    await manager.client.get('/api/programme/privacy/uninformed/export')
    const imported = await makeImport(test.db, { importer: fellow.account })
    await fellow.client.get(`/api/imports/${imported.id}/refused.csv`)
    await test.db.execute(sql`insert into audit_log (account_id, account_email, action, kind, detail)
      values (${fellow.account.id}, ${fellow.account.email}, 'export-calendar', null, '{"mine": true}')`)
    const refs = await refsOf('Jocasta Wendling')
    const { body } = await call('erase', { refs, reason: 'asked' })
    const [f, m] = [fellow.account.email, manager.account.email]
    expect(body.exports.map(({ at, ...rest }: { at: string }) => rest)).toMatchObject([
      { what: 'export-calendar', by: f, filter: { mine: true } },
      { what: 'export import', by: f, filter: { outcome: 'refused', fileName: 'people.csv' } },
      { what: 'export founder', by: m, filter: { isInformed: false } },
      { what: 'export history', by: m, filter: { record: founder.id } },
      { what: 'export company', by: m, filter: { format: 'csv' } },
      { what: 'export founder', by: f },
    ])
    // Its filter named the person, and was erased with the rest.
    expect(body.exports.at(-1).filter).toEqual({})
  })

  it('of a row of a file alone, the files made since its import are listed', async () => {
    const { account, client } = await fellowOf(test)
    const imported = await makeImport(test.db, { importer: account })
    await test.db.execute(sql`insert into import_rows (import_id, row, cells, outcome, faults)
      values (${imported.id}, 1, '["Hesper Tolliver"]', 'refused', '[]')`)
    await test.db.execute(sql`insert into import_files (import_id, piece, bytes) values (${imported.id}, 0, '')`)
    await client.get(`/api/imports/${imported.id}/refused.csv`)
    const { body } = await call('erase', { refs: await refsOf('Hesper Tolliver'), reason: 'no_ground' })
    expect(body.exports).toMatchObject([{ what: 'export import', by: account.email }])
    expect(await rowsOf(test.db, sql`select from import_files where import_id = ${imported.id}`)).toEqual([])
  })
})
