import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'

type Column = { table: string; column: string; expression: string }

/**
 * Fills tables as one transaction in which `setTime` decides the time of what follows: defaults of columns that read
 * the clock read it instead, and so does the last activity of a record, which the writer sets. A sample world happened over weeks, and its audit log cannot be changed afterwards.
 */
export const withClock = (
  db: Database,
  fill: (tx: Database, setTime: (time: Date) => Promise<void>) => Promise<void>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const columns = await rowsOf<Column>(
      tx,
      sql`select class.relname as "table", attname as "column", pg_get_expr(adbin, adrelid) as expression
        from pg_attrdef join pg_class class on class.oid = adrelid
        join pg_attribute on attrelid = adrelid and attnum = adnum
        where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p')
          and class.relname in ('records', 'notes', 'finders', 'links', 'merges', 'audit_log', 'tags',
            'record_tags', 'opinions', 'opinion_readings', 'opinion_asks', 'assignments', 'passings')
          and pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp)\\(\\)'`,
    )
    const setDefault = ({ table, column }: Column, expression: string) =>
      tx.execute(sql.raw(`alter table "${table}" alter column "${column}" set default ${expression}`))
    const setTime = async (time: Date) => {
      await tx.execute(sql`select set_config('sourcebook.seed_time', ${time.toISOString()}, true)`)
    }
    await setTime(new Date())
    for (const column of columns) {
      const given = `current_setting('sourcebook.seed_time')::timestamptz`
      await setDefault(column, column.expression.replace(/(now|clock_timestamp)\(\)/, given))
    }
    // The last activity is set by the writer, and the time of an entry by a trigger.
    for (const [table, column, when] of [
      [
        'records',
        'last_activity_at',
        'update on records for each row when (new.last_activity_at > old.last_activity_at)',
      ],
      ['audit_log', 'at', 'insert on audit_log for each row'],
    ]) {
      await tx.execute(
        sql.raw(`create function pg_temp.seed_time_of_${table}() returns trigger language plpgsql as $$
          begin
            new.${column} := current_setting('sourcebook.seed_time')::timestamptz;
            return new;
          end $$;
          create trigger zz_seed_time before ${when} execute function pg_temp.seed_time_of_${table}()`),
      )
    }
    await fill(tx, setTime)
    // A table cannot be altered while triggers wait for the commit.
    await tx.execute(sql`set constraints all immediate`)
    await tx.execute(sql`drop function pg_temp.seed_time_of_records(), pg_temp.seed_time_of_audit_log() cascade`)
    for (const column of columns) await setDefault(column, column.expression)
  })
