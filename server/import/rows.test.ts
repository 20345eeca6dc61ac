import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ImportPatch } from '#contract/import.ts'
import { NOTES_MAX } from '#contract/limits.ts'
import { records } from '#server/db/schema.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'
import { act, csv, importFile, NONE, prepare, rowsOf } from './test/import-file.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.db.delete(records)
})

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)
const IN = 'https://www.linkedin.com/in/'

/** Imports a file, and returns its records, newest first. */
async function recordsOf(client: TestClient, file: string, patch?: ImportPatch) {
  const done = await importFile(client, file, patch)
  expect(done.state).toBe('done')
  return { done, list: (await client.get(`/api/${done.kind === 'founder' ? 'founders' : 'companies'}`)).body }
}

const infoOf = ({ additionalInfo }: { additionalInfo: string | null }) => JSON.parse(additionalInfo ?? 'null')

describe('Columns that enrichment fills otherwise', () => {
  it('fill a founder, with the import as their source', async () => {
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

  it('fill a company, ranges and years as people write them', async () => {
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

  it('count for matching: a row with the same email is the same founder', async () => {
    const { account, client } = await fellow()
    const enrichment = { email: 'ann@acme.example' }
    await makeFounder(test.db, { creator: account, name: 'Anna Ashworth', enrichment })
    const file = csv('Name,Email', 'Ann Ash,ANN@acme.example', 'Bo Birch,bo@acme.example', 'Bob B.,BO@acme.example')
    const ready = await prepare(client, file)
    expect(await rowsOf(client, ready.id)).toMatchObject([
      { outcome: 'duplicate', faults: [{ sentence: 'Anna Ashworth already exists' }] },
      { outcome: 'created' },
      { outcome: 'duplicate', faults: [{ sentence: 'This row repeats row 3' }] },
    ])
  })

  it('fill empty fields of a record that is here, or update them', async () => {
    const { account, client } = await fellow()
    const enrichment = { current_company: 'Old', bio: 'Known' }
    await makeFounder(test.db, { creator: account, name: 'Ann Ash', linkedIn: `${IN}ann`, enrichment })
    const file = csv('Name,LinkedIn,Company,Title', `Ann Ash,${IN}ann,New,CEO`)
    const filled = await recordsOf(client, file, { duplicates: 'fill' })
    expect(filled.done.counts).toEqual({ ...NONE, updated: 1 })
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

  it('do not change the record of another fellow', async () => {
    const { client } = await fellow()
    await makeFounder(test.db, { name: 'Ann Ash', linkedIn: `${IN}ann` })
    const file = csv('Name,LinkedIn,Company', `Ann Ash,${IN}ann,New`)
    const { done, list } = await recordsOf(client, file, { duplicates: 'update' })
    expect(await rowsOf(client, done.id)).toMatchObject([
      { outcome: 'duplicate', faults: [{ sentence: 'You may not change Ann Ash' }] },
    ])
    expect(list[0].additionalInfo).toBeNull()
  })
})

describe('Columns that fill no field', () => {
  const HEADER = 'Record ID,Name,Notes,Stage,Phone Number,Geburtsdatum,Source,Région'
  const FILE = csv(
    HEADER,
    '1,Ann Ash,Met,Seed,+41 1,1990-01-01,Fair,Vaud',
    '2,Ben Birch,,-,,,Fair,"Bern,\nZürich"',
    '3,Cat Cole,,,,,Fair,',
  )

  it('are kept in the notes, except for ids, sensitive ones and those that are the same throughout', async () => {
    const { client } = await fellow()
    const ready = await prepare(client, FILE)
    expect(ready.rest).toEqual({ 0: 'drop', 3: 'notes', 4: 'drop', 5: 'drop', 6: 'drop', 7: 'notes' })
    expect((await rowsOf(client, ready.id))[0]?.values).toEqual({
      ...{ name: 'Ann Ash', notes: 'Met\n\nStage: Seed\nRégion: Vaud' },
    })
    const { list } = await recordsOf(client, FILE)
    expect(list.map(({ notes }: { notes: string }) => notes)).toEqual([
      '',
      'Région: Bern,\nZürich',
      'Met\n\nStage: Seed\nRégion: Vaud',
    ])
  })

  it('are kept or left out by choice', async () => {
    const { client } = await fellow()
    const { list } = await recordsOf(client, FILE, { rest: { 3: 'drop', 6: 'notes', 7: 'drop' } })
    expect(list[2].notes).toBe('Met\n\nSource: Fair')
    const ready = await prepare(client, FILE)
    const wrong = await client.call('PATCH', `/api/imports/${ready.id}`, { body: { rest: { 99: 'drop' } } })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { rest: 'Choose a column of the file' } } })
  })

  it('are the same when the file is imported again, and a row that meets a record adds none', async () => {
    const { account, client } = await fellow()
    await recordsOf(client, FILE)
    for (const duplicates of ['skip', 'fill', 'update'] as const) {
      expect((await recordsOf(client, FILE, { duplicates })).done.counts).toEqual({ ...NONE, same: 3 })
    }
    await makeFounder(test.db, { creator: account, name: 'Dan Dorn', notes: 'Known' })
    const file = csv(HEADER, ',Dan Dorn,Known,Seed,,,,', ',Eve Elm,,Seed,,,,')
    const { done, list } = await recordsOf(client, file, { duplicates: 'update', rest: { 3: 'notes' } })
    expect(await rowsOf(client, done.id)).toMatchObject([
      { outcome: 'duplicate', faults: [{ sentence: expect.stringContaining('Only columns kept in notes differ') }] },
      { outcome: 'created' },
    ])
    expect(list.find(({ name }: { name: string }) => name === 'Dan Dorn').notes).toBe('Known')
  })

  it('stay below the notes when an update replaces these', async () => {
    const { client } = await fellow()
    await recordsOf(client, FILE)
    const changed = FILE.replace('Met,', 'Met twice,')
    const { done, list } = await recordsOf(client, changed, { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 1, same: 2 })
    expect(list[2].notes).toBe('Met twice\n\nStage: Seed\nRégion: Vaud')
    expect((await recordsOf(client, changed, { duplicates: 'update' })).done.counts).toEqual({ ...NONE, same: 3 })
  })

  it('that do not fit into the notes are left out, and the row is marked', async () => {
    const { client } = await fellow()
    const file = csv(
      'Name,Notes,Stage,Area',
      `Ann Ash,${'x'.repeat(NOTES_MAX - 20)},Seed,Robots for hospitals`,
      'Bo,,A,B',
    )
    const { done, list } = await recordsOf(client, file)
    expect(done.counts).toEqual({ ...NONE, created: 2, marked: 1 })
    expect(await rowsOf(client, done.id, 'marked=true')).toMatchObject([
      {
        ...{ row: 2, outcome: 'created' },
        faults: [{ column: 'Area', sentence: 'Left out, because notes have at most 10,000 characters' }],
      },
    ])
    expect(list[1].notes).toMatch(/x\n\nStage: Seed$/)
  })

  it('never include the reasons of a file of refused rows', async () => {
    const { client } = await fellow()
    const { list } = await recordsOf(
      client,
      csv('Name,Area,reason', 'Ann Ash,A,Name: Name is required', 'Bo Birch,B,x'),
    )
    expect(list.map(({ notes }: { notes: string }) => notes)).toEqual(['Area: B', 'Area: A'])
  })
})

describe('A cell that cannot be read', () => {
  const FILE = csv(
    'Name,LinkedIn,Email,Rating',
    'Ann Ash,not an address,unknown person,11',
    'Ben Birch,n/a,-,?',
    `Cat Cole,${IN}cat,cat@mit.edu,7/10`,
    ',,,12',
  )

  it('is left out with a sentence, its text is kept, and the row is marked', async () => {
    const { client } = await fellow()
    const { done, list } = await recordsOf(client, FILE)
    expect(done.counts).toEqual({ ...NONE, created: 3, refused: 1, marked: 1 })
    expect(list).toMatchObject([
      { name: 'Cat Cole', linkedIn: `${IN}cat`, rating: 7, isRated: true, notes: '' },
      { name: 'Ben Birch', linkedIn: '', rating: 5, isRated: false, notes: '', additionalInfo: null },
      {
        name: 'Ann Ash',
        linkedIn: '',
        notes: 'LinkedIn: not an address\nEmail: unknown person\nRating: 11',
        isRated: false,
      },
    ])
    expect(await rowsOf(client, done.id, 'marked=true')).toMatchObject([
      {
        faults: [
          { column: 'LinkedIn', sentence: expect.stringContaining('full URL') },
          { column: 'Email', sentence: 'Enter an email address, such as ada@mit.edu' },
          { column: 'Rating', sentence: 'Rating must be a whole number from 1 to 10' },
        ],
      },
    ])
  })

  it('refuses the row by choice, with all of its faults at once', async () => {
    const { client } = await fellow()
    const { done } = await recordsOf(client, FILE, { cells: 'refuse' })
    expect(done.counts).toEqual({ ...NONE, created: 2, refused: 2 })
    const [first, last] = await rowsOf(client, done.id, 'outcome=refused')
    expect(first?.faults).toHaveLength(3)
    expect(last?.faults).toEqual([
      { column: 'Name', sentence: 'Name is required' },
      { column: 'Rating', sentence: 'Rating must be a whole number from 1 to 10' },
    ])
  })

  it('never refuses a row with a name that is too long', async () => {
    const { client } = await fellow()
    const long = `Ann ${'x'.repeat(250)}`
    const { list } = await recordsOf(client, csv('Name,Rating', `${long},5`))
    expect(list).toMatchObject([{ name: long.slice(0, 200), notes: `Name: ${long}` }])
  })

  it('is a date that can be read in two ways, until a person chooses', async () => {
    const { client } = await fellow({ role: 'manager' })
    const ready = await prepare(client, csv('Name,Created at', 'Ann Ash,03/04/2024', 'Ben Birch,2024-05-01'))
    expect(ready.counts).toEqual({ ...NONE, created: 2, marked: 1 })
    expect((await rowsOf(client, ready.id, 'marked=true'))[0]?.faults).toEqual([
      { column: 'Created at', sentence: 'Choose whether this date has the day or the month first' },
    ])
    await client.call('PATCH', `/api/imports/${ready.id}`, { body: { dates: 'day-first' } })
    await expect.poll(async () => (await client.get(`/api/imports/${ready.id}`)).body.state).toBe('ready')
    const done = await act(client, ready.id, 'run')
    expect(done).toMatchObject({ dates: 'day-first', counts: { ...NONE, created: 2 } })
    const [, ann] = (await client.get('/api/founders?limit=2')).body
    expect(ann.createdAt).toBe('2024-04-03T00:00:00.000Z')
  })
})

describe('A record without a rating', () => {
  it('is not rated until a person rates it', async () => {
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

  it('takes a rating with fill; a row without one never changes it', async () => {
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
  it('is the creator, also when a manager starts the import, and only their rights count', async () => {
    const [ada, manager] = [await fellow({ name: 'Ada' }), await fellow({ name: 'Mara', role: 'manager' })]
    await makeFounder(test.db, { creator: manager.account, name: 'Ben Birch', notes: 'Known', linkedIn: `${IN}ben` })
    const file = csv('Name,LinkedIn,Notes,Created by', `Ben Birch,${IN}ben,New,x`, `Ann Ash,${IN}ann,Met,Old Tool`)
    const ready = await prepare(ada.client, file, { duplicates: 'update' })
    const done = await act(manager.client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, created: 1, duplicate: 1 })
    expect((await ada.client.get('/api/founders')).body).toMatchObject([
      { name: 'Ann Ash', createdBy: 'Ada' },
      { name: 'Ben Birch', notes: 'Known' },
    ])
  })
})

describe('Certainty', () => {
  it('is complete for a plain file, and each doubt is named', async () => {
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

  it('follows a change by a person', async () => {
    const { client } = await fellow()
    const changed = await prepare(client, csv('A,B', 'Ann,Ash'), { kind: 'founder', mapping: { name: [0, 1] } })
    const { dialect: _, ...none } = changed.doubts
    expect(none).toEqual({})
  })
})

describe('A company of a file', () => {
  it('updates place and year by the right to edit, as one value', async () => {
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
