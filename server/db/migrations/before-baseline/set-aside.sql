-- Moves the tables before the baseline out of its way. Their functions and triggers go. What extensions have brought stays,
-- whoever installed them.

create schema before_baseline;

do $$
declare
  item text;
begin
  for item in
    select oid::regprocedure from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  loop
    execute format('drop function %s cascade', item);
  end loop;
  for item in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relname <> 'schema_migrations'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  loop
    execute format('alter table public.%I set schema before_baseline', item);
  end loop;
end $$;

-- Nothing uses it since 0006. Somebody else's stays.
do $$ begin
  drop extension if exists pg_trgm;
exception when insufficient_privilege or dependent_objects_still_exist then null;
end $$;
