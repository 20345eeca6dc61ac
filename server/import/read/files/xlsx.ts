import type { XlsxDialect } from '#contract/import-file.ts'
import { type CellFormat, FORMAT_LENGTH_MAX, formatOf, unescaped } from './cells.ts'
import { readLinks } from './links.ts'
import type { FileRow } from './row.ts'
import { readSheet, type Shared } from './sheet.ts'
import { tooMuchText, UnreadableFile } from './unreadable-file.ts'
import { readXml } from './xml.ts'
import { type Archive, openArchive } from './zip.ts'

type Sheet = { name: string; path: string; isHidden: boolean }

/** Shared texts are in memory while a sheet is read. */
const TEXTS_MAX = 1_000_000
const TEXT_LENGTH_MAX = 50_000_000
/** Spreadsheets have at most 65,490 styles. */
const STYLES_MAX = 65_536
const SHEETS_MAX = 1_000

export async function openWorkbook(file: Buffer) {
  const archive = await openArchive(file)
  const path = archive.names.find((name) => /^xl\/workbook\d*\.xml$/i.test(name))
  if (!path) throw otherArchive(archive.names)
  const { sheets, is1904 } = await listSheets(archive, path)
  if (sheets.length === 0) throw new UnreadableFile('This workbook has no sheet with cells')
  const shared: Shared = { texts: await sharedTexts(archive), formats: await cellFormats(archive), is1904 }
  /** With the row of the header, the addresses behind the cells below it count as their values. */
  async function* read(sheet: Sheet, headerRow?: number): AsyncGenerator<FileRow> {
    const links = headerRow === undefined ? new Map() : await readLinks(archive, sheet.path)
    yield* readSheet(archive.readText(sheet.path), shared, { headerRow, links })
  }
  return {
    /** Visible sheets first. */
    sheets: [...sheets.filter(({ isHidden }) => !isHidden), ...sheets.filter(({ isHidden }) => isHidden)],
    read,
  }
}

/** The rows of the chosen sheet, without empty ones. */
export async function* readXlsx(file: Buffer, { sheet: chosen, headerRow }: XlsxDialect) {
  const { sheets, read } = await openWorkbook(file)
  const sheet = sheets.find(({ name }) => name === chosen)
  if (!sheet) throw new UnreadableFile('This workbook has no such sheet. Choose another one.')
  for await (const row of read(sheet, headerRow)) if (row.row >= headerRow) yield row
}

function otherArchive(names: string[]): UnreadableFile {
  const has = (name: string) => names.includes(name)
  if (has('xl/workbook.bin') || (has('mimetype') && has('content.xml'))) {
    return new UnreadableFile('This kind of spreadsheet cannot be read. Save it as XLSX or CSV, and upload that.')
  }
  return new UnreadableFile('This is a ZIP archive. Unpack it, and import its files one at a time.')
}

async function listSheets(archive: Archive, path: string): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const found: { name: string; id: string; isHidden: boolean }[] = []
  let is1904 = false
  await finish(
    readXml(archive.readText(path), {
      open: (tag, attributes) => {
        if (tag === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
        if (tag !== 'sheet' || found.length >= SHEETS_MAX) return
        const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
        found.push({ name: attributes.name ?? '', id, isHidden: /hidden/i.test(attributes.state ?? '') })
      },
    }),
  )
  const targets = await sheetPaths(archive, path)
  const sheets = found.flatMap(({ name, id, isHidden }) => {
    const target = targets.get(id)
    return target === undefined ? [] : [{ name, path: target, isHidden }]
  })
  return { sheets, is1904 }
}

/** The file of each sheet with cells, by the id of its relation. */
async function sheetPaths(archive: Archive, workbook: string): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  await finish(
    readXml(archive.readText(workbook.replace(/([^/]+)$/, '_rels/$1.rels')), {
      open: (tag, { Id, Type, Target }) => {
        if (tag !== 'Relationship' || !Id || !Target || !Type?.endsWith('/worksheet')) return
        if (paths.size >= SHEETS_MAX) return
        paths.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`)
      },
    }),
  )
  return paths
}

async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let length = 0
  let isText = false
  let isPhonetic = false
  await finish(
    readXml(archive.readText(archive.names.find((name) => /^xl\/sharedStrings\.xml$/i.test(name)) ?? ''), {
      open: (tag) => {
        if (tag === 'si') text = ''
        if (tag === 'rPh') isPhonetic = true
        isText = tag === 't' && !isPhonetic
      },
      text: (piece) => {
        if (!isText) return
        text += piece
        length += piece.length
        if (length > TEXT_LENGTH_MAX) throw tooMuchText()
      },
      close: (tag) => {
        isText = false
        if (tag === 'rPh') isPhonetic = false
        if (tag === 'si' && texts.push(unescaped(text)) > TEXTS_MAX) throw tooMuchText()
      },
    }),
  )
  return texts
}

async function cellFormats(archive: Archive): Promise<CellFormat[]> {
  const codes = new Map<number, string>()
  const known = new Map<number, CellFormat>()
  const styles: CellFormat[] = []
  let isCellStyles = false
  await finish(
    readXml(archive.readText(archive.names.find((name) => /^xl\/styles\.xml$/i.test(name)) ?? ''), {
      open: (tag, attributes) => {
        const id = Number(attributes.numFmtId ?? 0)
        if (tag === 'cellXfs') isCellStyles = true
        if (tag === 'numFmt' && codes.size < STYLES_MAX) {
          codes.set(id, (attributes.formatCode ?? '').slice(0, FORMAT_LENGTH_MAX + 1))
        }
        if (tag === 'xf' && isCellStyles && styles.length < STYLES_MAX) {
          const format = known.get(id) ?? formatOf(id, codes.get(id))
          known.set(id, format)
          styles.push(format)
        }
      },
      close: (tag) => {
        if (tag === 'cellXfs') isCellStyles = false
      },
    }),
  )
  return styles
}

async function finish(steps: AsyncIterable<void>): Promise<void> {
  for await (const _ of steps);
}
