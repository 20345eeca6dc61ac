import { describe, expect, it } from 'vitest'
import { createXlsx, rowsXml } from './test/create-xlsx.ts'
import { createZip } from './test/create-zip.ts'
import { readAll, refusalOf } from './test/read-all.ts'

const sheet = rowsXml([
  ['Name', 'Notes'],
  ['Ada', 'x'],
])
const XLSX = createXlsx({ sheets: { People: sheet } })
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

describe('a file that is not a table is refused with a sentence', () => {
  it.each<[string, Buffer | string, string]>([
    ['an empty file', '', 'This file is empty'],
    ['a file of blanks', '\ufeff \n\n', 'This file is empty'],
    ['only a header', 'Name,Notes\n', 'no rows below'],
    ['only a header in a workbook', createXlsx({ sheets: { A: rowsXml([['Name']]) } }), 'no rows below'],
    ['a workbook without cells', createXlsx({ sheets: { A: '', B: '' } }), 'This workbook is empty'],
    ['a workbook without sheets', createXlsx({ sheets: {} }), 'no sheet with cells'],
    ['an old Excel file', Buffer.concat([OLE, Buffer.from('Workbook', 'utf16le')]), 'old Excel file (.xls)'],
    [
      'a protected workbook',
      Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]),
      'protected by a password',
    ],
    [
      'a protected archive',
      createZip({ 'xl/workbook.xml': { content: '<workbook/>', isEncrypted: true } }),
      'protected by a password',
    ],
    ['a PDF', '%PDF-1.7\n%âãÏÓ\n1 0 obj', 'This is a PDF'],
    ['a ZIP of CSV files', createZip({ 'a.csv': 'Name\nAda', 'b.csv': 'Name\nBob' }), 'This is a ZIP archive'],
    ['an empty ZIP', createZip({}), 'This is a ZIP archive'],
    ['an OpenDocument file', createZip({ mimetype: 'x', 'content.xml': '<x/>' }), 'Save it as XLSX'],
    ['a binary workbook', createZip({ 'xl/workbook.bin': 'x' }), 'Save it as XLSX'],
    ['a compressed file', Buffer.from('1f8b0800', 'hex'), 'compressed'],
    ['a web page named .xls', '<html><table><tr><td>Name</td></tr></table></html>', 'web page'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex'), 'cannot be read'],
    ['a workbook that is cut off', XLSX.subarray(0, XLSX.length - 300), 'damaged'],
    ['a workbook with broken parts', Buffer.from(XLSX).fill(0x5a, 200, 900), 'damaged'],
  ])('%s', async (_, file, sentence) => {
    expect(await refusalOf(file)).toContain(sentence)
  })
})

describe('a file that is too large is refused with a sentence', () => {
  it('with 10,000 columns', async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `Name ${at}`)
    expect(await refusalOf(`${names.join(',')}\nAda\n`)).toContain('10,000 columns')
  })

  it('but not with 10,000 empty columns', async () => {
    const { columns, values } = await readAll(`Name,Notes${','.repeat(10_000)}\nAda,x${','.repeat(10_000)}\n`)
    expect([columns, ...values]).toEqual([
      ['Name', 'Notes'],
      ['Ada', 'x'],
    ])
  })

  it('with 200,001 rows, but not with 200,000', { tags: 'slow' }, async () => {
    const file = `Name\n${'Ada\n'.repeat(200_000)}`
    expect((await readAll(file)).rows.length).toBe(200_000)
    expect(await refusalOf(`${file}Bob`)).toContain('more than 200,000 rows')
  })

  it('with parts that declare too large a size', async () => {
    const bomb = createXlsx({
      sheets: { A: sheet },
      more: { 'xl/sharedStrings.xml': { content: '<sst/>', declared: 300_000_001 } },
    })
    expect(await refusalOf(bomb)).toContain('larger than 300 MB when unpacked')
  })

  it('with parts that are too large together', async () => {
    const shared = { content: `<sst>${' '.repeat(2_000_000)}</sst>` }
    const more = { 'xl/sharedStrings.xml': shared, 'xl/styles.xml': { content: 'x', declared: 299_000_000 } }
    expect(await refusalOf(createXlsx({ sheets: { A: sheet }, more }))).toContain('larger than 300 MB when unpacked')
  })

  it('with a part that is larger than it declares', async () => {
    const content = `<sst><!--${' '.repeat(3_000_000)}--></sst>`
    const bomb = createXlsx({ sheets: { A: sheet }, more: { 'xl/sharedStrings.xml': { content, declared: 100 } } })
    expect(await refusalOf(bomb)).toContain('damaged')
  })

  it('with markup that never ends', async () => {
    const content = `<sst a="${'a'.repeat(20_000_000)}`
    expect(
      await refusalOf(createXlsx({ sheets: { A: sheet }, more: { 'xl/sharedStrings.xml': { content } } })),
    ).toContain('damaged')
  })

  it('with too much shared text, or too many shared texts', { tags: 'slow' }, async () => {
    const long = `<si><t>${'a'.repeat(50_000_001)}</t></si>`
    const many = '<si/>'.repeat(1_000_001)
    for (const shared of [long, many]) {
      expect(await refusalOf(createXlsx({ sheets: { A: sheet }, shared }))).toContain('too much text')
    }
  })
})

