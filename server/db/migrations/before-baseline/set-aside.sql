-- Moves the tables before the baseline out of its way. Their functions and triggers go.

create schema before_baseline;

drop extension if exists pg_trgm cascade;

do $$
declare
  item text;
begin
  for item in
    select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
  loop
    execute format('drop function %s cascade', item);
  end loop;
  for item in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relname <> 'schema_migrations'
  loop
    execute format('alter table public.%I set schema before_baseline', item);
  end loop;
end $$;
