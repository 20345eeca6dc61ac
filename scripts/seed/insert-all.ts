import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

/** By the name of the column: its type, and its value for a row. */
export type Columns<Row> = Record<string, [type: string, value: (row: Row) => unknown]>

const ROWS_A_STATEMENT = 5_000

/** Inserts rows while they are generated: the next batch is generated during an insert. Returns their ids, in order. */
export async function insertAll<Row extends { id: string }>(
  db: Database,
  table: string,
  columns: Columns<Row>,
  rows: Iterable<Row>,
): Promise<string[]> {
  const ids: string[] = []
  let underWay: Promise<unknown> = Promise.resolve()
  for (const some of batches(rows, ROWS_A_STATEMENT)) {
    for (const { id } of some) ids.push(id)
    const statement = insertOf(table, columns, some)
    await underWay
    // Drizzle sends a statement only when it is awaited.
    underWay = db.execute(statement).then()
  }
  await underWay
  return ids
}

function insertOf<Row>(table: string, columns: Columns<Row>, rows: Row[]) {
  const names = Object.keys(columns).map((name) => sql.identifier(name))
  const values = Object.values(columns).map(([type, value]) => sql`${sql.param(rows.map(value))}::${sql.raw(type)}[]`)
  return sql`
    insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)})
    select ${sql.join(
      values.map((value) => sql`unnest(${value})`),
      sql`, `,
    )}`
}

function* batches<Row>(rows: Iterable<Row>, size: number): Iterable<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
