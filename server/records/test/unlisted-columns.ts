import type { Database } from '#server/db/database.ts'
import { tablesOf } from '#server/ops/backup/tables.ts'
import { namesIn, type RecordData } from '#server/records/record-data.ts'

/** The columns of the database that are not in the list. Migrations have a table of their own. */
export async function unlistedColumns(db: Database, listed: RecordData[]): Promise<string[]> {
  const known = new Set(
    listed.map(namesIn).flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  )
  const tables = (await tablesOf(db)).filter(({ name }) => name !== 'schema_migrations')
  return tables
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    .filter((column) => !known.has(column))
}
