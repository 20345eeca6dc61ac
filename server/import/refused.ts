import type { Database } from '#server/db/database.ts'
import { BOM, csvLine } from '#server/export/csv.ts'
import { type ImportRecord, listRows } from './store.ts'

const ROWS_AT_ONCE = 200

/** The refused rows with the columns of the file and the reason, as CSV that can be mended and imported again. */
export async function* eachRefused(db: Database, { id, columns }: ImportRecord): AsyncGenerator<string> {
  yield BOM + csvLine([...columns, 'reason'])
  let after: number | undefined
  for (;;) {
    const rows = await listRows(db, id, { outcomes: ['refused'], limit: ROWS_AT_ONCE, after })
    const batch = rows.slice(0, ROWS_AT_ONCE)
    if (batch.length > 0)
      yield batch.map(({ cells, ...row }) => csvLine([...padded(cells, columns), reasonOf(row)])).join('')
    if (rows.length <= ROWS_AT_ONCE) return
    after = batch.at(-1)?.row
  }
}

/** One cell a column: a row that could not be read may have fewer or more. */
const padded = (cells: string[], columns: string[]) => columns.map((_, at) => cells[at] ?? '')

const reasonOf = ({ columnName, error }: { columnName: string | null; error: string | null }) =>
  [columnName, error].filter((part) => part !== null).join(': ')
