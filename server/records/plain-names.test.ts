import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { createEmptyApp, csv, importFile, prepare, rowsOf as rowsOfImport } from '#server/import/test/import-file.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'

const test = createEmptyApp()

const MARKS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']
/** A statement at a time, as the embedded database takes them. */
async function migratePlainNames() {
  const migration = await readFile('server/db/migrations/0049-plain-names.sql', 'utf8')
  for (const statement of migration.split(/;\n/).filter((text) => text.trim() !== '')) await test.db.execute(statement)
}

const SENTENCE = 'Name contains characters that change the direction of text'

describe('Marks that turn the direction of text', () => {
  it.each([
    ['founders', { linkedIn: 'https://www.linkedin.com/in/ada', notes: 'n' }],
    ['companies', { website: 'https://acme.example', notes: 'n' }],
  ])('are refused in the name of a record, added or corrected: %s', async (path, more) => {
    const { client } = await fellowOf(test)
    const added = await client.post(`/api/${path}`, { name: 'Ada', ...more })
    expect(added.status).toBe(201)
    const { id, version } = added.body
    for (const mark of MARKS) {
      const name = `Ada ${mark}Lovelace`
      for (const answer of [
        await client.post(`/api/${path}`, { name, ...more }),
        await client.patch(`/api/${path}/${id}`, { name, version }),
      ]) {
        expect([answer.status, answer.body.fields]).toEqual([400, { name: SENTENCE }])
      }
    }
    // Right-to-left scripts need no marks, and neighbours in their texts are no such marks.
    expect((await client.patch(`/api/${path}/${id}`, { name: 'עדה \u200fלאבלייס', version })).status).toBe(200)
  })

  it.each([
    ['founders', 'Name,LinkedIn,Notes', 'https://www.linkedin.com/in/ada'],
    ['companies', 'Name,Website,Notes', 'https://acme.example'],
  ])('are left out of an imported name, and the row is marked: %s', { tags: 'slow' }, async (path, header, address) => {
    const { client } = await fellowOf(test)
    const file = csv(header, `\u202eAda\u202c Lovelace,${address},Met`, `Grace Hopper,${address}2,Met`)
    const { id } = await prepare(client, file)
    const sentence = 'Marks in the name that change the direction of text are left out'
    expect(await rowsOfImport(client, id, 'marked=true')).toMatchObject([{ row: 2, faults: [{ sentence }] }])
    await importFile(client, file)
    const { body } = await client.get(`/api/${path}`)
    expect(body.map(({ name }: { name: string }) => name).sort()).toEqual(['Ada Lovelace', 'Grace Hopper'])
  })

  it('are taken out of the names that are here, merged and deleted ones too, which the history shows', {
    tags: 'slow',
  }, async () => {
    const { client, account } = await fellowOf(test)
    const founders = [1, 2, 3].map(() => makeFounder(test.db, { name: 'Ada Lovelace', creator: account }))
    const [live, merged, deleted] = await Promise.all(founders)
    const company = await makeCompany(test.db, { name: 'Acme Inc', creator: account })
    const plain = await makeFounder(test.db, { name: 'Grace \u200fHopper', creator: account })
    if (!live || !merged || !deleted) throw new Error('They were just made')
    await test.db.execute(
      sql`update records set name = overlay(name placing ${'\u202e'} from 1 for 0) where id <> ${plain.id}`,
    )
    const versions = { [live.id]: live.version, [merged.id]: merged.version }
    const input = { survivorId: live.id, duplicateId: merged.id, versions, choices: {} }
    const { body } = await client.post('/api/records/merge', input)
    expect((await client.delete(`/api/founders/${deleted.id}`)).status).toBe(204)
    await migratePlainNames()
    const names = await rowsOf<{ name: string }>(test.db, sql`select name from records order by name`)
    expect(names.map(({ name }) => name)).toEqual(['Acme Inc', ...Array(3).fill('Ada Lovelace'), 'Grace \u200fHopper'])
    const shown = await rowsOf(
      test.db,
      sql`select before, after from audit_log where object_id = ${company.id} order by at desc, id desc limit 1`,
    )
    expect(shown).toEqual([{ before: { name: '\u202eAcme Inc' }, after: { name: 'Acme Inc' } }])
    expect((await client.post(`/api/merges/${body.mergeId}/undo`)).status).toBe(200)
    expect((await client.get(`/api/founders/${live.id}`)).body.name).toBe('Ada Lovelace')
  })
})

describe('The migration that ends earlier invitations to an address', () => {
  it('keeps the newest one, and those for anyone', async () => {
    await test.db.execute(sql`insert into invitations (id, hash, email, expires_at, created_at)
      select gen_random_uuid(), address || day, nullif(address, ''), now() + interval '1 day', now() - day * interval '1 day'
      from unnest(array['han@mit.edu', 'kim@mit.edu', '']) address, generate_series(1, 2) day`)
    await migratePlainNames()
    const kept = await rowsOf<{ hash: string }>(test.db, sql`select hash from invitations order by hash`)
    expect(kept.map(({ hash }) => hash)).toEqual(['1', '2', 'han@mit.edu1', 'kim@mit.edu1'])
  })
})
