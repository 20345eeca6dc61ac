import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { NOTES_MAX } from '#contract/limits.ts'
import { importRows } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { encoderOf } from '#server/import/http/encode.ts'
import { previewRows } from '#server/import/jobs/preview.ts'
import { recordTarget } from '#server/import/targets/record-target.ts'
import {
  act,
  createEmptyApp,
  csv,
  IN,
  importFile,
  NONE,
  prepare,
  recordsOf,
  rowsOf,
} from '#server/import/test/import-file.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

describe('Columns that fill no field', () => {
  const HEADER = 'Record ID,Name,Notes,Round,Phone Number,Geburtsdatum,Source,Région'
  const FILE = csv(
    HEADER,
    '1,Ann Ash,Met,Seed,+41 1,1990-01-01,Fair,Vaud',
    '2,Ben Birch,,-,,,Fair,"Bern,\nZürich"',
    '3,Cat Cole,,,,,Fair,',
  )

  it('are kept in the notes, except for ids, sensitive ones and those that are the same throughout', {
    tags: 'slow',
  }, async () => {
    const { client } = await fellow()
    const ready = await prepare(client, FILE)
    expect(ready.rest).toEqual({ 0: 'drop', 3: 'notes', 4: 'drop', 5: 'drop', 6: 'drop', 7: 'notes' })
    expect((await rowsOf(client, ready.id))[0]?.values).toEqual({
      ...{ name: 'Ann Ash', notes: 'Met\nRound: Seed\nRégion: Vaud' },
    })
    const { list } = await recordsOf(client, FILE)
    expect(list.map(({ notes }: { notes: string }) => notes)).toEqual([
      '',
      'Région: Bern,\nZürich',
      'Met\nRound: Seed\nRégion: Vaud',
    ])
  })

  it('are kept or left out by choice', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const { list } = await recordsOf(client, FILE, { rest: { 3: 'drop', 6: 'notes', 7: 'drop' } })
    expect(list[2].notes).toBe('Met\nSource: Fair')
    const ready = await prepare(client, FILE)
    const wrong = await client.call('PATCH', `/api/imports/${ready.id}`, { body: { rest: { 99: 'drop' } } })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { rest: 'Choose a column of the file' } } })
  })

  it('are the same when the file is imported again, and a row that meets a record adds none', {
    tags: 'slow',
  }, async () => {
    const { account, client } = await fellow()
    await recordsOf(client, FILE)
    for (const duplicates of ['skip', 'fill', 'update'] as const) {
      expect((await recordsOf(client, FILE, { duplicates })).done.counts).toEqual({ ...NONE, same: 3 })
    }
    await makeFounder(test.db, { creator: account, name: 'Dan Dorn', notes: 'Known' })
    const file = csv(HEADER, ',Dan Dorn,Known,Seed,,,,', ',Eve Elm,,Seed,,,,')
    const { done, list } = await recordsOf(client, file, { duplicates: 'update', rest: { 3: 'notes' } })
    expect(await rowsOf(client, done.id)).toMatchObject([
      {
        outcome: 'duplicate',
        faults: [{ sentence: 'Dan Dorn already exists' }, { sentence: 'The record lacks “Round: Seed”' }],
      },
      { outcome: 'created' },
    ])
    expect(list.find(({ name }: { name: string }) => name === 'Dan Dorn').notes).toBe('Known')
  })

  it('stay below the notes when an update replaces these', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    await recordsOf(client, FILE)
    const changed = FILE.replace('Met,', 'Met twice,')
    const { done, list } = await recordsOf(client, changed, { duplicates: 'update' })
    expect(done.counts).toEqual({ ...NONE, updated: 1, same: 2 })
    expect(list[2].notes).toBe('Met twice\nRound: Seed\nRégion: Vaud')
    expect((await recordsOf(client, changed, { duplicates: 'update' })).done.counts).toEqual({ ...NONE, same: 3 })
  })

  it('that do not fit into the notes are left out, and the row is marked', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const file = csv(
      'Name,Notes,Round,Area',
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
    expect(list[1].notes).toMatch(/x\nRound: Seed$/)
  })

  it('never include the reasons of a file of refused rows', { tags: 'slow' }, async () => {
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

  it('refuses the row by choice, with all of its faults together', { tags: 'slow' }, async () => {
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

  it('never refuses a row with a name that is too long', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const long = `Ann ${'x'.repeat(250)}`
    const { list } = await recordsOf(client, csv('Name,Rating', `${long},5`))
    expect(list).toMatchObject([{ name: long.slice(0, 200), notes: `Name: ${long}` }])
  })

  it('is a date that can be read in two ways, until a person chooses', { tags: 'slow' }, async () => {
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

describe('A row with a sentence about how it was read', () => {
  it('is marked in the preview and after the run', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const ready = await prepare(client, csv('Name,Rating', 'Ann Ash,5', 'Ben Birch,5'))
    const context = {
      import: { ...ready, duplicates: 'skip' },
      importer: account,
    } as const
    const target = recordTarget(founderKind)
    const inspection = { samples: [], rows: 2, constant: [], dates: {}, isCertain: true }
    const file = { ...ready, inspection }
    const parse = await target.createParser(test.db, file, { role: 'fellow' })
    const row = { row: 3, values: ['Ben Birch', '5'], marks: ['A quotation mark is not closed'] }
    const reading = { file, parse, earlier: target.createSeenRows(parse) }
    const [preview] = await previewRows(test.db, target, context, reading, [row])
    expect(preview).toMatchObject({ outcome: 'created', marks: row.marks, faults: [{ sentence: row.marks[0] }] })
    await test.db
      .update(importRows)
      .set({ marks: row.marks, faults: preview?.faults })
      .where(and(eq(importRows.importId, ready.id), eq(importRows.row, 3)))
    const done = await act(client, ready.id, 'run')
    expect(done.counts).toEqual({ ...NONE, created: 2, marked: 1 })
    expect(await rowsOf(client, ready.id, 'marked=true')).toMatchObject([
      { row: 3, faults: [{ sentence: row.marks[0] }] },
    ])
  })
})

describe('Refused rows of a text file', () => {
  it.each([
    ['windows-1252', ';', 'Zoë “Z” €'],
    ['utf-16le', '\t', 'Zoë 語'],
    ['shift_jis', ',', '山田 太郎'],
    ['windows-1251', '|', 'Иван Иванов'],
  ] as const)(
    'download in its encoding and with its separator: %s',
    { tags: 'slow' },
    async (encoding, separator, name) => {
      const { client } = await fellow()
      const lines = [
        ['Name', 'Rating', 'Area'],
        [name, '11', `a${separator}b "c"`],
        ['Ann Ash', '5', '=1'],
      ]
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
      const file = encoderOf(encoding)(lines.map((cells) => cells.map(cell).join(separator)).join('\r\n'))
      const dialect = { format: 'csv', encoding, separator, headerRow: 1 } as const
      const done = await importFile(client, file, { dialect, cells: 'refuse' })
      expect(done.counts).toEqual({ ...NONE, created: 1, refused: 1 })
      const { rawPayload, headers } = await download(client, `/api/imports/${done.id}/refused.csv`)
      expect(headers['content-type']).toBe(`text/csv; charset=${encoding}`)
      const text = new TextDecoder(encoding).decode(rawPayload)
      expect(text.split('\r\n')[0]).toBe(['Name', 'Rating', 'Area', 'reason'].join(separator))
      const mended = encoderOf(encoding)(text.replace(`${separator}11${separator}`, `${separator}10${separator}`))
      const again = await importFile(client, mended, { dialect })
      expect(again.counts).toEqual({ ...NONE, created: 1 })
      expect((await client.get('/api/founders?limit=1')).body).toMatchObject([
        { name, rating: 10, notes: `Area: a${separator}b "c"` },
      ])
      expect((await importFile(client, mended, { dialect })).counts).toEqual({ ...NONE, same: 1 })
    },
  )

  it('that are refused again have their new reasons in place of the old ones', async () => {
    const { client } = await fellow()
    const done = await importFile(client, csv('Name,Rating,reason', ',5,Name: Name is required'))
    const { text } = await client.get(`/api/imports/${done.id}/refused.csv`)
    expect(text).toBe('\ufeffName,Rating,reason\r\n,5,Name: Name is required\r\n')
  })
})

const download = (client: TestClient, url: string) => {
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
  return test.app.inject({ url, headers: { cookie, 'accept-encoding': 'identity' } })
}
