import { createZip, type ZipPart } from './create-zip.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Rows as XML: inline texts, numbers, and cells given as XML. */
export const rowsXml = (rows: (string | number | { xml: string } | null)[][]) =>
  rows
    .map((cells, at) => {
      const xml = cells.map((cell, column) => {
        const r = `${String.fromCharCode(65 + column)}${at + 1}`
        if (cell === null) return ''
        if (typeof cell === 'number') return `<c r="${r}"><v>${cell}</v></c>`
        if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${r}"`)
        return `<c r="${r}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
      })
      return `<row r="${at + 1}">${xml.join('')}</row>`
    })
    .join('')

type Workbook = {
  /** The XML inside `sheetData` by the name of the sheet. */
  sheets: Record<string, string>
  shared?: string
  styles?: string
  workbookPr?: string
  more?: Record<string, ZipPart | string>
}

/** A workbook with the same parts as one of a spreadsheet. */
export function createXlsx({ sheets, shared = '', styles = '', workbookPr = '', more = {} }: Workbook): Buffer {
  const names = Object.keys(sheets)
  const parts = Object.fromEntries(
    Object.values(sheets).map((xml, at) => [
      `xl/worksheets/sheet${at + 1}.xml`,
      `<?xml version="1.0"?><worksheet><sheetData>${xml}</sheetData></worksheet>`,
    ]),
  )
  return createZip({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook>${workbookPr}<sheets>${names
      .map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map(
        (_, at) =>
          `<Relationship Id="rId${at + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...parts,
    ...more,
  })
}
