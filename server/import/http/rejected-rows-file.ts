import type { CsvDialect } from '#contract/import-file.ts'
import type { Database } from '#server/db/database.ts'
import { protectedText } from '#server/export/csv.ts'
import { REASON } from '#server/import/read/columns/mapping.ts'
import { hasHeader, markedReason } from '#server/import/read/files/columns.ts'
import { refusedLine } from '#server/import/read/files/jsonl.ts'
import { type fileOrder, type ImportRecord, type ImportRowRecord, listRows } from '#server/import/store/store.ts'
import type { PageRequest } from '#server/records/paging.ts'
import { encoderOf } from './encode.ts'

const ROWS_AT_ONCE = 200

/** The types of the files of refused rows, by extension. JSON Lines only for JSON Lines: no CSV has notes and finders. */
export const refusedTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const

type RefusedFile = {
  charset: string
  head: string
  line: (row: ImportRowRecord) => string
  encode: (text: string) => Buffer
}

/** A text file has its own separator and encoding again. A workbook becomes a text that every spreadsheet opens. */
function fileOf({ columns, dialect }: ImportRecord, extension: keyof typeof refusedTypes): RefusedFile {
  if (extension === 'jsonl') {
    const line = (row: ImportRowRecord) => refusedLine(row.cells, row.faults, reasonOf(row))
    return { charset: 'utf-8', head: '', line, encode: (text) => Buffer.from(text) }
  }
  const { encoding, separator } = dialect.format === 'csv' ? dialect : ({ encoding: 'utf-8', separator: ',' } as const)
  // A file of refused rows that is refused again has its reasons replaced.
  const own = columns.at(-1) === REASON ? columns.slice(0, -1) : columns
  const isNamed = hasHeader(dialect)
  const csvLine = lineWriter(separator)
  return {
    charset: encoding === 'utf-8-twice' ? 'utf-8' : encoding,
    head: isNamed ? csvLine([...own, REASON]) : '',
    // A row that could not be read may have fewer cells, or more. The surplus is behind the reason, so that none is lost.
    line: (row) => {
      const cells = own.map((_, at) => row.cells[at] ?? '')
      const reason = isNamed ? reasonOf(row) : markedReason(reasonOf(row))
      return csvLine([...cells, reason, ...row.cells.slice(columns.length)])
    },
    encode: encoderOf(encoding),
  }
}

const lineWriter = (separator: CsvDialect['separator']) => {
  const needsQuotes = new RegExp(`["\\r\\n${separator}]`)
  const cell = (text: string) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return (cells: string[]) => `${cells.map((text) => cell(protectedText(text))).join(separator)}\r\n`
}

/** The refused rows of an import, streamed. A person can correct and import them again. */
export function refusedFile(
  db: Database,
  record: ImportRecord,
  extension: keyof typeof refusedTypes,
): { type: string; lines: AsyncGenerator<Buffer> } {
  const { charset, head, line, encode } = fileOf(record, extension)
  async function* lines() {
    yield encode((charset.startsWith('utf') && extension === 'csv' ? BOM : '') + head)
    let after: PageRequest<typeof fileOrder>['after']
    for (;;) {
      const rows = await listRows(db, record.id, { outcome: 'refused' }, { limit: ROWS_AT_ONCE, after })
      const batch = rows.slice(0, ROWS_AT_ONCE)
      // A withheld row has no values.
      const shown = batch.filter(({ isWithheld }) => !isWithheld)
      if (shown.length > 0) yield encode(shown.map(line).join(''))
      if (rows.length <= ROWS_AT_ONCE) return
      after = batch.at(-1)
    }
  }
  return { type: `${refusedTypes[extension]}; charset=${charset}`, lines: lines() }
}

const BOM = '\ufeff'

const reasonOf = ({ faults }: ImportRowRecord) =>
  faults.map(({ column, sentence }) => (column === undefined ? sentence : `${column}: ${sentence}`)).join('; ')