describe('a broken row is an error of that row only', () => {
  it('with 5 MB', async () => {
    const { rows, errors } = await readAll(`Name,Notes\nAda,x\nBob,${'y'.repeat(5_000_000)}\nCid,z\n`)
    expect(errors).toEqual([null, expect.stringContaining('longer than 2,000,000 characters'), null])
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4])
  })

  it('with 5 MB in a workbook', { tags: 'slow' }, async () => {
    const file = createXlsx({ sheets: { A: rowsXml([['Name'], ['y'.repeat(5_000_000)], ['Cid']]) } })
    expect((await readAll(file)).errors).toEqual(['This row is longer than 2,000,000 characters', null])
  })

  it('with a quotation mark that is never closed', async () => {
    const { rows, errors } = await readAll('Name,Notes\nAda,"x\nBob,y\n"Cid",z\n"Dee,\nEve,1\n')
    expect(errors).toEqual(['A quotation mark in this row is never closed', null, null, errors[0], null])
    expect(rows.map(({ row, values }) => [row, values[0]])).toEqual([
      [2, 'Ada'],
      [3, 'Bob'],
      [4, 'Cid'],
      [5, '"Dee,'],
      [6, 'Eve'],
    ])
  })

  it('with separators other than those above', async () => {
    const { errors, values } = await readAll('Name,Notes,Rating\nAda,x,7\nBob;y;8\n"Cid";"z";9\nDee,w,5\n')
    const error = 'This row has 1 value, but the file has 3 columns'
    expect(errors).toEqual([null, error, `${error}. A quotation mark in this row closes before other text`, null])
    expect(values[1]).toEqual(['Bob;y;8', '', ''])
  })

  it('with more values than columns', async () => {
    const { errors } = await readAll('Name,Notes\nAda,x\nBob,y,z\nCid,w,,\n')
    expect(errors).toEqual([null, 'This row has 3 values, but the file has 2 columns', null])
  })

  it('with NUL', async () => {
    const { errors, values } = await readAll('Name,Notes\nAda,x\nBob,a\0b\nCid and more of them to have a share,z\n')
    expect(errors).toEqual([null, 'Notes contains invalid characters', null])
    expect(values[1]).toEqual(['Bob', 'a\ufffdb'])
  })

  it('with broken UTF-8', async () => {
    const file = Buffer.concat([Buffer.from('Name,Notes\nZoë,á\nBob,a'), Buffer.of(0xff), Buffer.from('b\nCid,é\n')])
    const { errors, dialect } = await readAll(file)
    expect(dialect).toMatchObject({ encoding: 'utf-8' })
    expect(errors).toEqual([null, 'This row has characters that the chosen encoding does not have', null])
  })

  it('with a lone surrogate of UTF-16', async () => {
    const { errors } = await readAll(Buffer.from('\ufeffName,Notes\nAda,x\nBob,\ud83d\nCid,😀', 'utf16le'))
    expect(errors).toEqual([null, expect.stringContaining('characters'), null])
  })

  it('with a lone surrogate in a workbook and in JSON', async () => {
    const file = createXlsx({
      sheets: {
        A: rowsXml([
          ['Name', 'Notes'],
          ['Ada', '_xD83D_'],
          ['Bob', '_x0000_'],
        ]),
      },
    })
    const error = 'Notes contains invalid characters'
    expect((await readAll(file)).errors).toEqual([error, error])
    const json = await readAll('{"name":"Ada","notes":"\\ud83d"}\n{"name":"Bob"}')
    expect(json.errors).toEqual(['notes contains invalid characters', null])
    expect(json.values.flat().every((value) => value.isWellFormed())).toBe(true)
  })

  it('also in a file without a line break', async () => {
    expect(await refusalOf(`Name,Notes${'x'.repeat(4_000_000)}`)).toContain('Row 1 cannot be read')
  })
})

