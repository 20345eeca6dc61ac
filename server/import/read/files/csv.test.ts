import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '#contract/import-file.ts'
import { csvLine } from '#server/export/csv.ts'
import { readAll } from './test/read-all.ts'

const people = [
  ['Name', 'LinkedIn', 'Notes'],
  ['José Núñez', 'https://www.linkedin.com/in/jose', 'Met in München – 5 €'],
  ['Zoë', '', 'Calls back'],
]
const lines = (separator: string, end = '\n') => people.map((row) => row.join(separator)).join(end)
const csv = (parts: Partial<Extract<Dialect, { format: 'csv' }>> = {}): Dialect => ({
  format: 'csv',
  encoding: 'utf-8',
  separator: ',',
  headerRow: 1,
  ...parts,
})

/** Windows-1252 of the characters that occur here. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll('–', '\x96').replaceAll('€', '\x80'), 'latin1')
const swapped = (utf16: Buffer) => Buffer.from(utf16).swap16()

describe('a CSV file', () => {
  it.each([
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\r'],
  ])('is read with the separator %j and lines that end in %j', async (separator, end) => {
    const { columns, values, dialect } = await readAll(lines(separator, end))
    expect([columns, ...values]).toEqual(people)
    expect(dialect).toMatchObject({ separator, headerRow: 1 })
  })

  it('may have mixed line endings', async () => {
    const { values, rows } = await readAll('Name,Notes\r\nAda,one\nBob,two\rCid,three\r\n\r\nDee,four')
    expect(values.map(([name]) => name)).toEqual(['Ada', 'Bob', 'Cid', 'Dee'])
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4, 6])
  })

  it.each<[string, Buffer]>([
    ['utf-8', Buffer.from(lines(','))],
    ['utf-8', Buffer.from(`\ufeff${lines(',')}`)],
    ['utf-16le', Buffer.from(`\ufeff${lines(',')}`, 'utf16le')],
    ['utf-16le', Buffer.from(lines(','), 'utf16le')],
    ['utf-16be', swapped(Buffer.from(`\ufeff${lines(',')}`, 'utf16le'))],
    ['utf-16be', swapped(Buffer.from(lines(','), 'utf16le'))],
    ['windows-1252', windows1252(lines(','))],
  ])('is read in %s, with and without a byte order mark', async (encoding, file) => {
    const { columns, values, dialect } = await readAll(file)
    expect(dialect).toMatchObject({ encoding })
    expect([columns, ...values]).toEqual(people)
  })

  it('is read in the encoding that a person chooses', async () => {
    const { values } = await readAll(
      Buffer.from('Name,Notes\nAda,\xa3\xf3d\x9f', 'latin1'),
      csv({ encoding: 'windows-1250' }),
    )
    expect(values).toEqual([['Ada', 'Łódź']])
  })

  it('keeps line breaks, separators and quotation marks inside quoted values, and counts rows as a spreadsheet does', async () => {
    const { rows } = await readAll('Name,Notes\n"Ada, Countess","first\r\nsecond ""line"""\nBob,x\n')
    expect(rows).toEqual([
      { row: 2, values: ['Ada, Countess', 'first\r\nsecond "line"'] },
      { row: 3, values: ['Bob', 'x'] },
    ])
  })

  it('keeps quotation marks in the middle of a value', async () => {
    expect((await readAll('Name,Notes\nJim "Bo" Lee,"quoted" tail\n')).values).toEqual([
      ['Jim "Bo" Lee', 'quoted tail'],
    ])
  })

  it('skips the lines above its header', async () => {
    const file =
      'Notes:\n"When exporting your connection data, you may notice, that some\nemail addresses are missing."\n\n' +
      'First Name,Last Name,URL\nAda,Lovelace,https://www.linkedin.com/in/ada\n'
    const { columns, rows, dialect } = await readAll(file)
    expect(dialect).toMatchObject({ headerRow: 4 })
    expect(columns).toEqual(['First Name', 'Last Name', 'URL'])
    expect(rows).toEqual([{ row: 5, values: ['Ada', 'Lovelace', 'https://www.linkedin.com/in/ada'] }])
  })

  it('is read without the lines that repeat its header', async () => {
    const { rows } = await readAll('Name,City\nName,City\nAda,Bonn\nName,City\nBob,Ulm\n')
    expect(rows.map(({ row, values }) => [row, values[0]])).toEqual([
      [3, 'Ada'],
      [5, 'Bob'],
    ])
  })

  it('may have a space after its separators, also before a quotation mark', async () => {
    const { values, rows } = await readAll('Name, Notes, City\nAda, "x, y", Bonn\n"Bob" , "z" , Ulm\n')
    expect(values.map((row) => row.map((value) => value.trim()))).toEqual([
      ['Ada', 'x, y', 'Bonn'],
      ['Bob', 'z', 'Ulm'],
    ])
    expect(rows.every(({ error, marks }) => error === undefined && marks === undefined)).toBe(true)
  })

  it('may have vertical lines as separators, and declare them', async () => {
    const { values, dialect } = await readAll('sep=|\nName|Notes\nAda|a, b; c\n')
    expect(dialect).toMatchObject({ separator: '|', headerRow: 1 })
    expect(values).toEqual([['Ada', 'a, b; c']])
  })

  it('has its header found below lines with values of their own', async () => {
    const { columns } = await readAll('Erstellt von;Tom\n\nFirma;Ort;Umsatz\nAcme;Bonn;1,5\nBeta;;2,5\nCeta;Ulm;\n')
    expect(columns).toEqual(['Firma', 'Ort', 'Umsatz'])
  })

  it('has its header found above rows with values that are also names of columns', async () => {
    const { columns } = await readAll('Wer;Rolle;Wo;Was\nAda;Founder;Bonn;Company\nBob;Title;Ulm;x\n')
    expect(columns).toEqual(['Wer', 'Rolle', 'Wo', 'Was'])
  })

  it('has its header found without known names of columns', async () => {
    const { columns } = await readAll('Bericht;;\n;;\nFirma;Ort;Umsatz\nAcme;Bonn;1,5\nBeta;Köln;2,5\n')
    expect(columns).toEqual(['Firma', 'Ort', 'Umsatz'])
  })

  it('may declare its separator in the way of spreadsheets', async () => {
    const { columns, values, dialect } = await readAll('sep=;\r\nName;Notes\r\nAda;a, b, c\r\n')
    expect(dialect).toMatchObject({ separator: ';', headerRow: 1 })
    expect([columns, ...values]).toEqual([
      ['Name', 'Notes'],
      ['Ada', 'a, b, c'],
    ])
  })

  it('with semicolons may have commas in its numbers', async () => {
    const { values } = await readAll('Name;Rating;Share\nAda;7,5;1,25\nBob;8,0;2,50\n')
    expect(values).toEqual([
      ['Ada', '7,5', '1,25'],
      ['Bob', '8,0', '2,50'],
    ])
  })

  it('may have one column', async () => {
    const { columns, values } = await readAll('Name\nAda\nBob\n')
    expect([columns, ...values]).toEqual([['Name'], ['Ada'], ['Bob']])
  })

  it('names columns without a name, and leaves out empty rows', async () => {
    const { columns, rows } = await readAll('Name,,Notes,\nAda,1,x,y\n,,,\n\nBob,2,,\n')
    expect(columns).toEqual(['Name', 'Column 2', 'Notes', 'Column 4'])
    expect(rows.map(({ row }) => row)).toEqual([2, 5])
  })

  it('may leave out separators at the end of a row', async () => {
    const { rows } = await readAll('Name,LinkedIn,Notes\nAda\nBob,https://b.example\n')
    expect(rows).toEqual([
      { row: 2, values: ['Ada', '', ''] },
      { row: 3, values: ['Bob', 'https://b.example', ''] },
    ])
  })

  it('is read without the apostrophe that the export writes before a formula, and with any other', async () => {
    const { values } = await readAll("Name,Notes\n'=1+1,'-5\n'+1,'@a\n''tis,'tis\n'＝1,'＋1\n'－1,'＠a\n")
    expect(values.flat()).toEqual(['=1+1', '-5', '+1', '@a', "'tis", "'tis", '＝1', '＋1', '－1', '＠a'])
  })
})

describe('an exported file', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', ';', '\t', 'a', '\ufeff', '\ufffd') }),
    )
    .filter((value) => !value.includes('\0') && value.isWellFormed())

  it('is read back unchanged', { tags: 'slow' }, async () => {
    const row = fc.tuple(fc.constantFrom('Ada', "'=", '=1'), text, text, text)
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const file = `\ufeff${csvLine(['name', 'linkedIn', 'notes', 'rating'])}${rows.map(csvLine).join('')}`
        const { values, errors } = await readAll(file)
        expect(errors.filter(Boolean)).toEqual([])
        expect(values).toEqual(rows)
      }),
      { numRuns: 300 },
    )
  })
})
