import { getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { recordData } from '#server/record-features.ts'
import { columnOf, type RecordData } from '#server/records/record-data.ts'

// What search, report and erasure read from the list of record data. A table that is added there needs no code here.

export const tableName = ({ table }: RecordData): string => getTableName(table)

export const entryOf = (name: string): RecordData | undefined => recordData.find((entry) => tableName(entry) === name)

/** The primary key of a table; empty for one without. */
export function keyOf({ table }: RecordData): PgColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  const names = primaryKeys[0]?.columns.map(({ name }) => name)
  return columns.filter(({ name, primary }) => names?.includes(name) ?? primary)
}

const TEXT = ['text', 'jsonb', 'text[]']

/** Columns with the words of the product, which name no person. */
const WORDS = [
  'kind',
  'founderKind',
  'companyKind',
  'action',
  'result',
  'outcome',
  'status',
  'via',
  'reasons',
  'dismissed',
]

/** The columns in which a person may be mentioned. */
export const searchedIn = (entry: RecordData): string[] =>
  Object.keys(entry.report).filter(
    (name) =>
      ['shown', 'searched'].includes(entry.report[name] ?? '') &&
      TEXT.includes(columnOf(entry, name).getSQLType()) &&
      !WORDS.includes(name),
  )

/** Tables with data of records, in which rows have a key. */
export const searchedTables = (): RecordData[] =>
  recordData.filter((entry) => entry.record !== undefined && keyOf(entry).length > 0 && searchedIn(entry).length > 0)

/** When a row came. */
export function timeOf(entry: RecordData): PgColumn | undefined {
  const times = Object.keys(entry.report).filter((name) => columnOf(entry, name).getSQLType().startsWith('timestamp'))
  const name = times.find((one) => one === 'createdAt') ?? times.find((one) => entry.report[one] === 'shown')
  return name === undefined ? undefined : columnOf(entry, name)
}

/** The rows of a table that lead to one of the records. */
export function ofRecords(entry: RecordData, ids: string[]): SQL {
  if (entry.record?.length === 0) return sql`false`
  const given = sql`any (${sql.param(ids)}::uuid[])`
  const columns = (entry.record ?? []).map((name) => columnOf(entry, name))
  const { through } = entry
  const wanted = through
    ? columns.map(
        (column) => sql`${column} in (select ${through.to} from ${through.to.table} where ${through.from} = ${given})`,
      )
    : columns.map((column) => sql`${column} = ${given}`)
  return sql`(${sql.join(wanted, sql` or `)})`
}

/** The row with this key. */
export const isRow = (entry: RecordData, key: string[]): SQL =>
  sql.join(
    keyOf(entry).map((column, at) => sql`${column} = ${key[at]}::${sql.raw(column.getSQLType())}`),
    sql` and `,
  )

const LABELS: Record<string, string> = {
  records: 'Record',
  notes: 'Fellow note',
  import_rows: 'Row of an imported file',
  audit_log: 'History',
  denied_requests: 'Refused request',
  merges: 'Merge',
  bulk_rows: 'Change of many records',
  links: 'Link',
  pictures: 'Picture',
  finders: 'Found by',
  record_members: 'Fellows in whose records it is',
  duplicate_pairs: 'Possible duplicate',
  duplicate_checks: 'Waits to be compared',
  dismissals: 'Marked as not the same',
  imports: 'Imported file',
  import_files: 'Contents of an imported file',
  dialect: 'Sheet names',
  idempotency_keys: 'Requests that added it',
  opinions: 'Opinion',
  opinion_readings: 'Reading of opinions',
  saved_searches: 'Saved search',
  access_tokens: 'Access token',
  opinion_reveals: 'Revealed opinions',
}

/** A table or a column in words. */
export const inWords = (name: string): string => {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()
    .trim()
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