describe('a file is read by its content', () => {
  it('as a CSV file named .xlsx, and an XLSX file named .csv', async () => {
    expect((await readAll('Name,Notes\nAda,x\n')).dialect.format).toBe('csv')
    expect((await readAll(XLSX)).dialect.format).toBe('xlsx')
  })

  it('as a workbook with 250,000 empty rows', { tags: 'slow' }, async () => {
    const empty = Array.from({ length: 250_000 }, (_, at) => `<row r="${at + 3}" spans="1:2"/>`).join('')
    const { rows } = await readAll(createXlsx({ sheets: { A: `${sheet}${empty}` } }))
    expect(rows).toEqual([{ row: 2, values: ['Ada', 'x'] }])
  })

  it('as a workbook with cells in columns that no spreadsheet has', async () => {
    const cells =
      '<row r="1"><c r="A1" t="str"><v>Name</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="ZZZZZZ2"><v>9</v></c></row>'
    expect((await readAll(createXlsx({ sheets: { A: cells } }))).values).toEqual([['1']])
  })

  it('as a workbook with a document type that multiplies its entities', async () => {
    const content = `<!DOCTYPE sst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>`
    const cells = '<row><c t="str"><v>Name</v></c></row><row><c t="s"><v>0</v></c></row>'
    const file = createXlsx({ sheets: { A: cells }, more: { 'xl/sharedStrings.xml': content } })
    expect((await readAll(file)).values).toEqual([['&b;']])
  })
})

describe('time grows with the bytes of a file alone', () => {
  /** Milliseconds for a file that takes seconds where time grows with the square of its size. */
  const timeOf = async (file: Buffer) => {
    const began = performance.now()
    const sentence = await refusalOf(file)
    return { sentence, ms: performance.now() - began }
  }
  const bad = (more: Parameters<typeof createXlsx>[0]['more'], cells = sheet) =>
    createXlsx({ sheets: { A: cells }, ...(more && { more }) })

  it.each<[string, Buffer, string]>([
    [
      'a number format of 60,000 brackets',
      createXlsx({
        sheets: { A: sheet },
        styles: `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(20)}</cellXfs>`,
      }),
      'The file was read',
    ],
    [
      '200,000 nested tags',
      bad({ 'xl/sharedStrings.xml': `<sst>${'<a>'.repeat(200_000)}` }),
      'This file could not be read',
    ],
    [
      '2 million nested tags below 300 rows',
      bad({}, rowsXml(Array.from({ length: 300 }, (_, at) => [`Name ${at}`])) + '<a>'.repeat(2_000_000)),
      'This file could not be read',
    ],
    [
      '300,000 cells in a row',
      bad(
        {},
        `<row><c t="str"><v>Name</v></c><c t="str"><v>Notes</v></c></row><row>${'<c><v>1</v></c>'.repeat(300_000)}</row>`,
      ),
      'The file was read',
    ],
  ])('with %s', async (_, file, wanted) => {
    const { sentence, ms } = await timeOf(file)
    expect(sentence).toBe(wanted)
    expect(ms).toBeLessThan(15_000)
  })

  it('and so does memory: a text that a workbook repeats counts each time', async () => {
    const shared = `<si><t>${'a'.repeat(1_900_000)}</t></si>`
    const cells = `<row><c t="str"><v>Name</v></c></row>${'<row><c t="s"><v>0</v></c></row>'.repeat(1_000)}`
    expect(await refusalOf(createXlsx({ sheets: { A: cells }, shared }))).toContain('Save this sheet as CSV')
  })
})

describe('the rows of a sheet', () => {
  it('have whole, rising numbers, and none is lost', async () => {
    const numbers = ['1', '4', '2', '2.5', '-1', 'x', '9', '9']
    const cells = numbers.map((r, at) => `<row r="${r}"><c t="str"><v>${at === 0 ? 'Name' : `P${at}`}</v></c></row>`)
    const { rows } = await readAll(createXlsx({ sheets: { A: cells.join('') } }))
    expect(rows.map(({ row, values }) => [row, ...values])).toEqual([
      [4, 'P1'],
      [5, 'P2'],
      [6, 'P3'],
      [7, 'P4'],
      [8, 'P5'],
      [9, 'P6'],
      [10, 'P7'],
    ])
  })
})
