import { type CsvDialect, type Dialect, importSeparators } from '#contract/import.ts'
import { isKnownColumn } from '../mapping.ts'
import { csvSample } from './csv.ts'
import { parseRecord } from './jsonl.ts'
import { type FileRow, isBlank } from './row.ts'
import { guessEncoding, textSample } from './text.ts'
import { UnreadableFile } from './unreadable-file.ts'
import { openWorkbook } from './xlsx.ts'

/** The number of rows that a guess reads. */
const SAMPLE_ROWS = 100

/** Guesses how to read a file, from its content and not from its name. */
export async function guessDialect(file: Buffer): Promise<Dialect> {
  if (file.length === 0) throw new UnreadableFile('This file is empty')
  if (file.subarray(0, 4).equals(Buffer.from('PK\x03\x04')) || file.subarray(0, 4).equals(Buffer.from('PK\x05\x06'))) {
    return guessSheet(file)
  }
  refuseOtherFormats(file)
  const encoding = await guessEncoding(file)
  const sample = textSample(file, encoding)
  if (sample.trim() === '') throw new UnreadableFile('This file is empty')
  const controls = sample.match(/[^\P{Cc}\t\v\f\r\n]/gu)?.length ?? 0
  if (controls > sample.length / 20) throw new UnreadableFile(UNKNOWN)
  if (/^\s*</.test(sample)) {
    throw new UnreadableFile('This is a web page or an XML file. Open it as a spreadsheet, save it as XLSX or CSV.')
  }
  if (/^\s*(\{|\[\s*\{)/.test(sample)) return guessJson(sample)
  return guessCsv(sample, encoding)
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

async function guessSheet(file: Buffer): Promise<Dialect> {
  const { sheets, read } = await openWorkbook(file)
  for (const sheet of sheets) {
    const rows: FileRow[] = []
    for await (const row of read(sheet)) if (!isBlank(row.values) && rows.push(row) >= SAMPLE_ROWS) break
    if (rows.length === 0) continue
    return {
      format: 'xlsx',
      sheet: sheet.name,
      sheets: sheets.map(({ name }) => name),
      headerRow: guessHeader(rows).row,
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
function guessCsv(sample: string, encoding: CsvDialect['encoding']): Dialect {
  const [, declared] = sample.match(/^sep=([,;\t])[\r\n]/i) ?? []
  const guesses = importSeparators.map((separator) => {
    const rows = csvSample(sample, separator).filter(
      ({ values }) => !isBlank(values) && !/^sep=/i.test(values[0] ?? ''),
    )
    const header = guessHeader(rows.slice(0, SAMPLE_ROWS))
    const width = header.values.length
    const alike = rows.filter(({ values }) => values.length === width).length
    const score = separator === declared ? Number.POSITIVE_INFINITY : width > 1 ? alike / rows.length : 0
    return { separator, headerRow: header.row, score, width }
  })
  const [best] = guesses.sort((a, b) => b.score - a.score || b.width - a.width)
  const { separator, headerRow } = best ?? { separator: ',', headerRow: 1 }
  return { format: 'csv', encoding, separator, headerRow }
}

/** The first row with known names of columns, else the first with as many values as most rows. */
function guessHeader(rows: FileRow[]): FileRow {
  const known = rows.find(({ values }) => values.filter(isKnownColumn).length >= 2)
  if (known) return known
  const filled = (row: FileRow) => row.values.filter((value) => value.trim() !== '').length
  const usual = rows.map(filled).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 1
  return rows.find((row) => filled(row) >= usual) ?? { row: 1, values: [] }
}
