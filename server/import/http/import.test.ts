import { isNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { records } from '#server/db/schema.ts'
import { act, createEmptyApp, csv, importFile, NONE, prepare, rowsOf } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'

const test = createEmptyApp()

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)
const PEOPLE = csv(
  'Name,LinkedIn,Notes,Rating',
  'Ann Ash,https://www.linkedin.com/in/ann,Met at demo day,8',
  'Ben Birch,linkedin.com/in/ben,,',
  'Cat Cole,,,11',
)

describe('An import', () => {
  it('previews the outcome of every row, and writes nothing before it runs', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const ready = await prepare(client, PEOPLE)
    expect(ready).toMatchObject({
      state: 'ready',
      kind: 'founder',
      name: 'people.csv',
      dialect: { format: 'csv', separator: ',', headerRow: 1 },
      columns: ['Name', 'LinkedIn', 'Notes', 'Rating'],
      mapping: { name: 0, linkedIn: 1, notes: 2, rating: 3 },
      duplicates: 'skip',
      counts: { ...NONE, created: 3, marked: 1 },
      done: 3,
      total: 3,
    })
    expect(await rowsOf(client, ready.id)).toEqual([
      {
        row: 2,
        outcome: 'created',
        canAdd: false,
        faults: [],
        values: { name: 'Ann Ash', linkedIn: 'https://www.linkedin.com/in/ann', notes: 'Met at demo day', rating: '8' },
      },
      {
        ...{ row: 3, outcome: 'created', canAdd: false, faults: [] },
        values: { name: 'Ben Birch', linkedIn: 'https://linkedin.com/in/ben' },
      },
      {
        ...{ row: 4, outcome: 'created', canAdd: false },
        faults: [{ column: 'Rating', sentence: 'Rating must be a whole number from 1 to 10' }],
        values: { name: 'Cat Cole', notes: 'Rating: 11' },
      },
    ])
    expect(await test.db.$count(records)).toBe(0)
  })

  it('creates records of the importer, also without LinkedIn and notes', { tags: 'slow' }, async () => {
    const { client } = await fellow({ name: 'Ada' })
    const done = await importFile(client, PEOPLE)
    expect(done).toMatchObject({ state: 'done', counts: { ...NONE, created: 3, marked: 1 }, done: 3, total: 3 })
    const list = (await client.get('/api/founders')).body
    expect(list).toMatchObject([
      { name: 'Cat Cole', notes: 'Rating: 11', rating: 5, isRated: false },
      {
        name: 'Ben Birch',
        linkedIn: 'https://linkedin.com/in/ben',
        notes: '',
        rating: 5,
        isRated: false,
        createdBy: 'Ada',
        version: 1,
      },
      { name: 'Ann Ash', notes: 'Met at demo day', rating: 8, isRated: true, can: { edit: true, delete: true } },
    ])
    expect((await rowsOf(client, done.id, 'outcome=created')).map(({ recordId }) => recordId)).toEqual(
      list.map(({ id }: { id: string }) => id).toReversed(),
    )
  })

  it('adds nothing when the same file is imported again', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    await importFile(client, PEOPLE)
    const again = await importFile(client, PEOPLE)
    expect(again.counts).toEqual({ ...NONE, same: 3 })
    expect(await test.db.$count(records)).toBe(3)
  })

  it('can be reverted', { tags: 'slow' }, async () => {
    const { client } = await fellow()
    const { id } = await importFile(client, PEOPLE)
    const reverted = await act(client, id, 'revert')
    expect(reverted).toMatchObject({
      state: 'reverted',
      counts: { ...NONE, reverted: 3 },
      done: 3,
      total: 3,
    })
    expect(await test.db.$count(records, isNull(records.deletedAt))).toBe(0)
    expect((await client.get('/api/changes')).body).toMatchObject([{ act: 'import' }])
  })
})
