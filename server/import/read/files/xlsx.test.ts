import { describe, expect, it } from 'vitest'
import type { Dialect } from '#contract/import-file.ts'
import { createXlsx, rowsXml } from './test/create-xlsx.ts'
import { readAll, refusalOf } from './test/read-all.ts'

const workbook = (rows: Parameters<typeof rowsXml>[0], more: Partial<Parameters<typeof createXlsx>[0]> = {}) =>
  createXlsx({ sheets: { People: rowsXml(rows) }, ...more })

describe('an XLSX file', () => {
  it('is read with the rows of its sheet', async () => {
    const { columns, rows } = await readAll(
      workbook([['Name', 'Notes'], ['Zoë & Co', 'a\nb'], [], ['Bob', null, 'more']]),
    )
    expect(columns).toEqual(['Name', 'Notes', 'Column 3'])
    expect(rows).toEqual([
      { row: 2, values: ['Zoë & Co', 'a\nb', ''] },
      { row: 4, values: ['Bob', '', 'more'] },
    ])
  })

  it('has shared and formatted texts', async () => {
    const shared =
      '<si><t>Name</t></si><si><r><t>Ada </t></r><r><rPr><b/></rPr><t xml:space="preserve">King</t></r>' +
      '<rPh sb="0" eb="1"><t>kana</t></rPh></si><si><t>a_x000D_b &#128512;</t></si>'
    const cell = (at: number) => ({ xml: `<c t="s"><v>${at}</v></c>` })
    const { values } = await readAll(
      workbook(
        [
          [cell(0), 'Notes'],
          [cell(1), cell(2)],
        ],
        { shared },
      ),
    )
    expect(values).toEqual([['Ada King', 'a\rb 😀']])
  })

  it('has dates as ISO and numbers without an exponent', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>'
    const cell = (style: number, value: string) => ({ xml: `<c s="${style}"><v>${value}</v></c>` })
    const { values } = await readAll(
      workbook(
        [
          ['Name', 'Created at'],
          [cell(1, '45356'), cell(2, '45356.604166666664')],
          [cell(1, '59'), cell(1, '61')],
          [cell(3, '1.5'), cell(0, '0.30000000000000004')],
          [cell(0, '1.23456789012E+20'), cell(0, '1.5E-7')],
          [cell(0, '4915112345678'), cell(0, '-7')],
        ],
        { styles },
      ),
    )
    expect(values).toEqual([
      ['2024-03-05', '2024-03-05 14:30'],
      ['1900-02-28', '1900-03-01'],
      ['1.5', '0.3'],
      ['123456789012000000000', '0.00000015'],
      ['4915112345678', '-7'],
    ])
  })

  it.each([
    ['0%', '0.7', '70%'],
    ['0.0%', '0.125', '12.5%'],
    ['0.00', '8', '8.00'],
    ['0.0_ ;[Red]\\-0.0\\ ', '-7.46', '-7.5'],
    ['0', '7.6', '8'],
    ['00000', '1234', '01234'],
    ['000.0', '7.25', '007.3'],
    ['h:mm', '0.6041666667', '14:30'],
    ['hh:mm:ss', '0.6041666667', '14:30:00'],
    ['h:mm AM/PM', '0.6041666667', '2:30 PM'],
    ['[h]:mm', '1.25', '30:00'],
    ['mm:ss', '0.0010416667', '01:30'],
    ['yyyy', '45356', '2024'],
    ['d mmm yyyy', '45356.9', '2024-03-05'],
    ['dd.mm.yy hh:mm:ss', '45356', '2024-03-05 00:00:00'],
    ['d/m/yyyy h:mm AM/PM', '45356.604166666664', '2024-03-05 2:30 PM'],
    ['"TRUE";"TRUE";"FALSE"', '1', 'TRUE'],
    ['"TRUE";"TRUE";"FALSE"', '0', 'FALSE'],
    ['#,##0.00', '1234.5', '1234.5'],
    ['[$€-407] #,##0', '12', '12'],
    ['0.00E+00', '120', '120'],
    ['# ?/?', '0.5', '0.5'],
    ['0.00', 'x', 'x'],
  ])('shows a number in the format %s as the spreadsheet does: %s as %s', async (format, stored, shown) => {
    const code = format.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>`
    const cell = { xml: `<c s="0"><v>${stored}</v></c>` }
    const { values } = await readAll(
      workbook(
        [
          ['Name', 'City'],
          ['Ada', cell],
        ],
        { styles },
      ),
    )
    expect(values).toEqual([['Ada', shown]])
  })

  it.each([
    [9, '0.7', '70%'],
    [2, '8', '8.00'],
    [1, '8', '8'],
    [20, '0.5', '12:00'],
    [22, '45356.5', '2024-03-05 12:00'],
    [45, '0.0010416667', '01:30'],
    [46, '1.5', '36:00:00'],
    [14, '45356', '2024-03-05'],
    [3, '12000', '12000'],
    [49, '7', '7'],
  ])('shows a number in the built-in format %i as the spreadsheet does: %s as %s', async (id, stored, shown) => {
    const cell = { xml: `<c s="0"><v>${stored}</v></c>` }
    const rows = [
      ['Name', 'City'],
      ['Ada', cell],
    ]
    const { values } = await readAll(workbook(rows, { styles: `<cellXfs><xf numFmtId="${id}"/></cellXfs>` }))
    expect(values).toEqual([['Ada', shown]])
  })

  it('shows booleans as words, and dates that are stored as ISO without a midnight', async () => {
    const cells = ['<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>', '<c t="d"><v>2024-03-05T00:00:00</v></c>']
    const { values } = await readAll(
      workbook([
        ['Name', 'A', 'B', 'C'],
        ['Ada', ...cells.map((xml) => ({ xml }))],
      ]),
    )
    expect(values).toEqual([['Ada', 'TRUE', 'FALSE', '2024-03-05']])
  })

  it('may count dates from 1904', async () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
    const date = { xml: '<c s="0"><v>43894</v></c>' }
    const file = workbook(
      [
        ['Name', 'Created'],
        ['Ada', date],
      ],
      { styles, workbookPr: '<workbookPr date1904="1"/>' },
    )
    expect((await readAll(file)).values).toEqual([['Ada', '2024-03-05']])
  })

  it('yields the stored value of a formula, which is never evaluated, and no value for an error', async () => {
    const rows = [
      ['Name', 'Notes', 'Rating', 'Done'],
      [
        { xml: '<c t="str"><f>HYPERLINK("https://x.example","Ada")</f><v>Ada</v></c>' },
        '=1+1',
        { xml: '<c><f>3+4</f><v>7</v></c>' },
        { xml: '<c t="b"><v>1</v></c>' },
      ],
      ['Bob', { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' }, { xml: '<c><f>NOW()</f></c>' }, null],
    ]
    expect((await readAll(workbook(rows))).values).toEqual([
      ['Ada', '=1+1', '7', 'TRUE'],
      ['Bob', '', '', ''],
    ])
  })

  it('lists its sheets, and starts with the first that has rows', async () => {
    const file = createXlsx({
      sheets: { 'Read me': '', 'A & B': rowsXml([['Title'], [], ['Name', 'Notes'], ['Ada', 'x']]) },
    })
    const { dialect, columns } = await readAll(file)
    expect(dialect).toEqual({ format: 'xlsx', sheet: 'A & B', sheets: ['Read me', 'A & B'], headerRow: 3 })
    expect(columns).toEqual(['Name', 'Notes'])
  })

  it('is read with the sheet and header that a person chooses', async () => {
    const file = createXlsx({ sheets: { One: rowsXml([['Name'], ['Ada']]), Two: rowsXml([['x'], ['Name'], ['Bob']]) } })
    const dialect: Dialect = { format: 'xlsx', sheet: 'Two', sheets: ['One', 'Two'], headerRow: 2 }
    expect((await readAll(file, dialect)).values).toEqual([['Bob']])
    expect(await refusalOf(file, { ...dialect, headerRow: 9 })).toContain('Row 9 is empty')
    expect(await refusalOf(file, { ...dialect, sheet: 'Three' })).toContain('no such sheet')
  })
})

describe('the address behind the text of a cell', () => {
  const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
  const linked = (rows: Parameters<typeof rowsXml>[0], links: Record<string, string>) => {
    const cells = Object.entries(links)
    const relations = cells.map(([, address], at) => `<Relationship Id="r${at}" Type="${REL}" Target="${address}"/>`)
    const tags = cells.map(([cell], at) => `<hyperlink ref="${cell}" r:id="r${at}"/>`)
    return createXlsx({
      sheets: { A: '' },
      more: {
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rowsXml(rows)}</sheetData><hyperlinks>${tags.join('')}</hyperlinks></worksheet>`,
        'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
      },
    })
  }

  it('is its value where the text is no address, except in columns of names and the like', async () => {
    const file = linked(
      [
        ['Name', 'LinkedIn', 'Deck'],
        ['Ada Lovelace', 'Profile', 'Slides'],
        ['Bob', 'linkedin.com/in/bob', 'none'],
      ],
      {
        A2: 'https://ada.example',
        B2: 'https://linkedin.com/in/ada',
        C2: 'https://deck.example/1',
        B3: 'https://elsewhere.example',
        C1: 'https://header.example',
        C3: 'mailto:bob@x.example',
      },
    )
    const { columns, values } = await readAll(file)
    expect([columns, ...values]).toEqual([
      ['Name', 'LinkedIn', 'Deck'],
      ['Ada Lovelace', 'https://linkedin.com/in/ada', 'https://deck.example/1'],
      ['Bob', 'linkedin.com/in/bob', 'none'],
    ])
  })

  it('is also that of a formula whose text is stored', async () => {
    const cell = (f: string, v: string) => ({ xml: `<c t="str"><f>${f}</f><v>${v}</v></c>` })
    const rows = rowsXml([
      ['Name', 'Website'],
      ['Acme', cell('HYPERLINK("https://acme.example/a","Website")', 'Website')],
      ['Bolt', cell('HYPERLINK("https://bolt.example")', '')],
      ['Coil', cell('CONCAT("https://coil.example")', 'Website')],
    ])
    const { values } = await readAll(createXlsx({ sheets: { A: rows } }))
    expect(values.map(([, website]) => website)).toEqual(['https://acme.example/a', '', 'Website'])
  })
})
