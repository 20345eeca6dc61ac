import { describe, expect, it } from 'vitest'
import type { ImportDuplicates } from '#contract/import.ts'
import {
  act,
  createEmptyApp,
  csv,
  IN,
  importFile,
  NONE,
  prepare,
  rowsOf,
  settled,
} from '#server/import/test/import-file.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()

const COLUMNS = 'Name,LinkedIn,Company,Title,Notes'
const row = (...more: string[]) => [`Ada Alpha,${IN}ada`, ...more].join()
const REPEATED = csv(COLUMNS, row('Acme,CEO,Met in May'), row('Beta,,Met in June'), row('Acme,ceo,in may'))

const words = ({ outcome, faults, canAdd }: Awaited<ReturnType<typeof rowsOf>>[number]) => [
  `${outcome}${canAdd ? ', can be added' : ''}`,
  ...faults.map(({ column, sentence }) => (column === undefined ? sentence : `${column}: ${sentence}`)),
]

const foundersOf = async (client: TestClient) =>
  (await client.get('/api/founders')).body.map(({ name, notes, additionalInfo }: Record<string, string>) => ({
    ...{ name, notes },
    info: JSON.parse(additionalInfo ?? 'null'),
  }))

describe('A row of a person who is in the file', () => {
  it.each(['skip', 'fill'] as const)(
    'is marked, says what it has more, and can be added, with %s',
    { tags: 'slow' },
    async (duplicates) => {
      const { client } = await fellowOf(test)
      const ready = await prepare(client, REPEATED, { duplicates })
      const expected = [
        ['created'],
        [
          'duplicate, can be added',
          'This row repeats row 2',
          'Company: Row 2 has “Acme”, not “Beta”',
          'Notes: Row 2 lacks “Met in June”',
        ],
        ['duplicate', 'This row repeats row 2'],
      ]
      expect((await rowsOf(client, ready.id)).map(words)).toEqual(expected)
      expect(ready.counts).toEqual({ ...NONE, created: 1, duplicate: 2, marked: 1 })
      expect((await rowsOf(client, ready.id, 'marked=true')).map(({ row }) => row)).toEqual([3])
      const done = await act(client, ready.id, 'run')
      expect(done.counts).toEqual(ready.counts)
      expect((await rowsOf(client, ready.id)).map(words)).toEqual(expected)
      expect(await foundersOf(client)).toHaveLength(1)
    },
  )

  it.each(['fill', 'update'] as const)(
    'fills what is empty there with %s, and a revert takes all back',
    { tags: 'slow' },
    async (duplicates) => {
      const { client } = await fellowOf(test)
      const file = csv(COLUMNS, row('Acme,,'), row('Beta,CTO,'), row(',CTO,Met in June'), row(',CTO,'))
      const ready = await prepare(client, file, { duplicates })
      const expected = [
        ['created'],
        ['updated', 'Company: Row 2 has “Acme”, not “Beta”', 'This row repeats row 2'],
        ['updated', 'This row repeats row 2'],
        ['duplicate', 'This row repeats row 2'],
      ]
      expect((await rowsOf(client, ready.id)).map(words)).toEqual(expected)
      const done = await act(client, ready.id, 'run')
      expect((await rowsOf(client, ready.id)).map(words)).toEqual(expected)
      expect(done.counts).toEqual({ ...NONE, created: 1, updated: 2, duplicate: 1, marked: 2 })
      const info = { current_company: 'Acme', current_title: 'CTO' }
      expect(await foundersOf(client)).toEqual([{ name: 'Ada Alpha', notes: 'Met in June', info }])
      await act(client, ready.id, 'revert')
      expect(await foundersOf(client)).toEqual([])
    },
  )

  it('fills in another batch than the first row, whose record is kept once a fellow has edited it', {
    tags: 'slow',
  }, async () => {
    const { client } = await fellowOf(test)
    const others = Array.from({ length: 230 }, (_, n) => `Q${(n * 7919).toString(36)}x W${n.toString(26)}v,,,,`)
    const done = await importFile(client, csv(COLUMNS, row('Acme,,'), ...others, row(',CTO,')), { duplicates: 'fill' })
    expect(done.counts).toEqual({ ...NONE, created: 231, updated: 1, marked: 1 })
    const [ada] = (await client.get('/api/founders?search=alpha')).body
    expect(ada.additionalInfo).toContain('CTO')
    await client.put(`/api/founders/${ada.id}`, { notes: 'By hand', version: ada.version })
    expect((await act(client, done.id, 'revert')).counts).toMatchObject({ reverted: 231, kept: 1 })
    expect(await foundersOf(client)).toHaveLength(1)
  })

  it.each(['before', 'after'] as const)(
    'is added anyway %s the run, as a record of its own',
    { tags: 'slow' },
    async (when) => {
      const { client } = await fellowOf(test)
      const ready = await prepare(client, REPEATED)
      if (when === 'after') await act(client, ready.id, 'run')
      expect((await client.post(`/api/imports/${ready.id}/add`, { rows: [3] })).status).toBe(202)
      if (when === 'before') {
        expect((await settled(client, ready.id)).counts).toEqual({ ...NONE, created: 2, duplicate: 1 })
        await act(client, ready.id, 'run')
      }
      const done = await settled(client, ready.id)
      expect(done.counts).toEqual({ ...NONE, created: 2, duplicate: 1 })
      expect((await rowsOf(client, ready.id)).map(words)[1]).toEqual(['created'])
      expect((await foundersOf(client)).map(({ notes }: { notes: string }) => notes)).toEqual([
        'Met in June',
        'Met in May',
      ])
      expect((await client.post(`/api/imports/${ready.id}/add`, { rows: [4] })).status).toBe(400)
      await act(client, ready.id, 'revert')
      expect(await foundersOf(client)).toEqual([])
    },
  )

  it('stays out when all rows that may be the same are added', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const ready = await prepare(client, REPEATED)
    await client.post(`/api/imports/${ready.id}/add`, { rows: 'all' })
    expect((await settled(client, ready.id)).counts).toEqual({ ...NONE, created: 1, duplicate: 2, marked: 1 })
  })

  it('is compared with the record that the first row meets', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    await makeFounder(test.db, {
      creator: account,
      name: 'Ada Alpha',
      linkedIn: `${IN}ada`,
      enrichment: { current_title: 'CEO' },
    })
    const file = csv(COLUMNS, row('Acme,,'), row('Acme,CTO,'))
    const done = await importFile(client, file, { duplicates: 'fill' })
    expect((await rowsOf(client, done.id)).map(words)).toEqual([
      ['updated'],
      ['duplicate, can be added', 'This row repeats row 2', 'Title: Row 2 has “CEO”, not “CTO”'],
    ])
  })
})

