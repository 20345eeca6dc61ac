import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'

type Column = { name: string; type: string }
export type Table = { name: string; columns: Column[] }

/** Every table of the migrations with its columns, without generated ones, from the catalogue. */
export const tablesOf = (db: Database): Promise<Table[]> =>
  rowsOf<Table>(
    db,
    sql`select c.relname as name,
        json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
          as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      group by c.relname order by c.relname collate "C"`,
  )

type Sequence = { name: string; last: string }

/** The position of every sequence that has been used. */
export const sequencesOf = (db: Database): Promise<Sequence[]> =>
  rowsOf<Sequence>(
    db,
    sql`select sequencename as name, last_value::text as last from pg_sequences
      where schemaname = 'public' and last_value is not null order by sequencename collate "C"`,
  )

/** Values as text, independent of session settings. PostgreSQL parses each type from its own output. */
export async function setStableFormats(tx: Database): Promise<void> {
  await tx.execute(sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
    set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
    set_config('extra_float_digits', '1', true)`)
}

/** The schema's number; 0 where there is none yet. */
export async function schemaOf(db: Database): Promise<number> {
  const [there] = await rowsOf<{ isThere: boolean }>(
    db,
    sql`select to_regclass('public.schema_migrations') is not null as "isThere"`,
  )
  if (!there?.isThere) return 0
  const [row] = await rowsOf<{ number: number }>(
    db,
    sql`select coalesce(max(number), 0) as number from schema_migrations`,
  )
  return row?.number ?? 0
}

/** Everything that grants access without a password: sessions, invitations, and links by mail and from the operator. */
export const ACCESS_TABLES = ['sessions', 'one_time_tokens', 'invitations']

/** Deletes every session and every link, and ends every access token. */
export async function deleteAccess(tx: Database): Promise<void> {
  await tx.execute(sql`update access_tokens set ended_at = now(), hash = null where ended_at is null`)
  for (const name of ACCESS_TABLES) await tx.execute(sql`delete from ${sql.identifier(name)}`)
}
