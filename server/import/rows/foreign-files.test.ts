import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '#contract/import-file.ts'
import type { ImportKindName } from '#contract/import-kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { guessedOptions } from '#server/import/http/options.ts'
import { createXlsx, rowsXml } from '#server/import/read/files/test/create-xlsx.ts'
import { readAll } from '#server/import/read/files/test/read-all.ts'
import { isRefusal, type Reading } from '#server/import/target.ts'
import { noteParser } from '#server/import/targets/notes/parse-note.ts'
import { createTargets } from '#server/import/targets/targets.ts'
import { kinds } from '#server/kinds.ts'
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
  const parse = kind ? rowParser(kind, reading, { role: 'manager' }) : noteParser(reading)
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
    ['by-type.csv', 'company', { name: 0, notes: 3 }],
    ['nameless-people.csv', 'founder', { company: 0, title: 1, email: 2 }],
  ])('shows the kind of record whose names it has: %s', async (name, kind, mapping) => {
    const { options } = await read(name)
    expect([options.kind, options.mapping]).toEqual([kind, mapping])
  })
})

const SEVERAL = 'This may be several people. Split the row into one for each.'

describe('A cell with a name', () => {
  it('is marked where it has several people, and not where it has one', async () => {
    const { rows } = await read('teams.csv')
    const said = rows.map(({ values, said }) => [values[0]?.trim(), said])
    expect(said.slice(0, 7).map(([, sentences]) => sentences)).toEqual(Array(7).fill([SEVERAL]))
    expect(said.slice(7).filter(([, sentences]) => sentences?.length)).toEqual([])
  })

  it('is marked in two columns too, and so is one with several creators', async () => {
    const { rows } = await read('couples.csv')
    expect(rows.map(({ said }) => said)).toEqual([[SEVERAL], ['This may be several people'], []])
  })

  it('of a company may have such signs, and may look like an address', async () => {
    const { rows, options } = await read('firms.csv')
    expect([options.kind, rows.flatMap(({ said }) => said)]).toEqual(['company', []])
  })

  it('is marked where it is an address, a number or a heading', async () => {
    const { rows } = await read('no-names.csv')
    expect(rows.map(({ values, said }) => [values[0], said.length])).toEqual([
      ['ada@engines.example', 1],
      ['https://www.linkedin.com/in/bob', 1],
      ['42', 1],
      ['Batch of 2026:', 1],
      ['Full Name', 1],
      ['Ada Lovelace', 0],
      ['Total', 1],
    ])
  })
})

describe('A file whose text was encoded twice', () => {
  it.each<[string, ...string[][]]>([
    ['encoded-twice.csv', ['Ada', 'Café Engines', 'Met – in München'], ['Ángel', 'Äpfel & Söhne', 'it’s ✓ fine']],
    ['encoded-twice-controls.csv', ['Ángel Ínigo', '“Łódź” – Ádám'], ['Šárka Čapek', 'à la carte']],
    ['encoded-twice-cyrillic.csv', ['Иван Петров', 'Хочет узнать больше']],
    ['encoded-twice-cyrillic-1251.csv', ['Анна Кузнецова', 'Познакомились в Казани']],
    ['encoded-twice-mac.csv', ['José Núñez', 'café']],
  ])('is mended, and marked once with a decoded line: %s', async (name, ...rows) => {
    const file = await read(name)
    expect(file.dialect).toMatchObject({ encoding: 'utf-8-twice' })
    expect(file.values.slice(0, rows.length)).toEqual(rows)
    expect(file.options.doubts).toMatchObject({ encoding: rows[0]?.join(',') })
    expect(file.rows.flatMap(({ said }) => said)).toEqual([])
  })

  it.each(['encoded-twice.csv', 'encoded-twice-controls.csv', 'encoded-twice-cyrillic.csv', 'encoded-twice-mac.csv'])(
    'is mended and marked in a workbook as in a text, and read as a person chooses: %s',
    async (name) => {
      const text = await read(name)
      const { values, columns } = await read(name, { encoding: 'utf-8' })
      // Control characters are no XML.
      const cells = [columns, ...values].map((row) =>
        row.map((cell) => ({
          xml: `<c t="str"><v>${[...cell].map((one) => `&#${one.codePointAt(0)};`).join('')}</v></c>`,
        })),
      )
      const workbook = createXlsx({ sheets: { People: rowsXml(cells) } })
      const book = await readAll(workbook)
      expect([book.columns, book.values]).toEqual([text.columns, text.values])
      expect(book.dialect).toMatchObject({ encoding: 'utf-8-twice' })
      expect(book.inspection.encodingSample).toBe(text.inspection.encodingSample)
      const chosen = await readAll(workbook, { ...book.dialect, encoding: 'utf-8' } as Dialect)
      expect([chosen.columns, chosen.values]).toEqual([columns, values])
      const again = await readAll(workbook, book.dialect)
      expect(again).toEqual(book)
    },
  )

  it.each(['utf-8', 'utf-8-twice'] as const)(
    'is read as a person chooses, with its control characters: %s',
    async (encoding) => {
      const { values } = await read('encoded-twice-controls.csv', { encoding })
      expect(values[0]?.[0]).toBe(encoding === 'utf-8' ? 'Ã\u0081ngel Ã\u008dnigo' : 'Ángel Ínigo')
    },
  )

  it('is mended across the pieces in which it is read', { tags: 'slow' }, async () => {
    const file = Buffer.from(`Name,Notes\n${'Ada,x CafÃ© â€“ MÃ¼nchen yz\n'.repeat(20_000)}`)
    const { values } = await readAll(file)
    expect(values.every(([, note]) => note === 'x Café – München yz')).toBe(true)
  })

  it('is not one that only has such letters', async () => {
    const { dialect, options, values } = await read('encoded-once.csv')
    expect([dialect, options.doubts?.encoding]).toEqual([expect.objectContaining({ encoding: 'utf-8' }), undefined])
    const twice = await read('encoded-once.csv', { encoding: 'utf-8-twice' })
    expect(twice.values).toEqual(values)
  })
})

