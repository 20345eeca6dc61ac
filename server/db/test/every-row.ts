import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'

/**
 * Every row of each table, by table name: as PostgreSQL writes rows, sorted. Without the numbers of transactions and the epoch of
 * the feed, which belong to one database.
 */
export async function everyRow(db: Database): Promise<Record<string, string[]>> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const found = await rowsOf<{ row: string }>(
      db,
      sql`select ${name === 'audit_log' ? sql`jsonb_populate_record(t, '{"transaction_id": "0"}')` : sql`t`}::text collate "C" as row
        from ${sql.identifier(name)} t order by 1`,
    )
    rows[name] = found.map(({ row }) => (row.startsWith('(feed,') ? '(feed)' : row))
  }
  return rows
}

/** The structure of the tables, and functions. PostgreSQL 18 gives NOT NULL constraints a name, so they are left out. */
export const structureOf = (db: Database) =>
  rowsOf<{ made: string }>(
    db,
    sql`select indexdef collate "C" as made from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
        from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      order by made`,
  )
