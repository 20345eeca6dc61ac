import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from '#server/db/database.ts'
import { records } from '#server/db/schema.ts'
import { refuseErased } from '#server/import/store/erased.ts'
import { recordData } from '#server/record-features.ts'
import { columnOf, type RecordData } from '#server/records/record-data.ts'
import { lockRecords } from '#server/records/write/lock.ts'
import { deleteRows } from '#server/records/write/write.ts'
import { CHOSEN } from '#server/searches/query.ts'
import { deleteJobs } from './jobs.ts'
import { wordsOf } from './pattern.ts'
import { ofRecords, tableName } from './tables.ts'

/** The records and everything merged into them, in the order of ids. */
export async function treesOf(db: Database, ids: string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select distinct tree.id from records, merged_tree(records.id) tree
      where records.id = any (${sql.param(ids)}::uuid[]) order by tree.id`,
  )
  return rows.map(({ id }) => id)
}

/** Deletes records and all record data, by the list. The ids include what was merged into them. */
export async function eraseRecords(tx: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const named = await lockRecords(tx, ids, { name: records.name }, 'update')
  await eraseFileNames(tx, ids, named)
  const others = await listOthers(tx, ids)
  const entries = recordData.filter((entry) => entry.record !== undefined && tableName(entry) !== 'records')
  // What is found through other tables goes first.
  for (const entry of entries.toSorted((one, other) => Number(!one.through) - Number(!other.through))) {
    await eraseRows(tx, entry, ofRecords(entry, ids))
  }
  await deleteJobs(tx, [], ids)
  await deleteRows(tx, ids)
  // Deleting writes entries too.
  const isNamed = sql`${OTHERS} && ${sql.param(ids)}::text[]`
  await emptyAuditEntries(
    tx,
    sql`object_id = any (${sql.param(ids)}::uuid[]) or (object_id = any (${sql.param(others)}::uuid[]) and ${isNamed})`,
  )
}

/** The records that an entry of a link or a merge names. It is in the histories of both. */
const OTHERS = sql`array[detail ->> 'linkedId', detail ->> 'survivorId', detail ->> 'duplicateId']`

async function listOthers(db: Database, ids: string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select distinct named.id from audit_log, unnest(${OTHERS}) named (id)
      where object_id = any (${sql.param(ids)}::uuid[]) and named.id is not null`,
  )
  return rows.map(({ id }) => id)
}

/** Shorter words are in too many texts. */
const longWordsOf = (text: string) => wordsOf(text).filter((word) => word.length >= 3)

/** Of files with a row of these records: their name, their columns and sheets, where one has a word of a name of theirs. */
async function eraseFileNames(tx: Database, ids: string[], named: { name: string }[]): Promise<void> {
  const words = new Set(named.flatMap(({ name }) => longWordsOf(name)))
  for (const entry of recordData.filter((one) => tableName(one) === 'imports')) {
    const files = await rowsOf<{ id: string; fileName: string; columns: string[]; dialect: string[] | null }>(
      tx,
      sql`select id, file_name as "fileName", columns, dialect -> 'sheets' as dialect from ${entry.table} where ${ofRecords(entry, ids)}`,
    )
    for (const { id, ...names } of files) {
      const found = Object.entries(names).filter(([, texts]) =>
        longWordsOf(String(texts)).some((word) => words.has(word)),
      )
      if (found.length > 0)
        await emptyColumns(
          tx,
          entry,
          found.map(([name]) => name),
          sql`id = ${id}`,
        )
    }
  }
}

/** Deletes or empties rows of a table, as the list says. */
export async function eraseRows(tx: Database, entry: RecordData, where: SQL): Promise<void> {
  const { table, erasure } = entry
  if (erasure === 'kept') return
  if (tableName(entry) === 'audit_log') return emptyAuditEntries(tx, where)
  if (tableName(entry) === 'import_rows') await refuseErased(tx, where)
  if (erasure === 'deleted') await tx.execute(sql`delete from ${table} where ${where}`)
  else await emptyColumns(tx, entry, erasure.emptied, where)
}

export async function emptyColumns(tx: Database, entry: RecordData, names: string[], where: SQL): Promise<void> {
  const changes = [...new Set(names)].map((name) => {
    const column = columnOf(entry, name)
    return sql`${sql.identifier(column.name)} = ${emptyValue(column)}`
  })
  await tx.execute(sql`update ${entry.table} set ${sql.join(changes, sql`, `)} where ${where}`)
}

/** What an erased value becomes that cannot be empty. */
const ERASED_TO: Record<string, SQL> = {
  'imports.file_name': sql`'Erased name'`,
  // The cells of its rows stand below them.
  'imports.columns': sql`(select jsonb_agg('Column ' || place) from generate_series(1, jsonb_array_length(columns)) place)`,
  'imports.dialect': sql`case when dialect ? 'sheets' then dialect || '{"sheet": "Erased name", "sheets": ["Erased name"]}' else dialect end`,
  'saved_searches.name': sql`'Erased name'`,
  'access_tokens.name': sql`'Erased name'`,
  // What was chosen names no person.
  'saved_searches.query': sql`(
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(query) where key = any (${sql.param(CHOSEN)}::text[])
  )`,
  // Of a row without values they say why.
  'import_rows.faults': sql`case when is_withheld then faults else '[]' end`,
}

function emptyValue(column: PgColumn): SQL {
  const erased = ERASED_TO[`${getTableName(column.table)}.${column.name}`]
  if (erased !== undefined) return erased
  if (!column.notNull || column.hasDefault) return sql`default`
  if (column.getSQLType() !== 'jsonb') return sql`''`
  return sql`case jsonb_typeof(${sql.identifier(column.name)}) when 'array' then '[]' else '{}' end::jsonb`
}

/** Empties entries of the audit log, by the one function that may: all but who, when and the act, or a part of that. */
export async function emptyAuditEntries(
  tx: Database,
  where: SQL,
  what: 'all' | 'values' | 'actor' = 'all',
): Promise<void> {
  await tx.execute(sql`select empty_audit_entries(array_agg(id), array_agg(at), ${what}) from audit_log where ${where}`)
}
