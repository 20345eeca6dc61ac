import { IMPORT_COLUMNS_MAX, IMPORT_UNPACKED_MAX } from '#contract/import.ts'
import { type CellFormat, columnOf, plainNumber, unescaped } from './cells.ts'
import { isAddress, keepsText, linkOfFormula, standsForAddress } from './links.ts'
import { type FileRow, ROW_LENGTH_MAX, TOO_LONG } from './row.ts'
import { tooMuchText } from './unreadable-file.ts'
import { type Attributes, readXml } from './xml.ts'

/** The parts that all sheets of a workbook share. */
export type Shared = {
  texts: string[]
  /** How the style with this index shows numbers. */
  formats: CellFormat[]
  /** Days are counted from 1904 instead of 1900. */
  is1904: boolean
}

/** The addresses behind cells. They count below the header. */
type Links = { headerRow: number | undefined; links: Map<string, string> }

const NO_LINKS: Links = { headerRow: undefined, links: new Map() }

/** The columns and rows of a sheet in any spreadsheet. */
const SHEET_COLUMNS = 16_384
const SHEET_ROWS = 1_048_576
const FORMULA_LENGTH_MAX = 4_000

/**
 * The rows of a sheet with a value, each value as its displayed text, or the address behind it. Formulas are not
 * evaluated. The numbers of rows rise: a row whose number does not is counted on from the one before.
 */
export async function* readSheet(
  pieces: AsyncIterable<string>,
  shared: Shared,
  { headerRow, links }: Links = NO_LINKS,
): AsyncGenerator<FileRow> {
  let rows: FileRow[] = []
  let number = 0
  let values: string[] = []
  let length = 0
  let total = 0
  let column = -1
  let cell: Attributes = {}
  let text = ''
  let formula = ''
  let part: 'value' | 'formula' | undefined
  let isPhonetic = false
  let textColumns: boolean[] = []

  function endCell() {
    if (text === '' || column >= SHEET_COLUMNS) return
    const shown = cellText(cell, text, shared)
    const value = addressOf(shown) ?? shown
    length += value.length - text.length
    if (value === '' || length > ROW_LENGTH_MAX) return
    // All values beyond the last possible column are one surplus value.
    values[Math.min(column, IMPORT_COLUMNS_MAX)] = value
  }

  function addressOf(shown: string): string | undefined {
    if (headerRow === undefined || number <= headerRow || shown.trim() === '') return undefined
    if (textColumns[column] || isAddress(shown.trim())) return undefined
    if (headerRow === 0 && !standsForAddress(shown.trim())) return undefined
    return links.get(cell.r ?? '') ?? linkOfFormula(formula)
  }

  function endRow() {
    total += Math.min(length, ROW_LENGTH_MAX)
    // Shared texts can make a small file large.
    if (total > IMPORT_UNPACKED_MAX) throw tooMuchText()
    if (length > ROW_LENGTH_MAX) rows.push({ row: number, values: [], error: TOO_LONG })
    else if (values.length > 0) rows.push({ row: number, values: Array.from(values, (value) => value ?? '') })
    if (number === headerRow) textColumns = values.map(keepsText)
    values = []
  }

  const handlers = {
    open: (tag: string, attributes: Attributes) => {
      if (tag === 'row') {
        const given = Number(attributes.r)
        number = Number.isInteger(given) && given > number && given <= SHEET_ROWS ? given : number + 1
        values = []
        length = 0
        column = -1
      } else if (tag === 'c') {
        cell = attributes
        column = columnOf(attributes.r ?? '') ?? column + 1
        text = ''
        formula = ''
      } else if (tag === 'rPh') isPhonetic = true
      const isText = tag === 'v' || (tag === 't' && !isPhonetic)
      part = isText ? 'value' : tag === 'f' ? 'formula' : undefined
    },
    text: (piece: string) => {
      if (part === 'formula') formula += piece.slice(0, FORMULA_LENGTH_MAX - formula.length)
      if (part !== 'value' || length > ROW_LENGTH_MAX || values.length > IMPORT_COLUMNS_MAX) return
      text += piece
      length += piece.length
    },
    close: (tag: string) => {
      part = undefined
      if (tag === 'rPh') isPhonetic = false
      else if (tag === 'c') endCell()
      else if (tag === 'row') endRow()
    },
  }
  for await (const _ of readXml(pieces, handlers)) {
    yield* rows
    rows = []
  }
}

function cellText({ t: type = 'n', s: style = '0' }: Attributes, text: string, shared: Shared): string {
  if (type === 's') return shared.texts[Number(text)] ?? ''
  if (type === 'b') return text === '1' || text === 'true' ? 'TRUE' : 'FALSE'
  if (type === 'd') return text.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '')
  // Errors such as `#REF!` are not values.
  if (type === 'e') return ''
  if (type !== 'n') return unescaped(text)
  return (shared.formats[Number(style)] ?? plainNumber)(text, shared.is1904)
}
