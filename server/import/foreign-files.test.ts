import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '#contract/import-file.ts'
import type { ImportKindName } from '#contract/import-kinds.ts'
import type { Account } from '#server/auth/session.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { kinds } from '#server/kinds.ts'
import { readAll } from './files/test/read-all.ts'
import { noteParser } from './notes/parse-note.ts'
import { guessedOptions } from './options.ts'
import { isRefusal, type Reading } from './target.ts'
import { createTargets } from './targets.ts'
import { rowParser } from './values.ts'

// Files as people and programs write them, read with what is guessed. Nothing is imported.

const targets = createTargets(kinds)
const manager = { role: 'manager' } as Account

async function read(name: string, change: Partial<Extract<Dialect, { format: 'csv' }>> = {}) {
  const content = readFileSync(new URL(`./fixtures/${name}`, import.meta.url))
  const guessed = await readAll(content)
  const file =
    Object.keys(change).length > 0 ? await readAll(content, { ...guessed.dialect, ...change } as Dialect) : guessed
  const options = guessedOptions(targets, file, name, manager)
  const reading = { ...file, ...options, cells: 'leave-out', dates: null, choices: null } as unknown as Reading
  const kind = kinds.find((one) => one.name === options.kind) as EnrichedKind | undefined
  const parse = kind ? rowParser(kind, reading, { isManager: true }) : noteParser(reading)
  const rows = file.rows.map(({ row, values, error, marks = [] }) => {
    const parsed = parse(values)
    const left = parsed.faults.map(({ sentence }) => sentence)
    const said = error === undefined ? [...marks, ...left] : [error]
    return { row, values, said, parsed: error !== undefined || isRefusal(parsed) ? undefined : parsed }
  })
  return { ...file, options, rows }
}

type Read = Awaited<ReturnType<typeof read>>

/** The name, values and lines of each row that can be imported. */
const recordsIn = ({ rows }: Read) =>
  rows.flatMap(({ parsed }) =>
    parsed && 'fields' in parsed
      ? [{ ...parsed.fields, ...parsed.facts, lines: parsed.lines.map(({ text }) => text) }]
      : [],
  )

const headerRowOf = ({ dialect }: Read) => (dialect.format === 'jsonl' ? undefined : dialect.headerRow)

describe('A file without a header', () => {
  it.each([
    ['no-header-people.csv', 'addresses and numbers', 4],
    ['no-header-contacts.csv', 'addresses of mail', 3],
    ['no-header-dates.tsv', 'dates', 3],
    ['no-header-cities.csv', 'values that occur again below', 2],
  ])('is recognised, and a person is asked: %s, by %s', async (name, _, width) => {
    const file = await read(name)
    expect([headerRowOf(file), file.options.doubts?.dialect]).toEqual([0, true])
    expect(file.columns).toEqual(['Column 1', 'Column 2', 'Column 3', 'Column 4'].slice(0, width))
    expect(file.rows[0]).toMatchObject({ row: 1, values: expect.arrayContaining(['Ada Lovelace']) })
  })

  it('can be told so, where its words could be names of columns', async () => {
    expect(await read('no-header-words.csv')).toMatchObject({
      dialect: { headerRow: 1 },
      columns: ['Ada Lovelace', 'Engines'],
      options: { doubts: { dialect: true } },
    })
    const { columns, rows, inspection } = await read('no-header-words.csv', { headerRow: 0 })
    expect([columns, inspection.rows]).toEqual([['Column 1', 'Column 2'], 3])
    expect(rows.map(({ row, values }) => [row, values[0]])).toEqual([
      [1, 'Ada Lovelace'],
      [2, 'Bob Stone'],
      [3, 'Cid Cole'],
    ])
  })
})

describe('The header of a file', () => {
  it.each([
    ['pandas-index.csv', ['Column 1', 'Name', 'LinkedIn', 'Notes'], { 0: 'drop' }],
    ['r-index.csv', ['Column 1', 'wer', 'wo', 'was'], { 0: 'drop', 1: 'notes', 2: 'notes', 3: 'notes' }],
    ['unnamed-middle.csv', ['Wer', 'Column 2', 'Wo'], { 0: 'notes', 1: 'notes', 2: 'notes' }],
  ])('may have an empty cell, and an index is not kept: %s', async (name, columns, rest) => {
    const file = await read(name)
    expect([headerRowOf(file), file.columns, file.options.rest, file.rows.length]).toEqual([1, columns, rest, 3])
  })

  it.each([
    ['comma-headers.csv', ['FullName', 'Email', 'City', 'Rating'], { name: 0, email: 1, rating: 3 }, 'City: Bonn'],
    ['colon-headers.tsv', ['Name', 'Company', 'How we met'], { name: 0, company: 1 }, 'How we met: At the fair'],
  ])('loses the marks behind its names: %s', async (name, columns, mapping, line) => {
    const file = await read(name)
    expect([file.columns, file.options.mapping, file.options.doubts?.mapping]).toEqual([columns, mapping, undefined])
    expect(recordsIn(file)[0]?.lines).toEqual([line])
  })

  it('and its rows have the text that entities stand for', async () => {
    const file = await read('web-entities.csv')
    expect(file.columns).toEqual(['Name', 'Company', 'Q&A'])
    expect(recordsIn(file)).toEqual([
      { name: "Ada O'Brien", current_company: 'Johnson & Johnson', lines: ['Q&A: R&D, 5 < 6\u00a0€'] },
      { name: 'Bob Stone', current_company: 'AT&T', lines: ['Company: AT&T; Stone &copy', 'Q&A: none &unknown; left'] },
    ])
  })

  it.each<[string, ImportKindName, object]>([
    ['organizations-by-type.csv', 'company', { name: 0, notes: 3 }],
    ['nameless-people.csv', 'founder', { company: 0, title: 1, email: 2 }],
  ])('shows the kind of record whose names it has: %s', async (name, kind, mapping) => {
    const { options } = await read(name)
    expect([options.kind, options.mapping]).toEqual([kind, mapping])
  })
})
