import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { importRows, records } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import type { RecordPlan } from '#server/import/rows/plan-match.ts'
import type { ParsedRow } from '#server/import/rows/values.ts'
import { ChangedMeanwhile, type PlannedRow, type WriteContext } from '#server/import/target.ts'
import { act, createEmptyApp, csv, IN, NONE, prepare, recordsOf, rowsOf } from '#server/import/test/import-file.ts'
import { getRecord } from '#server/lists/store.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { writeRows } from './write-rows.ts'

const test = createEmptyApp()

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

const infoOf = ({ additionalInfo }: { additionalInfo: string | null }) => JSON.parse(additionalInfo ?? 'null')

describe('Columns that enrichment fills otherwise', () => {
  it('fill a founder, with the import as their source', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const file = csv('Name,Company,Job title,E-mail,Bio', 'Ann Ash,Acme,CEO,Ann@acme.example,Builds robots')
    const { list } = await recordsOf(client, file)
    const at = expect.any(String)
    expect(list).toMatchObject([
      {
        name: 'Ann Ash',
        notes: '',
        enrichment: {
          lastRun: null,
          sources: {
            current_company: { provider: 'import', at },
            current_title: { provider: 'import', at },
            email: { provider: 'import', at },
            bio: { provider: 'import', at },
          },
        },
      },
    ])
    expect(infoOf(list[0])).toEqual({
      ...{ current_company: 'Acme', current_title: 'CEO', email: 'Ann@acme.example', bio: 'Builds robots' },
    })
    expect((await client.get('/api/founders?search=acme')).body).toHaveLength(1)
  })

  it('fill a company, ranges and years as people write them', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const file = csv(
      'Company,Industry,City,Founded,Employees',
      'Acme,Robots,Bern,May 2019,"1,200"',
      'Beta Robotics,,,2020-05-01,51 - 200',
      'Gamma Foods,,,,10.000',
    )
    const { done, list } = await recordsOf(client, file)
    expect(done.counts).toEqual({ ...NONE, created: 3 })
    expect(list.map(infoOf)).toEqual([
      { employee_count: 10_000 },
      { founded_year: 2020, employee_count: '51-200' },
      { industry: 'Robots', headquarters: { city: 'Bern' }, founded_year: 2019, employee_count: 1200 },
    ])
    expect(list[2].notes).toBe('Founded: May 2019')
  })

  it('count for matching: a row with the same email is the same founder', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const enrichment = { email: 'ann@acme.example' }
    await makeFounder(test.db, { creator: account, name: 'Anna Ashworth', enrichment })
    const file = csv('Name,Email', 'Ann Ashworth,ANN@acme.example', 'Bo Birch,bo@acme.example', 'Bo B.,BO@acme.example')
    const ready = await prepare(client, file)
    expect(await rowsOf(client, ready.id)).toMatchObject([
      { outcome: 'duplicate', faults: [{ sentence: 'Anna Ashworth already exists' }] },
      { outcome: 'created' },
      { outcome: 'duplicate', faults: [{ sentence: 'This row repeats row 3' }] },
    ])
  })

  it('fill empty fields of a record that is here, or update them', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const enrichment = { current_company: 'Old', bio: 'Known' }
    await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann`, enrichment })
    const file = csv('Name,LinkedIn,Company,Title', `Ann Ash,${IN}ann,New,CEO`)
    const filled = await recordsOf(client, file, { duplicates: 'fill' })
    expect(filled.done.counts).toEqual({ ...NONE, updated: 1, marked: 1 })
    expect(infoOf(filled.list[0])).toEqual({ current_company: 'Old', bio: 'Known', current_title: 'CEO' })
    expect(filled.list[0]).toMatchObject({
      version: 2,
      enrichment: { sources: { current_title: { provider: 'import' } } },
    })
    const updated = await recordsOf(client, file, { duplicates: 'update' })
    expect(infoOf(updated.list[0])).toEqual({ current_company: 'New', bio: 'Known', current_title: 'CEO' })
    expect((await client.get('/api/founders?search=new')).body).toHaveLength(1)
    const again = await recordsOf(client, file, { duplicates: 'update' })
    expect(again.done.counts).toEqual({ ...NONE, same: 1 })
  })

  it('do not change the record of another fellow', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    await makeFounder(test.db, { name: 'Ann Ash', linkedIn: `${IN}ann` })
    const file = csv('Name,LinkedIn,Company', `Ann Ash,${IN}ann,New`)
    const { done, list } = await recordsOf(client, file, { duplicates: 'update' })
    expect(await rowsOf(client, done.id)).toMatchObject([
      {
        outcome: 'duplicate',
        faults: [{ sentence: 'You may not change Ann Ash' }, { column: 'Company', sentence: 'The record lacks “New”' }],
      },
    ])
    expect(list[0].additionalInfo).toBeNull()
  })
})

describe('A record without a rating', () => {
  it('is not rated until a person rates it', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const { list } = await recordsOf(client, csv('Name,Notes', 'Ann Ash,Met'))
    expect(list[0]).toMatchObject({ rating: 5, isRated: false })
    const created = (await client.get(`/api/founders/${list[0].id}/history`)).body[0]
    expect(created.changes.map(({ field }: { field: string }) => field)).not.toContain('rating')
    const noted = await client.put(`/api/founders/${list[0].id}`, { notes: 'Met twice' })
    expect(noted.body).toMatchObject({ rating: 5, isRated: false })
    const rated = await client.put(`/api/founders/${list[0].id}`, { rating: 5 })
    expect(rated.body).toMatchObject({ rating: 5, isRated: true })
    const [entry] = (await client.get(`/api/founders/${list[0].id}/history`)).body
    expect(entry.changes).toEqual([{ field: 'rating', before: null, after: 5 }])
  })

  it('is rated when it was added by hand', async () => {
    const { client } = await fellow()
    const body = { name: 'Ann Ash', linkedIn: `${IN}ann`, notes: 'Met' }
    expect((await client.post('/api/founders', body)).body).toMatchObject({ rating: 5, isRated: true })
  })

  it('takes a rating with fill; a row without one never changes it', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    await makeFounder(test.db, { creator: account, name: 'Ben Birch', notes: 'Known', rating: 8 })
    await recordsOf(client, csv('Name,Notes', 'Ann Ash,Met'))
    const file = csv('Name,Notes,Rating', 'Ann Ash,Met,4', 'Ben Birch,Known,')
    const { done, list } = await recordsOf(client, file, { duplicates: 'fill' })
    expect(done.counts).toEqual({ ...NONE, updated: 1, same: 1 })
    expect(list).toMatchObject([
      { name: 'Ann Ash', rating: 4, isRated: true },
      { name: 'Ben Birch', rating: 8, isRated: true },
    ])
  })
})

describe('The uploader', () => {
  it('is the creator, also when a manager starts the import, and only their rights count', {
    tags: 'slow',
  }, async () => {
    const [ada, manager] = [await fellow({ name: 'Ada' }), await fellow({ name: 'Mara', role: 'manager' })]
    await makeFounder(test.db, { creator: manager.account, name: 'Ben Birch', notes: 'Known', linkedIn: `${IN}ben` })
    const file = csv('Name,LinkedIn,Notes,Created by', `Ben Birch,${IN}ben,New,x`, `Ann Ash,${IN}ann,Met,Old Tool`)
    const ready = await prepare(ada.client, file, { duplicates: 'update' })
    const done = await act(manager.client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, created: 1, duplicate: 1, marked: 1 })
    expect((await ada.client.get('/api/founders')).body).toMatchObject([
      { name: 'Ann Ash', createdBy: 'Ada' },
      { name: 'Ben Birch', notes: 'Known' },
    ])
  })
})

describe('Certainty', () => {
  it('is complete for a plain file, and each doubt is named', { tags: 'slow' }, async () => {
    const { client } = await fellow({ role: 'manager' })
    const plain = csv('Full name,LinkedIn,Email,Rating', `Ann Ash,${IN}ann,ann@mit.edu,5`)
    const { dialect: _, ...none } = (await prepare(client, plain)).doubts
    expect(none).toEqual({})
    const doubtsOf = async (file: string) => (await prepare(client, file, undefined, 'list.csv')).doubts
    expect(await doubtsOf(csv('Name,Rating', 'Ann Ash,5'))).toMatchObject({ kind: true })
    expect(await doubtsOf(csv('First name,Last name,Rating', 'Ann,Ash,good'))).toMatchObject({ mapping: true })
    expect(await doubtsOf(csv('A,B', 'Ann,Ash'))).toMatchObject({ mapping: true, kind: true })
    expect(await doubtsOf(csv('Record,Email', '17,a@mit.edu'))).toMatchObject({ mapping: true })
  })

  it('follows a change by a person', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const changed = await prepare(client, csv('A,B', 'Ann,Ash'), { kind: 'founder', mapping: { name: [0, 1] } })
    const { dialect: _, ...none } = changed.doubts
    expect(none).toEqual({})
  })
})

describe('A company of a file', () => {
  it('updates place and year by the right to edit, as one value', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const enrichment = { headquarters: { city: 'Bern', address_formatted: 'Bern, CH' } }
    await makeCompany(test.db, { creator: account, name: 'Acme', website: 'https://acme.example', enrichment })
    const same = csv('Company,Website,City', 'Acme,https://acme.example,"Bern, CH"')
    expect((await recordsOf(client, same, { duplicates: 'update' })).done.counts).toEqual({ ...NONE, same: 1 })
    const other = csv('Company,Website,City', 'Acme,https://acme.example,Basel')
    const { list } = await recordsOf(client, other, { duplicates: 'update' })
    expect(infoOf(list[0])).toEqual({ headquarters: { city: 'Basel' } })
  })
})

describe('A record that enrichment changes between its comparison and its update', () => {
  it('is compared again, so that nothing found meanwhile is lost', async () => {
    const { account, client } = await fellow()
    const { id } = await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann` })
    const file = csv('Name,LinkedIn,Company', `Ann Ash,${IN}ann,Imported`)
    const ready = await prepare(client, file, { duplicates: 'fill' })
    const record = await getRecord(test.db, founderKind, account, id)
    await test.db
      .update(records)
      .set({ additionalInfo: { current_company: 'Found' } })
      .where(eq(records.id, id))
    const [row] = await test.db.select().from(importRows).where(eq(importRows.importId, ready.id))
    const facts = { current_company: 'Imported' }
    const plan = { outcome: 'updated', record, fields: {}, facts, confirmed: [], faults: [] }
    const planned = [{ row, parsed: undefined, plan }] as unknown as PlannedRow<ParsedRow, RecordPlan>[]
    const step = { uploader: account, import: ready } as unknown as WriteContext
    await expect(test.db.transaction((tx) => writeRows(tx, founderKind, step, planned))).rejects.toThrow(
      ChangedMeanwhile,
    )
  })
})