describe('A row of a person who is here', () => {
  const LINE = csv(`${COLUMNS},Rating,Source`, `Ada Alpha,${IN}ada,Beta,CTO,Met in June,3,Fair`, 'Eve Elm,,,,,,Web')

  it.each<[ImportDuplicates, string[]]>([
    [
      'skip',
      [
        'duplicate, can be added',
        'Ada Alpha already exists',
        'Company: The record has “Acme”, not “Beta”',
        'Title: The record lacks “CTO”',
        'Notes: The record lacks “Met in June”',
        'Rating: The record has “8”, not “3”',
        'The record lacks “Source: Fair”',
      ],
    ],
    [
      'fill',
      [
        'updated',
        'Company: The record has “Acme”, not “Beta”',
        'Notes: The record lacks “Met in June”',
        'Rating: The record has “8”, not “3”',
        'The record lacks “Source: Fair”',
      ],
    ],
    ['update', ['updated', 'The record lacks “Source: Fair”']],
  ])('is marked, and with %s says what the record lacks', { tags: 'slow' }, async (duplicates, expected) => {
    const { account, client } = await fellowOf(test)
    await makeFounder(test.db, {
      ...{ creator: account, name: 'Ada Alpha', linkedIn: `${IN}ada`, notes: 'Met in May', rating: 8 },
      enrichment: { current_company: 'Acme' },
    })
    const done = await importFile(client, LINE, { duplicates })
    expect(words((await rowsOf(client, done.id))[0] as never)).toEqual(expected)
    expect(done.counts.marked).toBe(1)
  })

  it.each([
    ['nothing but its name', 'Ada Alpha,,,,'],
    ['the same in another case, and a part of the notes', `ADA ALPHA,${IN}ada/,ACME,,may`],
  ])('with %s is no more than a duplicate', { tags: 'slow' }, async (_what, line) => {
    const { account, client } = await fellowOf(test)
    await makeFounder(test.db, {
      ...{ creator: account, name: 'Ada Alpha', linkedIn: `${IN}ada`, notes: 'Met in May' },
      enrichment: { current_company: 'Acme' },
    })
    const done = await importFile(client, csv(COLUMNS, line))
    expect(done.counts.marked).toBe(0)
    expect((await rowsOf(client, done.id))[0]?.canAdd).toBe(false)
  })

  it('says which stage and tags it has more', { tags: 'slow' }, async () => {
    const { account, client } = await fellowOf(test)
    await makeFounder(test.db, { creator: account, name: 'Ada Alpha', linkedIn: `${IN}ada` })
    const file = csv('Name,LinkedIn,Stage,Tags', `Ada Alpha,${IN}ada,Met,Robotics`)
    const done = await importFile(client, file, { createTags: true })
    expect(words((await rowsOf(client, done.id))[0] as never)).toEqual([
      'duplicate, can be added',
      'Ada Alpha already exists',
      'Stage: The record lacks “Met”',
      'Tags: The record lacks “Robotics”',
    ])
  })

  it('of another fellow says both that it may not be changed, and what it lacks', { tags: 'slow' }, async () => {
    await makeFounder(test.db, { name: 'Ada Alpha', linkedIn: `${IN}ada` })
    const { client } = await fellowOf(test)
    const done = await importFile(client, csv(COLUMNS, row(',CTO,')), { duplicates: 'fill' })
    expect(words((await rowsOf(client, done.id))[0] as never)).toEqual([
      'duplicate, can be added',
      'You may not change Ada Alpha',
      'Title: The record lacks “CTO”',
    ])
  })
})
