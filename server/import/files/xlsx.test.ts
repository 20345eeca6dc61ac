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
      ['2024-03-05', '2024-03-05T14:30:00Z'],
      ['1900-02-28', '1900-03-01'],
      ['1.5', '0.3'],
      ['123456789012000000000', '0.00000015'],
      ['4915112345678', '-7'],
    ])
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