describe('A line broken inside a cell', () => {
  const rest = (row: number) => `This may be the rest of row ${row}, whose line may be broken`
  const broken = (row: number) => `The line of this row may be broken, and row ${row} may be its rest`

  it.each([
    ['broken-note.csv', { 2: [broken(3)], 3: [rest(2), broken(4)], 4: [rest(3)] }],
    ['broken-middle.csv', { 2: [broken(3)], 3: [rest(2)] }],
    ['broken-name.csv', { 2: [broken(3)], 3: [rest(2), broken(4)], 4: [rest(3)] }],
    ['broken-ragged.csv', { 4: [broken(5)], 5: [rest(4)] }],
  ])('marks both halves, and whatever else may be one: %s', async (name, expected) => {
    const { rows } = await read(name)
    const halves = rows.map(({ row, said }): [number, string[]] => [
      row,
      said
        .flatMap((sentences) => sentences.split(/(?<=broken|rest)\. /))
        .map((one) => one.replace(/^.*\. (?=The line|This may)/, ''))
        .filter((one) => one.includes('broken')),
    ])
    expect(Object.fromEntries(halves.filter(([, said]) => said.length > 0))).toEqual(expected)
  })
})

it('Rows have the numbers of the spreadsheet: header, lines above it and empty rows count, a declared separator does not', async () => {
  const { dialect, rows } = await read('rows-of-the-spreadsheet.csv')
  expect(dialect).toMatchObject({ headerRow: 4 })
  expect(rows.map(({ row, values, said }) => [row, values[0], said])).toEqual([
    [5, 'Ada', []],
    [7, '', ['Name is required']],
    [8, 'Bob', []],
  ])
})

describe('A file of a manager', () => {
  it.each([
    ['programme-notes.csv', { author: 0, date: 1, record: 2, text: 3 }],
    ['notizen.csv', { date: 0, author: 1, record: 2, text: 3 }],
    ['notas.csv', { date: 0, author: 1, record: 2, address: 3, text: 4 }],
  ])('with author, date, name and text alone has notes: %s', async (name, mapping) => {
    const { options } = await read(name)
    expect([options.kind, options.mapping, options.doubts?.kind]).toEqual(['note', mapping, undefined])
  })

  it.each(['people-with-creator.csv', 'people-with-author.csv'])('with other columns has people: %s', async (name) => {
    expect((await read(name)).options.kind).toBe('founder')
  })

  it('with a note of several authors has it marked', async () => {
    expect((await read('programme-notes.csv')).rows.map(({ said }) => said)).toEqual([
      [],
      ['This may be several people'],
    ])
  })
})
