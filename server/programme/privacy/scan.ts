import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from '#server/db/database.ts'
import { columnOf, type RecordData } from '#server/records/record-data.ts'
import { keyOf, searchedIn, tableName, timeOf } from './tables.ts'

// The search reads whole tables, a range of pages at a time, so that no statement is long and others are served between.

const PAGES_AT_ONCE = 400
const EXCERPT = 160
const BEFORE = 50

export type Found = { key: string[]; column: string; excerpt: string; at: string | null; records: string[] }

/** A column as text. Line ends inside JSON are no letters. */
function asText(column: PgColumn): SQL {
  const type = column.getSQLType()
  if (type === 'jsonb') return sql`replace(${column}::text, '\\n', ' ')`
  return type === 'text[]' ? sql`array_to_string(${column}, ' ')` : sql`${column}`
}

const withoutAccents = (text: SQL): SQL =>
  sql`case when ${text} ~ '[^\\x01-\\x7f]' then regexp_replace(normalize(${text}, nfkd), '[\\u0300-\\u036f]', '', 'g') else ${text} end`

/** The values of a table with a match of the pattern. At most `limit`. */
export async function scan(db: Database, entry: RecordData, pattern: string, limit: number): Promise<Found[]> {
  const found: Found[] = []
  const pages = await pagesOf(db, entry)
  for (let from = 0; from < pages && found.length < limit; from += PAGES_AT_ONCE) {
    found.push(...(await scanPages(db, entry, pattern, { from, limit: limit - found.length })))
  }
  return found
}

async function pagesOf(db: Database, entry: RecordData): Promise<number> {
  const [row] = await rowsOf<{ pages: number }>(
    db,
    sql`select (pg_relation_size(${tableName(entry)}::regclass) / current_setting('block_size')::int)::int as pages`,
  )
  return row?.pages ?? 0
}

function scanPages(
  db: Database,
  entry: RecordData,
  pattern: string,
  { from, limit }: { from: number; limit: number },
): Promise<Found[]> {
  const { table } = entry
  const columns = searchedIn(entry).map((name) => {
    const text = asText(columnOf(entry, name))
    return sql`(${name}::text, ${text}, ${withoutAccents(text)})`
  })
  const time = timeOf(entry)
  const texts = (list: SQL[]) => sql`json_build_array(${sql.join(list, sql`, `)})`
  const key = texts(keyOf(entry).map((column) => sql`${column}::text`))
  const records = entry.through ? [] : (entry.record ?? []).map((name) => sql`${columnOf(entry, name)}::text`)
  const tid = (page: number) => sql.raw(`'(${page},0)'::tid`)
  return rowsOf<Found>(
    db,
    sql`select ${key} as key, value.name as column, ${texts(records)} as records,
        ${time ? sql`to_json(${time}) #>> '{}'` : sql`null`} as at,
        substr(value.plain, greatest(1, regexp_instr(value.folded, ${pattern}) - ${sql.raw(String(BEFORE))}), ${sql.raw(String(EXCERPT))}) as excerpt
      from ${table} cross join lateral (values ${sql.join(columns, sql`, `)}) value(name, plain, folded)
      where ${table}.ctid >= ${tid(from)} and ${table}.ctid < ${tid(from + PAGES_AT_ONCE)}
        and value.folded ~ ${pattern}
      limit ${limit}`,
  )
}

/** Whether a value that a search found is still there. */
export async function isThere(db: Database, entry: RecordData, isRow: SQL, column: string): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`select from ${entry.table} where ${isRow} and ${columnOf(entry, column)} is not null`,
  )
  return rows.length > 0
}
