import type { Database } from '#server/db/database.ts'
import { BOM, csvLine } from '#server/export/csv.ts'
import { refusedLine } from './files/jsonl.ts'
import { type ImportRecord, type ImportRowRecord, listRows } from './store.ts'

const ROWS_AT_ONCE = 200

type RefusedFile = {
  type: string
  head: (columns: string[]) => string
  line: (row: ImportRowRecord, columns: string[]) => string
}

/** The files of refused rows, by extension. A person can correct and import them again. */
export const refusedFiles: Record<'csv' | 'jsonl', RefusedFile> = {
  /** The columns of the file and the reason. A row that could not be read may have fewer cells, or more. */
  csv: {
    type: 'text/csv; charset=utf-8',
    head: (columns) => BOM + csvLine([...columns, 'reason']),
    line: (row, columns) => csvLine([...columns.map((_, at) => row.cells[at] ?? ''), reasonOf(row)]),
  },
  /** Only for JSON Lines, because CSV has no notes and finders. */
  jsonl: {
    type: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (row) => refusedLine(row.cells, row.faults, reasonOf(row)),
  },
}

/** The refused rows of an import, streamed. */
export async function* eachRefused(
  db: Database,
  { id, columns }: ImportRecord,
  { head, line }: RefusedFile,
): AsyncGenerator<string> {
  yield head(columns)
  let after: number | undefined
  for (;;) {
    const rows = await listRows(db, id, { outcomes: ['refused'], limit: ROWS_AT_ONCE, after })
    const batch = rows.slice(0, ROWS_AT_ONCE)
    if (batch.length > 0) yield batch.map((row) => line(row, columns)).join('')
    if (rows.length <= ROWS_AT_ONCE) return
    after = batch.at(-1)?.row
  }
}

const reasonOf = ({ faults }: ImportRowRecord) =>
  faults.map(({ column, sentence }) => (column === undefined ? sentence : `${column}: ${sentence}`)).join('; ')
