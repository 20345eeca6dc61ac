import { setImmediate } from 'node:timers/promises'
import { columnOf, isoDate, plainNumber, unescaped } from './cells.ts'
import { type FileRow, ROW_LENGTH_MAX, TOO_LONG } from './row.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { type Attributes, readXml } from './xml.ts'

/** The parts that all sheets of a workbook share. */
export type Shared = {
  texts: string[]
  /** Whether the style with this index shows dates. */
  dateStyles: boolean[]
  /** Days are counted from 1904 instead of 1900. */
  is1904: boolean
}

/** The columns of a sheet in any spreadsheet. */
const SHEET_COLUMNS = 16_384
const SHEET_ROWS = 1_048_576

/** The rows of a sheet with a value, each value as its displayed text. Formulas are not evaluated. */
export async function* readSheet(pieces: AsyncIterable<string>, shared: Shared): AsyncGenerator<FileRow> {
  let rows: FileRow[] = []
  let number = 0
  let values: string[] = []
  let length = 0
  let column = -1
  let cells = 0
  let cell: Attributes = {}
  let text = ''
  let isValue = false
  let isPhonetic = false

  const handlers = {
    open: (tag: string, attributes: Attributes) => {
      if (tag === 'row') {
        const given = Number(attributes.r)
        number = given >= 1 && given <= SHEET_ROWS ? given : number + 1
        values = []
        length = 0
        column = -1
        cells = 0
      } else if (tag === 'c') {
        cell = attributes
        column = attributes.r ? columnOf(attributes.r) : column + 1
        cells += 1
        if (cells > SHEET_COLUMNS) throw new UnreadableFile('This file is damaged. Save it again as XLSX or CSV.')
        text = ''
      } else if (tag === 'rPh') isPhonetic = true
      isValue = tag === 'v' || (tag === 't' && !isPhonetic)
    },
    text: (piece: string) => {
      if (!isValue || length > ROW_LENGTH_MAX) return
      text += piece
      length += piece.length
    },
    close: (tag: string) => {
      isValue = false
      if (tag === 'rPh') isPhonetic = false
      else if (tag === 'c' && text !== '' && column < SHEET_COLUMNS) values[column] = cellText(cell, text, shared)
      else if (tag === 'row' && values.length > 0) {
        const read = Array.from(values, (value) => value ?? '')
        rows.push(
          length > ROW_LENGTH_MAX ? { row: number, values: [], error: TOO_LONG } : { row: number, values: read },
        )
        values = []
      }
    },
  }
  for await (const _ of readXml(pieces, handlers)) {
    yield* rows
    rows = []
    await setImmediate()
  }
}

function cellText({ t: type = 'n', s: style = '0' }: Attributes, text: string, shared: Shared): string {
  if (type === 's') return shared.texts[Number(text)] ?? ''
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
  // Errors such as `#REF!` are not values.
  if (type === 'e') return ''
  if (type !== 'n') return unescaped(text)
  return shared.dateStyles[Number(style)] ? isoDate(text, shared.is1904) : plainNumber(text)
}
