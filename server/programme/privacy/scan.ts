import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { PersonSearch } from '#contract/privacy.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { pageRanges } from '#server/db/page-ranges.ts'
import { columnOf, type RecordData } from '#server/records/record-data.ts'
import { mayMention, personPattern } from './pattern.ts'
import { keyOf, searchedIn, timeOf } from './tables.ts'

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

/** The values of a table with a match of the person. At most `limit`. Stops when the signal is aborted. */
export async function scan(
  db: Database,
  entry: RecordData,
  person: PersonSearch,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<Found[]> {
  const { table } = entry
  const found = new Map<string, Found>()
  const add = async (condition: SQL) => {
    signal.throwIfAborted()
    const rows = await scanRows(db, entry, person, { condition, limit: limit - found.size })
    for (const row of rows) found.set(JSON.stringify([row.key, row.column]), row)
  }
  // All that was written before is committed, and visible to every statement from now on.
  const [begun] = await rowsOf<{ xid: string }>(
    db,
    sql`select pg_snapshot_xmin(pg_current_snapshot())::xid::text as xid`,
  )
  for (const range of await pageRanges(db, table, PAGES_AT_ONCE)) {
    if (found.size >= limit) break
    await add(range)
  }
  // A row that was written meanwhile may have moved from a range that was not read yet into one that was.
  if (found.size < limit) await add(sql`age(${table}.xmin) <= age(${begun?.xid}::xid)`)
  return [...found.values()]
}

function scanRows(
  db: Database,
  entry: RecordData,
  person: PersonSearch,
  { condition, limit }: { condition: SQL; limit: number },
): Promise<Found[]> {
  const { table } = entry
  const pattern = personPattern(person)
  const columns = searchedIn(entry).map((name) => ({ name, text: asText(columnOf(entry, name)) }))
  const time = timeOf(entry)
  const list = (parts: SQL[]) => sql.join(parts, sql`, `)
  const texts = (parts: SQL[]) => sql`json_build_array(${list(parts)})`
  const key = texts(keyOf(entry).map((column) => sql`${column}::text`))
  const records = entry.through ? [] : (entry.record ?? []).map((name) => sql`${columnOf(entry, name)}::text`)
  // The whole row is looked through first, without the expression, which is slow.
  return rowsOf<Found>(
    db,
    sql`select ${key} as key, value.name as column, ${texts(records)} as records,
        ${time ? sql`to_json(${time}) #>> '{}'` : sql`null`} as at,
        substr(value.plain, greatest(1, regexp_instr(folded.text, ${pattern}) * length(value.plain) / length(folded.text)
          - ${sql.raw(String(BEFORE))}), ${sql.raw(String(EXCERPT))}) as excerpt
      from ${table}
      cross join lateral (select concat_ws(E'\n', ${list(columns.map(({ text }) => sql`person_text(${text})`))}) as text offset 0) whole
      cross join lateral (values ${list(columns.map(({ name, text }) => sql`(${name}::text, ${text})`))}) value(name, plain)
      cross join lateral (select person_text(value.plain) as text offset 0) folded
      where ${condition} and ${mayMention(person, sql`whole.text`)} and folded.text ~ ${pattern}
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
