import { isDeepStrictEqual } from 'node:util'
import { type CsvDialect, type Dialect, importSeparators } from '#contract/import-file.ts'
import { isKnownColumn } from '#server/import/read/columns/mapping.ts'
import { isMarkedReason } from './columns.ts'
import { csvSample, DECLARED } from './csv.ts'
import { parseRecord } from './jsonl.ts'
import { type FileRow, isBlank } from './row.ts'
import { guessEncoding, textSample } from './text.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { openWorkbook } from './xlsx.ts'

/** The number of rows that a guess reads. */
const SAMPLE_ROWS = 100

/** A guess is certain if nothing speaks for another one. */
export type Guess = { dialect: Dialect; isCertain: boolean }

/** Guesses how to read a file, from its content and not from its name. */
export async function guessDialect(file: Buffer): Promise<Guess> {
  if (file.length === 0) throw new UnreadableFile('This file is empty')
  if (file.subarray(0, 4).equals(Buffer.from('PK\x03\x04')) || file.subarray(0, 4).equals(Buffer.from('PK\x05\x06'))) {
    return guessSheet(file)
  }
  refuseOtherFormats(file)
  const { encoding, isCertain } = await guessEncoding(file)
  const sample = textSample(file, encoding)
  if (sample.trim() === '') throw new UnreadableFile('This file is empty')
  const controls = sample.match(/[^\P{Cc}\t\v\f\r\n]/gu)?.length ?? 0
  if (controls > sample.length / 20) throw new UnreadableFile(UNKNOWN)
  if (/^\s*</.test(sample)) {
    throw new UnreadableFile('This is a web page or an XML file. Open it as a spreadsheet, save it as XLSX or CSV.')
  }
  if (/^\s*(\{|\[\s*\{)/.test(sample)) return { dialect: guessJson(sample), isCertain: true }
  const guess = guessCsv(sample, encoding)
  return { ...guess, isCertain: isCertain && guess.isCertain }
}

const UNKNOWN = 'This kind of file cannot be read. Upload a CSV, XLSX or JSON Lines file.'

function refuseOtherFormats(file: Buffer): void {
  const begins = (hex: string) => file.subarray(0, hex.length / 2).equals(Buffer.from(hex, 'hex'))
  // The container of old office files. A protected workbook is one too, with the workbook encrypted in it.
  if (begins('d0cf11e0a1b11ae1')) {
    throw new UnreadableFile(
      file.includes(Buffer.from('EncryptedPackage', 'utf16le'))
        ? 'This workbook is protected by a password. Save it without one, and upload that.'
        : 'This is an old Excel file (.xls). Save it as XLSX or CSV, and upload that.',
    )
  }
  if (file.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
    throw new UnreadableFile('This is a PDF. Upload a CSV, XLSX or JSON Lines file.')
  }
  if (begins('1f8b')) throw new UnreadableFile('This file is compressed. Unpack it, and upload the file inside.')
}

async function guessSheet(file: Buffer): Promise<Guess> {
  const { sheets, read } = await openWorkbook(file)
  for (const sheet of sheets) {
    const rows: FileRow[] = []
    for await (const row of read(sheet)) if (!isBlank(row.values) && rows.push(row) >= SAMPLE_ROWS) break
    if (rows.length === 0) continue
    const header = guessHeader(rows)
    return {
      dialect: {
        format: 'xlsx',
        sheet: sheet.name,
        sheets: sheets.map(({ name }) => name),
        headerRow: header.number,
      },
      isCertain: header.isCertain && sheets.filter(({ isHidden }) => !isHidden).length <= 1,
    }
  }
  throw new UnreadableFile('This workbook is empty')
}

function guessJson(sample: string): Dialect {
  const wanted = 'one JSON object with a name on each line, as the export writes it'
  try {
    if ('name' in parseRecord(sample.trimStart().split('\n', 1)[0] ?? '')) return { format: 'jsonl' }
  } catch {}
  throw new UnreadableFile(`This JSON file cannot be read. JSON Lines has ${wanted}.`)
}

/** The separator with which most rows have as many values as the header. */
function guessCsv(sample: string, encoding: CsvDialect['encoding']): Guess {
  const [, declared] = sample.match(DECLARED) ?? []
  const guesses = importSeparators.map((separator) => {
    const rows = csvSample(sample, separator)
    const header = guessHeader(rows.slice(0, SAMPLE_ROWS))
    const width = header.row.values.length
    const alike = rows.filter(({ values }) => values.length === width).length
    const score = separator === declared ? Number.POSITIVE_INFINITY : width > 1 ? alike / rows.length : 0
    return { separator, header, score, width }
  })
  const [best, next] = guesses.sort((a, b) => b.score - a.score || b.width - a.width) as [
    (typeof guesses)[number],
    (typeof guesses)[number],
  ]
  const isOnlyColumn = best.score === 0
  return {
    dialect: { format: 'csv', encoding, separator: best.separator, headerRow: best.header.number },
    isCertain: best.header.isCertain && (isOnlyColumn || best.score > next.score + CLEAR),
  }
}

/** The lead in the share of rows that leaves no doubt about a separator. */
const CLEAR = 0.3

/** `number` is 0 where the first row is data. */
type Header = { row: FileRow; number: number; isCertain: boolean }

const filled = (row: FileRow) => row.values.filter((value) => value.trim() !== '').length
const known = (row: FileRow) => row.values.filter(isKnownColumn).length
const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 1

/** The first row with mostly known names of columns, else the first that is as long and as full as most rows. */
function guessHeader(rows: FileRow[]): Header {
  const named = rows.find((row) => known(row) >= 2 && known(row) > filled(row) / 2)
  if (named) return { row: named, number: named.row, isCertain: true }
  const usual = { filled: middle(rows.map(filled)), width: middle(rows.map(({ values }) => values.length)) }
  const found = rows.find(
    (row) => row.values.length >= usual.width && filled(row) + unnamedColumns(row, usual.width) >= usual.filled,
  )
  const row = found ?? rows[0] ?? { row: 1, values: [] }
  if (isData(row, rows)) return { row, number: 0, isCertain: false }
  return { row, number: row.row, isCertain: row === rows[0] && known(row) > 0 }
}

/** 1 if one column has no name, such as that of the numbers of the rows. Lines above a header are empty at their end. */
const unnamedColumns = ({ values }: FileRow, width: number) => {
  const empty = values.slice(0, width).flatMap((value, at) => (value.trim() === '' ? [at] : []))
  return width > 2 && empty.length === 1 && empty[0] !== width - 1 ? 1 : 0
}

/** Whether a row that would be the header has values like those below it: addresses, numbers, dates, or the same ones. */
function isData(row: FileRow, rows: FileRow[]): boolean {
  if (isMarkedReason(row.values.at(-1))) return true
  if (known(row) > 0) return false
  const below = rows.filter((other) => other.row > row.row && !isDeepStrictEqual(other.values, row.values))
  return row.values.some((value, at) => {
    if (value.trim() === '') return false
    const others = below.map(({ values }) => values[at]?.trim() ?? '').filter((other) => other !== '')
    const form = FORMS.find((one) => one.test(value.trim()))
    const alike = form === undefined ? [] : others.filter((other) => form.test(other))
    return others.includes(value.trim()) || (alike.length > 0 && alike.length >= others.length / 2)
  })
}

/** Values that are no names of columns. A year may be one. */
const FORMS = [
  /^\S+@\S+\.\S+$/,
  /^(?:https?:\/\/\S+|(?:[\w-]+\.)+[a-z]{2,}(?:\/\S*)?)$/i,
  /^(?!(?:19|20)\d\d$)[-+]?\d+(?:[.,]\d+)*\s?%?$/,
  /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}(?:[T ].*)?$/,
]
